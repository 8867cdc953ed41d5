import type { VoicePackProblem } from '../../contract/menu/voice-pack.ts';
import { countWords } from '../count.ts';
import { quotedName } from '../names.ts';
import { storeRefusalText } from '../service/store-text.ts';
import { sizeText } from './recordings-text.ts';

export const voiceText = {
  failed: 'The voice could not be added, for a reason that the log has. Nothing was changed.',
} as const;

/** Why a voice cannot be added or removed, and what to do. */
export function voicePackProblemText(problem: VoicePackProblem): string {
  switch (problem.kind) {
    case 'not_archive':
      return 'This is no archive of a voice. Voices of Piper are published for sherpa-onnx as .tar.bz2; .tar.gz and .zip are read, too.';
    case 'damaged_archive':
      return 'The archive is damaged or was not downloaded completely. Download it again. Nothing was changed.';
    case 'too_large':
      return `The archive is too large: a voice may have ${sizeText(problem.most_bytes)}. Nothing was changed.`;
    case 'too_slow':
      return `The archive took longer than ${countWords(Math.round(problem.limit_ms / 60_000), 'minute')} to unpack, so this was ended. Try again when the computer is less busy; if it fails again, get the archive from another source. Nothing was changed.`;
    case 'unsafe_entry':
      return `The archive is refused: ${quotedName(problem.entry)} ${entryFaults[problem.fault]}. Get it from another source. Nothing was changed.`;
    case 'not_voice':
      return `The archive is no voice of Piper for sherpa-onnx: ${missingParts[problem.missing] ?? problem.missing} is missing. Such archives are called vits-piper-….tar.bz2. Nothing was changed.`;
    case 'model_fails':
      return 'The voice does not speak: its model is damaged or made for another program. Nothing was changed.';
    case 'wrong_file':
      return `${problem.name} is not the file that Rotavox knows (SHA-256 ${problem.found} instead of ${problem.expected}). It was changed, or not downloaded completely. Nothing was changed.`;
    case 'id_taken':
      return `Another voice with the id ${quotedName(problem.voice)} is on this computer. Remove it first: \`rotavox voice remove ${problem.voice}\`.`;
    case 'not_installed':
      return `No voice ${quotedName(problem.voice)} was added to this computer. \`rotavox voice list\` shows those that there are.`;
    case 'not_offered':
      return `Rotavox knows no address of the voice ${quotedName(problem.voice)}. \`rotavox voice list --available\` shows those that can be downloaded. Any other voice of Piper can be added from its archive: \`rotavox voice add FILE\`.`;
    case 'not_here':
      return 'No voices can be added to this host.';
    case 'busy':
      return 'Another voice is being added. Try again when it is done.';
    case 'stopped':
      return 'Adding the voice was stopped. Nothing was changed.';
    case 'not_downloaded':
      return `${problem.url} could not be downloaded (${problem.error}). Try again; or download it on another computer and run \`rotavox voice add ${problem.name}\`. Nothing was changed.`;
    case 'not_stored':
      return `The voice could not be stored: ${storeRefusalText(problem.refusal)}`;
  }
}

const entryFaults: Readonly<Record<Extract<VoicePackProblem, { kind: 'unsafe_entry' }>['fault'], string>> = {
  path: 'would be written outside of its folder',
  link: 'is a link',
  special: 'is neither a file nor a folder',
  twice: 'is in it twice',
};

const missingParts: Readonly<Record<string, string>> = {
  model: 'one model (.onnx)',
  name: 'a model with a name such as de_DE-thorsten-medium.onnx',
  one_folder: 'one folder around all files',
};
