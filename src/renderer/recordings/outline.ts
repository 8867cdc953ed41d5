import { findSound, loudest, type Peak, peaksOf } from './sound/find-sound.ts';
import { lengthMs, type Sound } from '../../core/recording/sound.ts';

/** What is drawn and said of a sound without having all of it at hand. */
export interface Outline {
  readonly peaks: readonly Peak[];
  readonly lengthMs: number;
  /** Where the silence at the beginning ends and the one at the end begins; null when all is silent. */
  readonly sound: { readonly fromMs: number; readonly toMs: number } | null;
  /** From 0 to 1. */
  readonly loudest: number;
}

/** As many bars as a waveform has, in a row and in a dialog. */
const barCount = 160;

export function outlineOf(sound: Sound): Outline {
  const found = findSound(sound, { threshold: 0.01, marginMs: 0 });
  const toMs = (place: number): number => (place / sound.rate) * 1000;
  return {
    peaks: peaksOf(sound.samples, barCount),
    lengthMs: lengthMs(sound),
    sound: found && { fromMs: toMs(found.from), toMs: toMs(found.to) },
    loudest: loudest(sound.samples),
  };
}
