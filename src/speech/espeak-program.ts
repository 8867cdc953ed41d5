import { createHash, type Hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { VoiceId } from '../contract/menu/speech.ts';
import { onPath, type ProgramVoice, type SpeechProgram } from './program-engine.ts';

const wordsAMinute = { usual: 175, fewest: 80, most: 450 };

/** The version and the folder of its models: `eSpeak NG text-to-speech: 1.51  Data at: /usr/lib/…/espeak-ng-data`. */
const versionLine = /:\s*(\d[\w.~+-]*)\s+Data at:\s*(\S.*)/;
/** ` 5  en-us  --/M  English_(America)  gmw/en-US  (en 3)` */
const voiceLine = /^\s*\d+\s+(\S+)\s+\S+\s+(\S+)\s+(\S+)/;

/** espeak-ng where it is installed: more than 100 languages, and clear rather than natural. A program of its own: GPL-3. */
export const espeakProgram: SpeechProgram = {
  find: () => onPath('espeak-ng'),

  async voices(program, ask) {
    const [, version, data] = versionLine.exec(await ask(program, { args: ['--version'], input: '' })) ?? [];
    if (version === undefined || data === undefined) return [];
    const lines = (await ask(program, { args: ['--voices'], input: '' })).split('\n');
    // Once for all of more than a hundred voices: half a megabyte for each would hold up everything else.
    const sounds = createHash('sha256').update(await contentOf(join(data, 'phondata')));
    const byId = new Map<VoiceId, ProgramVoice>();
    // One after the other, so that other work comes between their files.
    for (const line of lines) {
      const found = await voiceOf(line, version, data, sounds);
      if (found !== null) byId.set(found.voice.id, found);
    }
    return [...byId.values()];
  },

  // Without `-m`: tags of a text would put files of the disk into the sound.
  command: ({ text, rate }, native, file) => ({
    args: ['--stdin', '-b', '1', '-v', native, '-s', String(speed(rate)), '-w', file],
    input: text,
  }),
};

function speed(rate: number): number {
  const { usual, fewest, most } = wordsAMinute;
  return Math.min(most, Math.max(fewest, Math.round(usual * rate)));
}

async function voiceOf(
  line: string,
  version: string,
  data: string,
  sounds: Hash,
): Promise<ProgramVoice | null> {
  const [, code = '', name = '', model = ''] = voiceLine.exec(line) ?? [];
  const id = VoiceId.safeParse(`espeak-ng/${code}`);
  const language = languageOf(code);
  // Those of MBROLA need another program, and have licences of their own.
  if (!id.success || language === null || /^mb[\\/]/.test(model)) return null;
  const digest = sounds.copy();
  for (const path of [join('lang', model), `${code.split('-')[0] ?? ''}_dict`])
    digest.update(await contentOf(join(data, path)));
  return {
    native: code,
    voice: {
      id: id.data,
      name: name.replaceAll('_', ' ').trim(),
      language,
      quality: 'basic',
      engine: 'espeak-ng',
      engine_version: version,
      model_digest: digest.digest('hex'),
      licence: 'GPL-3.0-or-later',
    },
  };
}

function languageOf(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null;
  } catch {
    return null; // not a language tag
  }
}

/** A file that this version does not have counts as an empty one. */
async function contentOf(file: string): Promise<Uint8Array> {
  return readFile(file).catch(() => new Uint8Array(0));
}
