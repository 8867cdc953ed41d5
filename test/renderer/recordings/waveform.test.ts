import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlineOf } from '../../../src/renderer/recordings/outline.ts';
import { loudest, peaksOf } from '../../../src/renderer/recordings/sound/find-sound.ts';
import {
  clockWords,
  outlineWords,
  recordedAdvice,
  sizeWords,
} from '../../../src/renderer/recordings/sound-words.ts';
import { wavePath } from '../../../src/renderer/recordings/waveform.tsx';
import { together, tone } from './tones.ts';

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

describe('a sound in words', () => {
  it('says how long it is, where it sounds and how loud', () => {
    const sound = together(tone(0, 500), tone(440, 1000), tone(0, 500));
    expect(outlineWords(outlineOf(sound))).toBe(
      'Waveform: 0:02.0 long, sound from 0:00.5 to 0:01.5, of good loudness.',
    );
    expect(outlineWords(outlineOf(tone(440, 300, { loud: 0.03 })))).toContain('quiet');
    expect(outlineWords(outlineOf(tone(440, 300, { loud: 1 })))).toContain('as loud as can be');
    expect(outlineWords(outlineOf(tone(0, 300)))).toBe('Waveform: 0:00.3 long, silent throughout.');
  });

  it.each([
    [0, '0:00', '0:00.0'],
    [999, '0:01', '0:01.0'],
    [59_960, '1:00', '1:00.0'],
    [61_240, '1:01', '1:01.2'],
    [600_000, '10:00', '10:00.0'],
  ])('tells %d ms as a clock does', (ms, seconds, tenths) => {
    expect([clockWords(ms), clockWords(ms, 'tenths')]).toEqual([seconds, tenths]);
  });

  it.each([
    [1, '1 byte'],
    [999, '999 bytes'],
    [1500, '2 kB'],
    [999_499, '999 kB'],
    [999_500, '1.0 MB'],
    [20_971_520, '21.0 MB'],
  ])('tells %d bytes as a person does', (bytes, words) => {
    expect(sizeWords(bytes)).toBe(words);
  });

  it('advises to record again what nobody could hear, and what is distorted', () => {
    expect(recordedAdvice(0.005)).toContain('Almost nothing was heard');
    expect(recordedAdvice(0.3)).toBeNull();
    expect(recordedAdvice(1)).toContain('too loud');
  });
});
