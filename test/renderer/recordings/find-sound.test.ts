import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSound } from '../../../src/renderer/recordings/sound/find-sound.ts';
import { together, tone } from './tones.ts';

const rule = { threshold: 0.01, marginMs: 100 };
const silence = (ms: number) => tone(0, ms);

describe('the silence around a recording', () => {
  it('is found at both ends, with a margin left', () => {
    const sound = together(silence(500), tone(440, 1000), silence(700));
    expect(findSound(sound, rule)).toEqual({ from: 3200, to: 12_800 }); // 400 ms and 1,600 ms at 8,000 a second
  });

  it('within the recording is a part of it', () => {
    const sound = together(silence(500), tone(440, 200), silence(2000), tone(440, 200), silence(500));
    expect(findSound(sound, rule)).toEqual({ from: 3200, to: 24_000 });
  });

  it('is none where the sound begins and ends with the file', () => {
    expect(findSound(tone(440, 300), rule)).toEqual({ from: 0, to: 2400 });
  });

  it('is all of it when nothing was said', () => {
    expect(findSound(silence(300), rule)).toBeNull();
    expect(findSound(silence(0), rule)).toBeNull();
    expect(findSound(tone(440, 300, { loud: 0.01 }), rule)).toBeNull();
  });

  it('goes over a click of a single sample', () => {
    const click = silence(1000);
    click.samples[100] = 0.08;
    expect(findSound(together(click, tone(440, 300)), rule)?.from).toBe(7200);
  });

  it('goes over the constant offset of a cheap microphone', () => {
    const sound = together(silence(500), tone(440, 1000), silence(700));
    const offset = { ...sound, samples: sound.samples.map((sample) => sample + 0.1) };
    expect(findSound(offset, rule)).toEqual(findSound(sound, rule));
  });

  it('never takes away a stretch that is louder than the threshold', () => {
    fc.assert(
      fc.property(
        fc.nat(900),
        fc.integer({ min: 40, max: 400 }),
        fc.nat(900),
        fc.nat(200),
        (before, ms, after, marginMs) => {
          const found = findSound(together(silence(before), tone(500, ms), silence(after)), {
            ...rule,
            marginMs,
          })!;
          const all = 8 * (before + ms + after);
          // To one window: 10 ms are 80 samples.
          expect(found.from).toBeLessThanOrEqual(8 * before);
          expect(found.from).toBeGreaterThanOrEqual(Math.max(0, 8 * (before - marginMs) - 80));
          expect(found.to).toBeGreaterThanOrEqual(8 * (before + ms) - 80);
          expect(found.to).toBeLessThanOrEqual(Math.min(all, 8 * (before + ms + marginMs) + 80));
        },
      ),
    );
  });
});
