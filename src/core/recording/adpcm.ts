/**
 * The two ADPCM codecs of WAV files: four bits a sample, which correct what is expected from the samples before it.
 *
 * Each block begins anew, so a damaged one spoils only itself. The last block of a file may be cut off.
 */
import { viewOf, type WavHead } from './wav-head.ts';

/** Fills one array for each channel. */
export function adpcmSamples(
  data: Uint8Array,
  { codec, blockBytes, channels, coefficients }: WavHead,
  samples: readonly Float32Array[],
): void {
  let nth = 0;
  for (let place = 0; place < data.length; place += blockBytes) {
    const block = data.subarray(place, place + blockBytes);
    if (codec === 'ima_adpcm') nth += imaBlock(block, channels, samples, nth);
    else nth += microsoftBlock(block, coefficients, samples, nth);
  }
}

/** IMA Digital Audio Focus, "Recommended Practices for Enhancing Digital Audio Compatibility", 1992, section 6. */
const imaSteps = [
  7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
  107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724,
  796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026,
  4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500,
  20350, 22385, 24623, 27086, 29794, 32767,
] as const;
const lastImaStep = imaSteps.length - 1;
const imaStepChanges = [-1, -1, -1, -1, 2, 4, 6, 8] as const;

/**
 * A block begins with the first sample and the step of each channel. Then each channel has four bytes in turn, the lower half of
 * a byte first (Microsoft, "New Multimedia Data Types and Data Techniques", 1994). Returns how many samples it had.
 */
function imaBlock(
  block: Uint8Array,
  channels: number,
  samples: readonly Float32Array[],
  start: number,
): number {
  const headBytes = 4 * channels;
  if (block.length < headBytes) return 0;
  const view = viewOf(block);
  let count = 0;
  for (const [channel, one] of samples.entries()) {
    let sample = view.getInt16(channel * 4, true);
    let step = Math.min(lastImaStep, block[channel * 4 + 2] ?? 0);
    let nth = start;
    one[nth++] = sample / 32_768;
    for (let place = headBytes + channel * 4; place < block.length; place += headBytes) {
      const end = channels === 1 ? block.length : place + 4;
      if (end > block.length) break;
      for (let at = place; at < end; at += 1) {
        const byte = block[at] ?? 0;
        for (const code of [byte & 0x0f, byte >> 4]) {
          const size = imaSteps[step] ?? 0;
          const change =
            (size >> 3) + (code & 4 ? size : 0) + (code & 2 ? size >> 1 : 0) + (code & 1 ? size >> 2 : 0);
          sample = within16(code & 8 ? sample - change : sample + change);
          step = Math.max(0, Math.min(lastImaStep, step + (imaStepChanges[code & 7] ?? 0)));
          one[nth++] = sample / 32_768;
        }
      }
      if (channels === 1) break;
    }
    count = nth - start;
  }
  return count;
}

/** Microsoft ADPCM: how the step changes with each code, in 1/256 (the same document). */
const microsoftChanges = [
  230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230,
] as const;
const leastStep = 16;

/**
 * A block begins, for all channels, with the number of the coefficients, the step, and the second and the first sample. Then come
 * the codes, the upper half of a byte first, channels in turn. Returns how many samples it had.
 */
function microsoftBlock(
  block: Uint8Array,
  coefficients: WavHead['coefficients'],
  samples: readonly Float32Array[],
  start: number,
): number {
  const channels = samples.length;
  const headBytes = 7 * channels;
  if (block.length < headBytes) return 0;
  const view = viewOf(block);
  const states = samples.map((one, channel) => {
    const [weight1, weight2] = coefficients[block[channel] ?? 0] ?? [256, 0];
    const pair = (nth: number): number => view.getInt16(channels + (nth * channels + channel) * 2, true);
    const [step, sample1, sample2] = [pair(0), pair(1), pair(2)];
    one[start] = sample2 / 32_768;
    one[start + 1] = sample1 / 32_768;
    return { one, weight1, weight2, step, sample1, sample2 };
  });
  const codes = (block.length - headBytes) * 2;
  for (let nth = 0; nth < codes; nth += 1) {
    const byte = block[headBytes + (nth >> 1)] ?? 0;
    const code = nth % 2 === 0 ? byte >> 4 : byte & 0x0f;
    const state = states[nth % channels];
    if (state === undefined) break;
    const expected = (state.sample1 * state.weight1 + state.sample2 * state.weight2) >> 8;
    const sample = within16(expected + (code & 8 ? code - 16 : code) * state.step);
    state.sample2 = state.sample1;
    state.sample1 = sample;
    state.step = Math.max(leastStep, ((microsoftChanges[code] ?? 0) * state.step) >> 8);
    state.one[start + 2 + Math.floor(nth / channels)] = sample / 32_768;
  }
  return 2 + Math.floor(codes / channels);
}

function within16(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, sample));
}
