import type { Sound, SoundSpan } from '../../../core/recording/sound.ts';

/** What is kept of a sound, in whole hundredths of a second. */
export interface Cut {
  readonly fromMs: number;
  readonly toMs: number;
}

const stepMs = 10;

/** The cut that keeps a part, or all of it. Widened to whole steps, so that nothing found is lost. */
export function cutOf({ samples, rate }: Sound, part: SoundSpan | null): Cut {
  const { from, to } = part ?? { from: 0, to: samples.length };
  return {
    fromMs: Math.floor(((from / rate) * 1000) / stepMs) * stepMs,
    toMs: Math.ceil(((to / rate) * 1000) / stepMs) * stepMs,
  };
}

/** The samples that a cut keeps, at whatever rate the sound has. */
export function spanOf({ samples, rate }: Sound, { fromMs, toMs }: Cut): SoundSpan {
  const placeOf = (ms: number): number => Math.min(samples.length, Math.round((ms / 1000) * rate));
  return { from: placeOf(fromMs), to: placeOf(toMs) };
}
