/** Audio as numbers: one channel, samples from -1 to 1, so many a second. */
export interface Sound {
  readonly samples: Float32Array;
  /** Samples in a second. */
  readonly rate: number;
}

/** The same as a microphone or a decoder gives it: the samples of each channel. */
export interface Channels {
  readonly samples: readonly Float32Array<ArrayBuffer>[];
  readonly rate: number;
}

/** All channels as one, at the loudness of the middle. */
export function mixed({ samples: channels, rate }: Channels): Sound {
  const [only] = channels;
  if (only !== undefined && channels.length === 1) return { samples: only, rate };
  const samples = new Float32Array(only?.length ?? 0);
  for (const channel of channels)
    for (let place = 0; place < samples.length; place += 1)
      samples[place] = (samples[place] ?? 0) + (channel[place] ?? 0) / channels.length;
  return { samples, rate };
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
