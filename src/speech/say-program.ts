import { createHash } from 'node:crypto';
import { VoiceId } from '../contract/menu/speech.ts';
import { isProgram, type ProgramVoice, type SpeechProgram } from './program-engine.ts';

const usualWordsAMinute = 175;
/** Two names may differ in an accent alone (`Amélie`): ids have letters of ASCII. */
const otherCharacters = /[^\w.+-]/;
/**
 * The voices of macOS, by its program `say`. Its licence (section 2F) allows them for personal, non-commercial use only, which a menu
 * of a business is not: they are marked, and speak only where a person chose one.
 *
 * Written from its manual page. Nobody has tried it on macOS yet.
 */
export function sayProgram(say = '/usr/bin/say', swVers = '/usr/bin/sw_vers'): SpeechProgram {
  return {
    find: async () => ((await isProgram(say)) ? say : null),

    async voices(program, ask) {
      const version = (await ask(swVers, { args: ['-productVersion'], input: '' })).trim();
      const lines = (await ask(program, { args: ['-v', '?'], input: '' })).split('\n');
      const byId = new Map<string, ProgramVoice>();
      for (const line of lines) {
        const found = voiceOf(line, version);
        // A line that has the id of an earlier one cannot be told from it.
        if (found !== null && !byId.has(found.voice.id)) byId.set(found.voice.id, found);
      }
      return [...byId.values()];
    },

    command: ({ text, rate }, native, file) => ({
      args: [
        ...['-v', native, '-o', file, '--data-format=LEI16@22050'],
        // Each voice has a usual speed of its own.
        ...(rate === 1 ? [] : ['-r', String(Math.round(usualWordsAMinute * rate))]),
        ...['-f', '-'],
      ],
      input: text,
    }),
  };
}

/** `Eddy (German (Germany)) de_DE    # Hallo! Ich heiße Eddy.`: a name, spaces, a language, and a sentence. */
function voiceOf(line: string, version: string): ProgramVoice | null {
  const words = (line.split('#')[0] ?? '')
    .trim()
    .split(/\s/)
    .filter((word) => word !== '');
  const code = words.pop() ?? '';
  const native = words.join(' ');
  const plain = native.normalize('NFD').replace(/\p{M}/gu, '').split(otherCharacters);
  const id = VoiceId.safeParse(`say/${plain.filter((part) => part !== '').join('-')}`);
  const language = code.replaceAll('_', '-');
  if (!id.success || !isLanguage(language)) return null;
  return {
    native,
    voice: {
      id: id.data,
      name: native,
      language: new Intl.Locale(language).toString(),
      quality: 'basic',
      engine: 'say',
      engine_version: version,
      model_digest: createHash('sha256').update(`${native}\n${code}`).digest('hex'),
      licence: 'macOS',
      personal_use_only: true,
    },
  };
}

function isLanguage(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length === 1;
  } catch {
    return false;
  }
}
