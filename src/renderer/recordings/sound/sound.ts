/** Audio as numbers: one channel, samples from -1 to 1, so many a second. */
export interface Sound {
  readonly samples: Float32Array;
  /** Samples in a second. */
  readonly rate: number;
}

/** How long it is, in milliseconds. */
export function lengthMs({ samples, rate }: Sound): number {
  return (samples.length / rate) * 1000;
}

/** A part of it, from one sample up to but not including another. */
export function partOf({ samples, rate }: Sound, { from, to }: SoundSpan): Sound {
  return { samples: samples.slice(from, to), rate };
}

/** A part of a sound, by its samples: `to` is the first that is not in it. */
export interface SoundSpan {
  readonly from: number;
  readonly to: number;
}
