import { decodeMuLaw, encodeMuLaw, toInt16 } from '../../../core/recording/wav.ts';
import type { Sound } from '../../../core/recording/sound.ts';

/** Samples a second on a telephone line. */
const telephoneRate = 8_000;
/** What a telephone line carries, in hertz. */
const band = { low: 300, high: 3_400 } as const;

/** A sound as a caller hears it: 8,000 samples a second, 300 to 3,400 Hz, and eight µ-law bits a sample. */
export function telephoneSound(sound: Sound): Sound {
  const narrow = resample(sound, telephoneRate, band.high);
  const samples = highPass(narrow.samples, telephoneRate, band.low).map(overTheLine);
  return { samples, rate: telephoneRate };
}

/** What is left of a sample after eight bits have carried it. */
function overTheLine(sample: number): number {
  return decodeMuLaw(encodeMuLaw(toInt16(sample))) / 32_767;
}

/**
 * Takes out what is lower than an edge, as a telephone line does: a Butterworth filter of the second order.
 *
 * The coefficients are those of the bilinear transform with prewarping, as in the W3C's "Audio EQ Cookbook".
 */
function highPass(samples: Float32Array, rate: number, edgeHz: number): Float32Array {
  const angle = (2 * Math.PI * edgeHz) / rate;
  const alpha = Math.sin(angle) / Math.SQRT2;
  const cosine = Math.cos(angle);
  const scale = 1 + alpha;
  const [b0, b1] = [(1 + cosine) / 2 / scale, -(1 + cosine) / scale];
  const [a1, a2] = [(-2 * cosine) / scale, (1 - alpha) / scale];
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return samples.map((x) => {
    const y = b0 * x + b1 * x1 + b0 * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
}

/** Zero crossings of the kernel on each side: more make a steeper edge. 32 leave less than a thousandth above the band. */
const crossings = 32;

/**
 * The same sound with fewer samples a second, band-limited: what lies above `edgeHz` is taken out first, or it would come
 * back as tones that were never there.
 *
 * A sum over a windowed sinc (Blackman). A browser's own sources interpolate in straight lines, which folds hiss into
 * speech; and this can be tested without one. Kernels are made once for each phase that two whole rates have.
 */
export function resample({ samples, rate }: Sound, wantedRate: number, edgeHz: number): Sound {
  const cutoff = Math.min(edgeHz, rate / 2, wantedRate / 2) / rate; // in cycles a sample
  const reach = Math.ceil(crossings / (2 * cutoff));
  const phases = wantedRate / greatestDivisor(rate, wantedRate);
  const kernels = new Map<number, Float64Array>();
  const length = Math.round((samples.length * wantedRate) / rate);
  const made = new Float32Array(length);
  for (let place = 0; place < length; place += 1) {
    const middle = Math.floor((place * rate) / wantedRate);
    const phase = ((place * rate) % wantedRate) / (wantedRate / phases);
    const kernel = kernels.get(phase) ?? makeKernel(cutoff, reach, phase / phases);
    kernels.set(phase, kernel);
    let sum = 0;
    const first = middle - reach + 1;
    for (let tap = Math.max(0, -first); tap < kernel.length; tap += 1) {
      const at = first + tap;
      if (at >= samples.length) break;
      sum += (samples[at] ?? 0) * (kernel[tap] ?? 0);
    }
    made[place] = sum;
  }
  return { samples: made, rate: wantedRate };
}

/** The weights of the samples around a place that lies `fraction` of a sample after the middle one; together they are 1. */
function makeKernel(cutoff: number, reach: number, fraction: number): Float64Array {
  const kernel = new Float64Array(2 * reach);
  let sum = 0;
  for (let tap = 0; tap < kernel.length; tap += 1) {
    const distance = tap - reach + 1 - fraction;
    const weight = sinc(2 * cutoff * distance) * blackman(distance / reach);
    kernel[tap] = weight;
    sum += weight;
  }
  return kernel.map((weight) => weight / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function blackman(x: number): number {
  return Math.abs(x) >= 1 ? 0 : 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}
