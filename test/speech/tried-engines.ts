/** Every engine that the suites of this folder try, and why one of them cannot be tried here. */
import { fileURLToPath } from 'node:url';
import type { SpeechEngine } from '../../src/core/speech/speaker.ts';
import { espeakProgram } from '../../src/speech/espeak-program.ts';
import { FliteEngine } from '../../src/speech/flite-engine.ts';
import { PicoEngine } from '../../src/speech/pico-engine.ts';
import { ProgramEngine } from '../../src/speech/program-engine.ts';
import { sayProgram } from '../../src/speech/say-program.ts';
import { windowsProgramOf } from '../../src/speech/windows-program.ts';
import { FakeSpeechEngine } from '../fakes/fake-speech-engine.ts';
import { ensurePackages } from '../tools/debian-packages.ts';
import { longTag } from '../tools/suites.ts';
import { picoData } from './pico-data.ts';

export interface TriedEngine {
  readonly name: string;
  /** With a limit for each part, in milliseconds; default: the usual one. */
  readonly start: (options?: { readonly limitMs: () => number }) => SpeechEngine;
  /** Why it cannot be tried on this machine; null: it can. */
  readonly missing: string | null;
  /** Of tests that a person need not wait for with it: a played program is a start of Node for each part. */
  readonly tagsOfMore: readonly string[];
}

/** On Debian, root installs what is missing. */
export async function missingPackage(name: string, isThere: () => Promise<unknown>): Promise<string | null> {
  if ((await isThere()) !== null) return null;
  const lack = await ensurePackages([[name]], () => undefined);
  return (await isThere()) === null ? (lack ?? `${name} is not on this machine; install it`) : null;
}

/** `say` and Windows PowerShell, played. */
const recorded = fileURLToPath(new URL('../fakes/recorded-speech.ts', import.meta.url));
const notRecorded = process.platform === 'win32' ? 'Windows does not run scripts by their first line' : null;

export const pico = await picoData();

/** With the data that is here. */
export function startPico(options?: { readonly limitMs: () => number }): PicoEngine {
  return new PicoEngine({ ...options, ...('folder' in pico ? { folders: [pico.folder] } : {}) });
}

export const triedEngines: readonly TriedEngine[] = [
  { name: 'fake', start: (options) => new FakeSpeechEngine(options), missing: null, tagsOfMore: [] },
  { name: 'flite', start: (options) => new FliteEngine(options), missing: null, tagsOfMore: [] },
  {
    name: 'pico',
    start: startPico,
    missing: 'missing' in pico ? pico.missing : null,
    tagsOfMore: [],
  },
  {
    name: 'espeak-ng',
    start: (options) => new ProgramEngine(espeakProgram, options),
    missing: await missingPackage('espeak-ng', espeakProgram.find),
    tagsOfMore: [],
  },
  {
    name: 'windows, as documented',
    start: (options) => new ProgramEngine(windowsProgramOf(recorded), options),
    missing: notRecorded,
    tagsOfMore: [longTag],
  },
  {
    name: 'say, as documented',
    start: (options) => new ProgramEngine(sayProgram(recorded, recorded), options),
    missing: notRecorded,
    tagsOfMore: [longTag],
  },
];
