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
