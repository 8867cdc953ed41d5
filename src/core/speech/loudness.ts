/**
 * How loud a sound is, and making speech as loud as other speech: -16 LUFS, and no sample over -1 dBFS.
 *
 * No library: those that exist are bound to the Web Audio API or to another language; it is two filters and two gates.
 * Start at `levelled`.
 */
import type { Sound } from '../recording/sound.ts';
import { invariant } from '../unreachable.ts';

export const speechLufs = -16;
export const highestPeak = decibels(-1);

/** What is softer is no voice: an engine that gave silence, with a little noise. */
const softestLufs = -55;

/** Blocks of ITU-R BS.1770-5, annex 1: 400 ms, each beginning 100 ms after the one before. */
const stepSeconds = 0.1;
const stepsOfBlock = 4;
const absoluteGate = -70;
const relativeGate = -10;

/** The factor for so many decibels. */
function decibels(db: number): number {
  return 10 ** (db / 20);
}

/**
 * Work that lets other work go on in between: a minute of sound takes longer than anything that runs beside a call may be held up.
 * Whoever drives it waits a turn after each step.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** A few milliseconds of work. */
const samplesOfStep = 32_768;

/** `work` must not change a number of its surroundings for each sample: that would be an allocation. It carries numbers in an array. */
function* eachPlace(length: number, work: (from: number, to: number) => void): Steps<void> {
  for (let from = 0; from < length; from += samplesOfStep) {
    work(from, Math.min(length, from + samplesOfStep));
    yield;
  }
}

/**
 * The integrated loudness in LUFS (ITU-R BS.1770-5); null for silence.
 *
 * Of one channel: a sine of 997 Hz that reaches 0 dBFS has -3.01. What is shorter than a block is measured as one.
 */
export function* loudnessOf({ samples, rate }: Sound): Steps<number | null> {
  const blocks = blockPowers(yield* weighted(samples, rate), rate);
  const heard = blocks.filter((power) => lufsOf(power) > absoluteGate);
  if (heard.length === 0) return null;
  const gate = lufsOf(meanOf(heard)) + relativeGate;
  return lufsOf(meanOf(heard.filter((power) => lufsOf(power) > gate)));
}

/** The highest sample, without its sign. */
export function peakOf({ samples }: Sound): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

/**
 * At the loudness of speech, with its peaks held down; null for silence and what is hardly more.
 *
 * The limiter takes away some of what the gain gives, so the rest is given again, twice at most.
 */
export function* levelled(sound: Sound): Steps<Sound | null> {
  let gainDb = 0;
  let made = sound;
  for (let round = 0; round < 3; round += 1) {
    const lufs = yield* loudnessOf(made);
    if (lufs === null || (round === 0 && lufs < softestLufs)) return null;
    if (round > 0 && Math.abs(speechLufs - lufs) < 0.1) break;
    gainDb += speechLufs - lufs;
    const amplified = yield* scaled(sound, decibels(gainDb));
    made = yield* limited(amplified, highestPeak);
  }
  return made;
}

function* scaled({ samples, rate }: Sound, factor: number): Steps<Sound> {
  const made = new Float32Array(samples.length);
  yield* eachPlace(samples.length, (from, to) => {
    for (let place = from; place < to; place += 1) made[place] = (samples[place] ?? 0) * factor;
  });
  return { samples: made, rate };
}

const lookAheadSeconds = 0.005;
const releaseSeconds = 0.08;

/**
 * A limiter that looks ahead: its gain is low enough when a peak comes, and has come there and goes back without a step.
 *
 * The gain of a sample is the mean of the gains needed within the time before it, each the lowest of what comes within the same time
 * after. All that are averaged have the sample in view, so none is too high for it.
 */
export function* limited({ samples, rate }: Sound, highest: number): Steps<Sound> {
  const ahead = Math.max(1, Math.round(rate * lookAheadSeconds));
  const release = 1 - Math.exp(-1 / (rate * releaseSeconds));
  const gains = new Float32Array(samples.length);
  yield* eachPlace(samples.length, (from, to) => {
    for (let place = from; place < to; place += 1)
      gains[place] = highest / Math.max(Math.abs(samples[place] ?? 0), highest);
  });
  const needed = yield* lowestAhead(gains, ahead);
  const carried = new Float64Array([1]);
  yield* eachPlace(needed.length, (from, to) => {
    let last = carried[0] ?? 1;
    for (let place = from; place < to; place += 1) {
      last = Math.min(needed[place] ?? 1, last + (1 - last) * release);
      needed[place] = last;
    }
    carried[0] = last;
  });
  const made = new Float32Array(samples.length);
  const before = needed[0] ?? 1; // before the first sample it is that of the first
  carried[0] = before * (ahead + 1);
  yield* eachPlace(samples.length, (from, to) => {
    let sum = carried[0] ?? 0;
    for (let place = from; place < to; place += 1) {
      const left = place > ahead ? (needed[place - ahead - 1] ?? before) : before;
      sum += (needed[place] ?? 1) - left;
      made[place] = clamped((samples[place] ?? 0) * (sum / (ahead + 1)), highest);
    }
    carried[0] = sum;
  });
  return { samples: made, rate };
}

