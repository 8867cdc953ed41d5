import type { SpeechChange, SpeechProblem, Voice } from '../../contract/menu/speech.ts';
import type { VoicePackProblem } from '../../contract/menu/voice-pack.ts';
import { quotedName } from '../names.ts';
import { storeRefusalText } from '../service/store-text.ts';
import { sizeText } from './recordings-text.ts';

/** Why no speech can be made of a text, and what to do. */
export function speechProblemText(problem: SpeechProblem): string {
  switch (problem.kind) {
    case 'no_voice':
      return problem.voice === undefined
        ? `There is no voice for the language ${problem.language} on this computer. Record the prompt, or choose another language in the settings.`
        : `There is no voice ${quotedName(problem.voice)} on this computer. \`rotavox voice list\` shows those that there are.`;
    case 'unreadable':
      return `The text cannot be spoken: the voice cannot read ${quotedName(problem.found)} at character ${(problem.at + 1).toLocaleString('en')}. Write it in another way.`;
    case 'too_long':
      return `The text is too long. It may have ${problem.most.toLocaleString('en')} characters.`;
    case 'nothing_to_say':
      return problem.letters === undefined
        ? 'The text has no words that can be spoken. Write what callers should hear.'
        : `The voice cannot read the letters of this text, such as ${quotedName(problem.letters[0] ?? '')}. Record the prompt, or choose a voice of its language.`;
    case 'engine_failed':
      if (problem.reason === 'damaged')
        return 'The files of the voice are damaged or gone. `rotavox voice list` says which voice: remove it and add it again, or choose another one.';
      return `The voice failed (${problem.engine}): ${failures[problem.reason]}. Try again, or record the prompt.`;
  }
}

const failures: Readonly<
  Record<Exclude<Extract<SpeechProblem, { kind: 'engine_failed' }>['reason'], 'damaged'>, string>
> = {
  ended: 'it stopped while it spoke',
  too_late: 'it took too long',
  silent: 'it gave silence',
  implausible: 'what it gave is too short or too long for this text',
};

/** How good a voice is. */
export const qualityNames: Readonly<Record<Voice['quality'], string>> = {
  basic: 'basic',
  natural: 'natural',
};

/** The licence of a voice, and what it forbids. */
export function voiceLicence({ licence, personal_use_only: isPersonal }: Voice): string {
  return isPersonal === true ? `${licence}: personal, non-commercial use only` : licence;
}

/** What a voice is tried with. */
export function trialSentence(language: string): string {
  return trialSentences.get(language.split('-')[0] ?? '') ?? '1, 2, 3.';
}

const trialSentences: ReadonlyMap<string, string> = new Map([
  ['en', 'Welcome. For sales, press 1.'],
  ['de', 'Willkommen. Für den Verkauf drücken Sie die 1.'],
  ['es', 'Bienvenido. Para ventas, pulse 1.'],
  ['fr', 'Bienvenue. Pour le service commercial, appuyez sur le 1.'],
  ['it', 'Benvenuto. Per le vendite, premi 1.'],
  ['pt', 'Bem-vindo. Para vendas, pressione 1.'],
]);

/** Logged when a text of a stored menu could not be spoken. */
export const speechLog = {
  notSpoken: 'Callers do not hear a spoken text of a menu',
  notRemoved: 'Recordings that nothing plays could not be removed; it is tried again in an hour',
  failed: 'Speech could not be made or stored; it is tried again when a menu is stored',
} as const;

/** A warning about a field of a menu: letters of its text that no voice of the language can read. */
export function unreadableWarning(letters: readonly string[]): string {
  return `callers do not hear these letters of the text, which no voice of its language can read: ${shownLetters(letters)}. Write them in another way, choose another language, or record the prompt.`;
}

const mostLetters = 20;

export function shownLetters(letters: readonly string[]): string {
  const more = letters.length - mostLetters;
  return `${letters.slice(0, mostLetters).join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A warning about a field of a menu that is stored. */
export function unspokenWarning(problem: SpeechProblem): string {
  return `callers do not hear this text. ${speechProblemText(problem)}`;
}

const changeWords: Readonly<Record<SpeechChange, string>> = {
  language: 'the language has changed',
  voice: 'the voice has changed',
  pronunciation: 'a pronunciation has changed',
};

/** Why a recording would be spoken in another way now. */
export function changesText(changed: readonly SpeechChange[]): string {
  return new Intl.ListFormat('en').format(changed.map((one) => changeWords[one]));
}

/** Whether a voice of one language speaks another without a foreign accent: `en` speaks `en-GB`. */
export function isOfLanguage(voice: string, language: string): boolean {
  const [one, other] = [voice.toLowerCase(), language.toLowerCase()];
  return one === other || other.startsWith(`${one}-`);
}

/** That the voice has another language than its text. */
export function otherVoiceText(language: string, voice: string): string {
  return `there is no voice for ${language} on this computer, so a voice for ${voice} speaks.`;
}

/** Why a voice cannot be added or removed, and what to do. */
export function voicePackProblemText(problem: VoicePackProblem): string {
  switch (problem.kind) {
    case 'not_archive':
      return 'This is no archive of a voice. Voices of Piper are published for sherpa-onnx as .tar.bz2; .tar.gz and .zip are read, too.';
    case 'damaged_archive':
      return 'The archive is damaged or was not downloaded completely. Download it again. Nothing was changed.';
    case 'too_large':
      return `The archive is too large: a voice may have ${sizeText(problem.most_bytes)}. Nothing was changed.`;
    case 'unsafe_entry':
      return `The archive is refused: ${quotedName(problem.entry)} ${entryFaults[problem.fault]}. Get it from another source. Nothing was changed.`;
    case 'not_voice':
      return `The archive is no voice of Piper for sherpa-onnx: ${problem.missing} is missing. Such archives are called vits-piper-….tar.bz2. Nothing was changed.`;
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
