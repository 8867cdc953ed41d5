import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sound } from '../../../src/core/recording/sound.ts';
import {
  highestPeak,
  levelled,
  limited,
  loudnessOf,
  peakOf,
  speechLufs,
} from '../../../src/core/speech/loudness.ts';
import { finished } from '../../fixtures/finished.ts';

/** Tones of 1 kHz one after the other, each with its peak in dBFS. */
function tones(
  rate: number,
  parts: readonly (readonly [seconds: number, dbfs: number])[],
  hertz = 1000,
): Sound {
  const samples = new Float32Array(parts.reduce((sum, [seconds]) => sum + Math.round(seconds * rate), 0));
  let place = 0;
  for (const [seconds, dbfs] of parts)
    for (let nth = 0; nth < Math.round(seconds * rate); nth += 1, place += 1)
      samples[place] = 10 ** (dbfs / 20) * Math.sin((2 * Math.PI * hertz * nth) / rate);
  return { samples, rate };
}

/**
 * EBU Tech 3341, table 1, cases 1 to 5: in stereo the first has -23 LUFS. One of two equal channels has 3.01 less, as BS.1770 sums
 * their powers.
 */
const ofTwoChannels = 10 * Math.log10(2);

describe.each([48_000, 16_000, 8000])('the loudness at %i Hz', (rate) => {
  it.each<[string, readonly (readonly [number, number])[], number]>([
    ['a tone of -23 dBFS', [[20, -23]], -23],
    ['a tone of -33 dBFS', [[20, -33]], -33],
    [
      'a tone between softer ones, which the relative gate leaves out',
      [
        [10, -36],
        [60, -23],
        [10, -36],
      ],
      -23,
    ],
    [
      'the same with tones that the absolute gate leaves out',
      [
        [10, -72],
        [10, -36],
        [60, -23],
        [10, -36],
        [10, -72],
      ],
      -23,
    ],
    [
      'three tones that all count',
      [
        [20, -26],
        [20.1, -20],
        [20, -26],
      ],
      -23,
    ],
  ])('is the one that EBU Tech 3341 has for %s', (_, parts, lufs) => {
    const measured = finished(loudnessOf(tones(rate, parts))) ?? 0;
    expect(Math.abs(measured + ofTwoChannels - lufs)).toBeLessThan(0.1);
  });

  it('is -3.01 for a full sine of 997 Hz, as BS.1770 says', () => {
    expect(finished(loudnessOf(tones(rate, [[5, 0]], 997)))).toBeCloseTo(-3.01, 1);
  });

  it('is lower for the bass and higher for the treble of the same level', () => {
    const at = (hertz: number) => finished(loudnessOf(tones(rate, [[5, -20]], hertz))) ?? 0;
    expect(at(50)).toBeLessThan(at(1000) - 3);
    expect(at(3000)).toBeGreaterThan(at(1000) + 2);
  });

  it('is null for silence, and measures what is shorter than a block', () => {
    expect(finished(loudnessOf({ samples: new Float32Array(rate), rate }))).toBeNull();
    expect(finished(loudnessOf({ samples: new Float32Array(0), rate }))).toBeNull();
    expect(finished(loudnessOf(tones(rate, [[0.2, -23]]))) ?? 0).toBeCloseTo(-23 - ofTwoChannels, 0);
  });
});

/** A made-up voice: syllables of noise and tones, with pauses, so loud as asked. */
const voice = fc.record({
  rate: fc.constantFrom(8000, 16_000, 22_050),
  gain: fc.double({ min: 0.05, max: 1, noNaN: true }),
  syllables: fc.array(
    fc.record({
      seconds: fc.double({ min: 0.05, max: 0.3, noNaN: true }),
      level: fc.double({ min: 0.3, max: 1, noNaN: true }),
      hertz: fc.integer({ min: 90, max: 900 }),
      pause: fc.double({ min: 0, max: 0.2, noNaN: true }),
    }),
    { minLength: 3, maxLength: 12 },
  ),
});

function soundOf({ rate, gain, syllables }: typeof voice extends fc.Arbitrary<infer V> ? V : never): Sound {
  const samples = syllables.flatMap(({ seconds, level, hertz, pause }) => [
    ...Array.from({ length: Math.round(seconds * rate) }, (_, nth) => {
      const time = nth / rate;
      const swell = Math.sin((Math.PI * time) / seconds);
      return gain * level * swell * (0.7 * Math.sin(2 * Math.PI * hertz * time) + 0.3 * Math.sin(nth * nth));
    }),
    ...Array.from({ length: Math.round(pause * rate) }, () => 0),
  ]);
  return { samples: Float32Array.from(samples), rate };
}

describe('speech', () => {
  it('gets the same loudness, however loud it was, and no sample above the highest', () => {
    fc.assert(
      fc.property(voice, (spoken) => {
        const sound = soundOf(spoken);
        const made = finished(levelled(sound));
        expect(made?.samples).toHaveLength(sound.samples.length);
        if (made === null) return;
        expect(peakOf(made)).toBeLessThanOrEqual(highestPeak + 1e-6);
        expect(Math.abs((finished(loudnessOf(made)) ?? 0) - speechLufs)).toBeLessThan(1);
      }),
    );
  });

  it('is not made of silence, nor of a noise that is hardly heard', () => {
    expect(finished(levelled({ samples: new Float32Array(16_000), rate: 16_000 }))).toBeNull();
    expect(finished(levelled(tones(16_000, [[1, -60]])))).toBeNull();
  });
});

describe('the limiter', () => {
  it('holds every sound at the highest level', () => {
    fc.assert(
      fc.property(fc.float32Array({ min: -8, max: 8, noNaN: true, maxLength: 600 }), (samples) => {
        expect(peakOf(finished(limited({ samples, rate: 8000 }, 0.5)))).toBeLessThanOrEqual(0.5);
      }),
    );
  });

  it('changes nothing of what is below', () => {
    const sound = tones(16_000, [[1, -6]]);
    expect(finished(limited(sound, 0.6))).toEqual(sound);
  });

  it('lowers the gain before a peak comes and without a step, and raises it slowly after', () => {
    const rate = 16_000;
    const samples = new Float32Array(rate).fill(0.25);
    samples[8000] = 2;
    const made = finished(limited({ samples, rate }, 0.5)).samples;
    expect(made[8000]).toBeCloseTo(0.5, 5);
    const before = made.subarray(7900, 8000);
    expect(before[0]).toBeCloseTo(0.25, 5);
    expect(before.at(-1)).toBeLessThan(0.07);
    expect(made[8200]).toBeLessThan(0.2);
    expect(made[15_999]).toBeGreaterThan(0.249);
    const steps = made.slice(1).map((sample, nth) => Math.abs(sample - (made[nth] ?? 0)));
    expect(Math.max(...steps.subarray(0, 7998))).toBeLessThan(0.01);
  });
});
