/**
 * Makes the audio of a text from what an engine gave, in a worker of Node: a text of a minute takes longer than a running call may be held
 * up. It gets samples and gives samples, and reads and writes nothing.
 */
import { parentPort } from 'node:worker_threads';
import { lengthMs, type Sound } from '../core/recording/sound.ts';
import { encodeWav } from '../core/recording/wav.ts';
import { levelled } from '../core/speech/loudness.ts';
import { isPlausible, joined, silenceAtEndsMs, withoutSilence } from '../core/speech/speech-sound.ts';
import { invariant } from '../core/unreachable.ts';

/** What an engine gave for words. */
export interface SpokenWords {
  readonly text: string;
  readonly rate: number;
  readonly sound: Sound;
  /** Whether a length that is odd for the text is taken: a person has heard it. */
  readonly isAnyTaken: boolean;
}

/** All parts of a text, with the pauses between them in milliseconds. */
export type SoundOrder = readonly (SpokenWords | number)[];

export type SoundAnswer =
  | { readonly kind: 'made'; readonly wav: Uint8Array<ArrayBuffer>; readonly durationMs: number }
  /** The sound of a part cannot be these words. */
  | { readonly kind: 'odd'; readonly text: string; readonly reason: 'silent' | 'implausible' }
  /** All of it is no more than noise. */
  | { readonly kind: 'silent' };

invariant(parentPort !== null, 'this is a worker');
const port = parentPort;

port.on('message', (order: SoundOrder) => {
  const answer = answerTo(order);
  // Handed over instead of being copied.
  port.postMessage(answer, answer.kind === 'made' ? [answer.wav.buffer] : []);
});

function answerTo(order: SoundOrder): SoundAnswer {
  const parts: (Sound | number)[] = [];
  for (const part of order) {
    if (typeof part === 'number') {
      parts.push(part);
      continue;
    }
    // Without the silence at its ends, so that a pause has its exact length.
    const sound = withoutSilence(part.sound, 0);
    const { text, rate, isAnyTaken } = part;
    if (sound.samples.length === 0) return { kind: 'odd', text, reason: 'silent' };
    if (!isAnyTaken && !isPlausible(sound, text, rate)) return { kind: 'odd', text, reason: 'implausible' };
    parts.push(sound);
  }
  const whole = joined([silenceAtEndsMs, ...parts, silenceAtEndsMs]);
  const sound = whole === null ? null : finished(levelled(whole));
  if (sound === null) return { kind: 'silent' };
  return { kind: 'made', wav: encodeWav(sound), durationMs: Math.round(lengthMs(sound)) };
}

/** Nothing else waits here. */
function finished<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
