import { describe, expect, it } from 'vitest';
import { cutOf, spanOf } from '../../../src/renderer/recordings/sound/cut.ts';
import { tone } from './tones.ts';

const sound = tone(440, 2000); // 16,000 samples
const all = cutOf(sound, null);

describe('what is cut off a recording', () => {
  it('is nothing at first', () => {
    expect(all).toEqual({ fromMs: 0, toMs: 2000 });
    expect(spanOf(sound, all)).toEqual({ from: 0, to: 16_000 });
  });

  it('is what was found, less up to a hundredth of a second at each end', () => {
    const cut = cutOf(sound, { from: 4001, to: 8001 });
    expect(cut).toEqual({ fromMs: 500, toMs: 1010 });
    expect(spanOf(sound, cut)).toEqual({ from: 4000, to: 8080 });
  });

  it('is the same part of the same sound at another rate', () => {
    const cut = { fromMs: 500, toMs: 1010 };
    expect(spanOf(tone(440, 2000, { rate: 44_100 }), cut)).toEqual({ from: 22_050, to: 44_541 });
  });
});
