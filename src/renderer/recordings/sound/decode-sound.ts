import type { Sound } from './sound.ts';
import { wavRate } from './wav-rate.ts';

/** What MP3 and Ogg are decoded to: what most of them were made from. */
const usualRate = 44_100;
/** What every browser can decode to, in samples a second. */
const possibleRates = { least: 8_000, most: 96_000 } as const;

/**
 * Decodes an audio file into one channel.
 *
 * Throws an `EncodingError` where the browser cannot decode it; the service may know formats that a browser does not.
 */
export async function decodeSound(file: ArrayBuffer): Promise<Sound> {
  const ownRate = wavRate(file) ?? usualRate;
  const isPossible = ownRate >= possibleRates.least && ownRate <= possibleRates.most;
  const context = new OfflineAudioContext(1, 1, isPossible ? ownRate : usualRate);
  const decoded = await context.decodeAudioData(file.slice(0)); // what it is given is taken away
  return { samples: mixed(decoded), rate: decoded.sampleRate };
}

/** All channels as one, at the loudness of the middle. */
function mixed(decoded: AudioBuffer): Float32Array {
  const samples = new Float32Array(decoded.length);
  for (let channel = 0; channel < decoded.numberOfChannels; channel += 1) {
    const one = decoded.getChannelData(channel);
    for (let place = 0; place < samples.length; place += 1)
      samples[place] = (samples[place] ?? 0) + (one[place] ?? 0) / decoded.numberOfChannels;
  }
  return samples;
}
