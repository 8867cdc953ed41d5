import type { Sound, SoundSpan } from '../../../core/recording/sound.ts';

/** What is kept of a sound, in whole hundredths of a second: as exact as a hand is. */
export interface Cut {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The step of the handles, in milliseconds. */
export const stepMs = 10;
/** What is left at least. */
const leastMs = 50;

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

/** Moves one end of a cut; it stops before it meets the other. */
export function moveEnd(cut: Cut, end: 'from' | 'to', ms: number, allMs: number): Cut {
  if (end === 'from') return { ...cut, fromMs: Math.max(0, Math.min(ms, cut.toMs - leastMs)) };
  return { ...cut, toMs: Math.min(allMs, Math.max(ms, cut.fromMs + leastMs)) };
}
