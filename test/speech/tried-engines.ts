/** Every engine that the suites of this folder try, and why one of them cannot be tried here. */
import type { SpeechEngine } from '../../src/core/speech/speaker.ts';
import { espeakProgram } from '../../src/speech/espeak-program.ts';
import { FliteEngine } from '../../src/speech/flite-engine.ts';
import { ProgramEngine } from '../../src/speech/program-engine.ts';
import { FakeSpeechEngine } from '../fakes/fake-speech-engine.ts';
import { ensurePackages } from '../tools/debian-packages.ts';

export interface TriedEngine {
  readonly name: string;
  /** With a limit for each part, in milliseconds; default: the usual one. */
  readonly start: (options?: { readonly limitMs: () => number }) => SpeechEngine;
  /** Why it cannot be tried on this machine; null: it can. */
  readonly missing: string | null;
}

/** On Debian, root installs what is missing. */
async function missingPackage(name: string, isThere: () => Promise<unknown>): Promise<string | null> {
  if ((await isThere()) !== null) return null;
  const lack = await ensurePackages([[name]], () => undefined);
  return (await isThere()) === null ? (lack ?? `${name} is not on this machine; install it`) : null;
}

export const triedEngines: readonly TriedEngine[] = [
  { name: 'fake', start: (options) => new FakeSpeechEngine(options), missing: null },
  { name: 'flite', start: (options) => new FliteEngine(options), missing: null },
  {
    name: 'espeak-ng',
    start: (options) => new ProgramEngine(espeakProgram, options),
    missing: await missingPackage('espeak-ng', espeakProgram.find),
  },
];
