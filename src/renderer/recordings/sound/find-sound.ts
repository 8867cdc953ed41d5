import type { Sound, SoundSpan } from '../../../core/recording/sound.ts';

/** What counts as silence, and how much of it is left around the rest. */
export interface SilenceRule {
  /** The loudest that is silence, measured over a window: 0.01 is 40 dB below the loudest possible. */
  readonly threshold: number;
  /** Left before the first and after the last sound, so that no consonant is cut, in milliseconds. */
  readonly marginMs: number;
}

const usualSilence: SilenceRule = { threshold: 0.01, marginMs: 120 };

/** Over so long loudness is measured, in milliseconds: longer than a click, shorter than a syllable. */
const windowMs = 10;

/**
 * The part of a recording between the silence at its beginning and the silence at its end, or null when all is silent.
 *
 * Loudness is the root of the mean square over 10 ms: a single click of the mouse button that began the recording is no
 * sound, and neither is a constant offset of a cheap microphone, which is taken off first.
 */
export function findSound({ samples, rate }: Sound, rule: SilenceRule = usualSilence): SoundSpan | null {
  const size = Math.max(1, Math.round((rate * windowMs) / 1000));
  const offset = mean(samples);
  let first: number | undefined;
  let end = 0;
  for (let from = 0; from < samples.length; from += size) {
    const to = Math.min(samples.length, from + size);
    if (loudnessOf(samples, { from, to }, offset) <= rule.threshold) continue;
    first ??= from;
    end = to;
  }
  if (first === undefined) return null;
  const margin = Math.round((rate * rule.marginMs) / 1000);
  return { from: Math.max(0, first - margin), to: Math.min(samples.length, end + margin) };
}

function mean(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample;
  return samples.length === 0 ? 0 : sum / samples.length;
}

function loudnessOf(samples: Float32Array, { from, to }: SoundSpan, offset: number): number {
  let sum = 0;
  for (let place = from; place < to; place += 1) sum += ((samples[place] ?? 0) - offset) ** 2;
  return Math.sqrt(sum / (to - from));
}

/** How far a stretch of a sound goes below and above silence. */
export interface Peak {
  readonly low: number;
  readonly high: number;
}

/**
 * The outline of a sound in so many stretches: the lowest and the highest sample of each.
 *
 * Every sample is looked at, so a click of one sample shows. Of fewer samples than stretches some are looked at twice.
 */
export function peaksOf(samples: Float32Array, count: number): readonly Peak[] {
  if (samples.length === 0) return Array.from({ length: count }, () => ({ low: 0, high: 0 }));
  return Array.from({ length: count }, (_, stretch) => {
    const from = Math.floor((stretch * samples.length) / count);
    const to = Math.max(from + 1, Math.floor(((stretch + 1) * samples.length) / count));
    return peakOf(samples, from, to);
  });
}

function peakOf(samples: Float32Array, from: number, to: number): Peak {
  let low = Infinity;
  let high = -Infinity;
  for (let place = from; place < to; place += 1) {
    const sample = samples[place] ?? 0;
    if (sample < low) low = sample;
    if (sample > high) high = sample;
  }
  return { low, high };
}

/** The loudest sample of a sound, from 0 to 1. */
export function loudest(samples: Float32Array): number {
  if (samples.length === 0) return 0;
  const { low, high } = peakOf(samples, 0, samples.length);
  return Math.max(-low, high);
}
