import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeMuLaw, encodeMuLaw } from '../../../src/core/recording/wav.ts';
import { resample, telephoneSound } from '../../../src/renderer/recordings/sound/telephone-sound.ts';
import { loudnessAt, together, tone } from './tones.ts';

describe('µ-law', () => {
  // G.711's own table, on the scale of 16 bits: the ends of the scale, both zeros, and steps between.
  it.each([
    [0, 0xff],
    [32_124, 0x80],
    [-32_124, 0x00],
    [8, 0xfe],
    [-8, 0x7e],
    [1000, 0xce],
    [-1000, 0x4e],
  ])('writes %d as it stands in G.711', (sample, code) => {
    expect(encodeMuLaw(sample)).toBe(code);
  });

  it('has 255 values, in order, and brings each back as it is', () => {
    const values = Array.from({ length: 256 }, (_, code) => decodeMuLaw(code) + 0);
    expect(new Set(values).size).toBe(255); // two codes are silence
    expect(Math.max(...values)).toBe(32_124);
    expect(Math.min(...values)).toBe(-32_124);
    for (const value of values) expect(decodeMuLaw(encodeMuLaw(value)) + 0).toBe(value);
  });

  it('is off by a sixteenth of a sample at most, by 4 near silence, and keeps the sign', () => {
    fc.assert(
      fc.property(fc.integer({ min: -32_635, max: 32_635 }), (sample) => {
        const back = decodeMuLaw(encodeMuLaw(sample));
        expect(Math.abs(back - sample)).toBeLessThanOrEqual(4 + Math.abs(sample) / 16);
        expect(back * sample).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe('fewer samples a second', () => {
  it.each([48_000, 44_100, 22_050, 16_000])(
    'make as long a sound of the same pitch and loudness, from %d',
    (rate) => {
      const fewer = resample(tone(1000, 500, { rate }), 8_000, 3_400);
      expect(fewer.rate).toBe(8_000);
      expect(fewer.samples).toHaveLength(4000);
      expect(loudnessAt(fewer, 1000)).toBeCloseTo(0.5, 3);
    },
  );

  it('fold nothing from above the band into it', () => {
    // 7,000 Hz in 8,000 samples a second would come back as 1,000 Hz.
    const fewer = resample(tone(7000, 500, { rate: 48_000 }), 8_000, 3_400);
    expect(loudnessAt(fewer, 1000)).toBeLessThan(0.001);
    expect(Math.max(...fewer.samples.slice(500, 3500))).toBeLessThan(0.001);
  });

  it('keep a constant as it is', () => {
    const flat = { samples: new Float32Array(4410).fill(0.25), rate: 44_100 };
    for (const sample of resample(flat, 8_000, 3_400).samples.slice(60, -60))
      expect(sample).toBeCloseTo(0.25, 5);
  });

  it('of nothing are nothing', () => {
    expect(resample({ samples: new Float32Array(), rate: 44_100 }, 8_000, 3_400).samples).toHaveLength(0);
  });
});

describe('a sound on the telephone', () => {
  const all = [100, 1000, 3000, 6000];
  const wide = tone(0, 1000, { rate: 44_100 });
  for (const hertz of all) {
    const { samples } = tone(hertz, 1000, { rate: 44_100, loud: 0.2 });
    for (const [place, sample] of samples.entries()) wide.samples[place]! += sample;
  }
  const line = telephoneSound(wide);

  it('has 8,000 samples a second', () => {
    expect([line.rate, line.samples.length]).toEqual([8_000, 8_000]);
  });

  it('keeps speech and loses what is lower and higher', () => {
    expect(loudnessAt(line, 1000)).toBeGreaterThan(0.18);
    expect(loudnessAt(line, 3000)).toBeGreaterThan(0.18);
    expect(loudnessAt(line, 100)).toBeLessThan(0.03);
    expect(loudnessAt(line, 2000)).toBeLessThan(0.005); // where 6,000 Hz would be folded to
  });

  it('has only the 255 values of the line', () => {
    const values = new Set(
      Array.from({ length: 256 }, (_, code) => Math.fround(decodeMuLaw(code) / 32_767) + 0),
    );
    for (const sample of line.samples) expect(values.has(sample + 0)).toBe(true);
  });

  it('of one that has gone over the line is as long and as loud again', () => {
    const again = telephoneSound(line);
    expect(again.samples).toHaveLength(8_000);
    expect(loudnessAt(again, 1000)).toBeGreaterThan(0.17);
  });

  it('of silence is silence', () => {
    expect(telephoneSound(together(tone(0, 100))).samples.every((sample) => sample === 0)).toBe(true);
  });
});