/** Rounding only: the gain itself is never too high. */
function clamped(sample: number, highest: number): number {
  return Math.max(-highest, Math.min(highest, sample));
}

/** For each place the lowest from it to `ahead` places after it: a queue of candidates, each lower than the one before it. */
function* lowestAhead(gains: Float32Array, ahead: number): Steps<Float64Array> {
  const lowest = new Float64Array(gains.length);
  const queue = new Int32Array(gains.length);
  const ends = new Int32Array(2);
  yield* eachPlace(gains.length, (from, to) => {
    let [first = 0, end = 0] = ends;
    for (let place = gains.length - 1 - from; place >= gains.length - to; place -= 1) {
      const gain = gains[place] ?? 1;
      while (end > first && (gains[queue[end - 1] ?? 0] ?? 1) >= gain) end -= 1;
      queue[end] = place;
      end += 1;
      if ((queue[first] ?? 0) > place + ahead) first += 1;
      lowest[place] = gains[queue[first] ?? 0] ?? 1;
    }
    ends.set([first, end]);
  });
  return lowest;
}

/** The mean power of each block; of the whole, where there is less than one. */
function blockPowers(samples: Float64Array, rate: number): readonly number[] {
  const step = Math.round(rate * stepSeconds);
  invariant(step > 0, 'a sound has at least 10 samples a second');
  const steps = Array.from({ length: Math.floor(samples.length / step) }, (_, nth) =>
    powerOf(samples.subarray(nth * step, (nth + 1) * step)),
  );
  if (steps.length < stepsOfBlock) return samples.length === 0 ? [] : [powerOf(samples)];
  return steps.slice(stepsOfBlock - 1).map((_, nth) => meanOf(steps.slice(nth, nth + stepsOfBlock)));
}

function powerOf(samples: Float64Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return sum / samples.length;
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function lufsOf(power: number): number {
  return -0.691 + 10 * Math.log10(power);
}

/**
 * K-weighted, for any rate: a shelf for the head, then a high pass.
 *
 * The standard has the coefficients for 48 kHz only. These are the analog filters behind them (frequency, gain and quality as in
 * libebur128), which the bilinear transform brings to the rate.
 */
function* weighted(samples: Float32Array, rate: number): Steps<Float64Array> {
  const shelved = yield* filtered(samples, headShelf(rate));
  return yield* filtered(shelved, highPass(rate), shelved);
}

interface Biquad {
  /** For the sample itself and the two before it. */
  readonly forward: readonly [number, number, number];
  /** For the two results before it. */
  readonly back: readonly [number, number];
}

function headShelf(rate: number): Biquad {
  const [frequency, gainDb, quality] = [1681.974450955533, 3.999843853973347, 0.7071752369554196];
  const k = Math.tan((Math.PI * frequency) / rate);
  const high = decibels(gainDb);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / quality + k * k;
  return {
    forward: [
      (high + (band * k) / quality + k * k) / a0,
      (2 * (k * k - high)) / a0,
      (high - (band * k) / quality + k * k) / a0,
    ],
    back: [(2 * (k * k - 1)) / a0, (1 - k / quality + k * k) / a0],
  };
}

function highPass(rate: number): Biquad {
  const [frequency, quality] = [38.13547087602444, 0.5003270373238773];
  const k = Math.tan((Math.PI * frequency) / rate);
  const a0 = 1 + k / quality + k * k;
  return { forward: [1, -2, 1], back: [(2 * (k * k - 1)) / a0, (1 - k / quality + k * k) / a0] };
}

function* filtered(
  samples: Float32Array | Float64Array,
  { forward, back }: Biquad,
  made: Float64Array = new Float64Array(samples.length),
): Steps<Float64Array> {
  const [b0, b1, b2] = forward;
  const [a1, a2] = back;
  const past = new Float64Array(4);
  yield* eachPlace(samples.length, (from, to) => {
    let [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = past;
    for (let place = from; place < to; place += 1) {
      const x = samples[place] ?? 0;
      const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      made[place] = y;
    }
    past.set([x1, x2, y1, y2]);
  });
  return made;
}
