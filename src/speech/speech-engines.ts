import type { SpeechEngine } from '../core/speech/speaker.ts';
import { espeakProgram } from './espeak-program.ts';
import { FliteEngine } from './flite-engine.ts';
import { PicoEngine } from './pico-engine.ts';
import { PiperEngine } from './piper-engine.ts';
import { ProgramEngine } from './program-engine.ts';
import { sayProgram } from './say-program.ts';
import { windowsProgramOf } from './windows-program.ts';
import type { VoicePackFolder } from './voice-pack-folder.ts';

/**
 * The engines of this machine, in the order in which they are asked for a language: voices that were installed, what is built in, what
 * the system has. An engine that is not there has no voices.
 */
// see decisions/speech-made-beforehand.md
export function speechEngines(packs: VoicePackFolder): readonly SpeechEngine[] {
  return [
    new PiperEngine(packs),
    new FliteEngine(),
    new PicoEngine(),
    ...(process.platform === 'win32' ? [new ProgramEngine(windowsProgramOf())] : []),
    new ProgramEngine(espeakProgram),
    ...(process.platform === 'darwin' ? [new ProgramEngine(sayProgram())] : []),
  ];
}
