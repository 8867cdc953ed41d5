import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loudest, peaksOf } from '../../../src/renderer/recordings/sound/find-sound.ts';
import { wavePath } from '../../../src/renderer/recordings/play-bar.tsx';

describe('the peaks of a sound', () => {
  it('are the lowest and the highest sample of each stretch', () => {
    const samples = Float32Array.from([0, 0.5, -0.25, 0.25, 0.75, -1]);
    expect(peaksOf(samples, 3)).toEqual([
      { low: 0, high: 0.5 },
      { low: -0.25, high: 0.25 },
      { low: -1, high: 0.75 },
    ]);
  });

  it('are as many as are asked for, of fewer samples too', () => {
    expect(peaksOf(Float32Array.from([0.5]), 3)).toEqual(Array(3).fill({ low: 0.5, high: 0.5 }));
    expect(peaksOf(new Float32Array(), 2)).toEqual(Array(2).fill({ low: 0, high: 0 }));
  });

  it('miss no sample', () => {
    const samples = fc.float32Array({ min: -1, max: 1, noNaN: true, minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 60 }), (all, count) => {
        const peaks = peaksOf(all, count);
        expect(peaks).toHaveLength(count);
        expect(Math.max(...peaks.map(({ high }) => high))).toBe(Math.max(...all));
        expect(Math.min(...peaks.map(({ low }) => low))).toBe(Math.min(...all));
        expect(loudest(all)).toBe(Math.max(...all.map(Math.abs)));
      }),
    );
  });
});

describe('the drawing of a waveform', () => {
  it('has a bar from the highest to the lowest of each stretch', () => {
    expect(
      wavePath(
        [
          { low: -1, high: 1 },
          { low: -0.5, high: 0.25 },
        ],
        0,
        2,
      ),
    ).toBe('M0.5 0V100M1.5 37.5V75');
  });

  it('draws silence as a line', () => {
    expect(wavePath([{ low: 0, high: 0 }], 0, 1)).toBe('M0.5 49V51');
  });

  it('draws a part in its own place', () => {
    const peaks = Array.from({ length: 4 }, () => ({ low: 0, high: 0 }));
    expect(wavePath(peaks, 2, 3)).toBe('M2.5 49V51');
    expect(wavePath(peaks, 2, 2)).toBe('');
  });
});
