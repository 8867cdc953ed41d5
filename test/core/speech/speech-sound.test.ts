import { describe, expect, it } from 'vitest';
import type { Sound } from '../../../src/core/recording/sound.ts';
import { isPlausible, joined, withoutSilence } from '../../../src/core/speech/speech-sound.ts';

const rate = 16_000;

/** A tone, with silence (or a soft noise) before and after. */
function heard(seconds: number, { before = 0, after = 0, noise = 0 } = {}): Sound {
  const at = (nth: number): number => {
    const inTone = nth >= before * rate && nth < (before + seconds) * rate;
    return inTone ? Math.sin(nth / 3) * 0.5 : noise * Math.cos(nth);
  };
  const length = Math.round((before + seconds + after) * rate);
  return { samples: Float32Array.from({ length }, (_, nth) => at(nth)), rate };
}

describe('the silence at the ends', () => {
  it.each([
    [{ before: 0.3, after: 0.6 }, 100, 1200],
    [{ before: 0.3, after: 0.6 }, 0, 1000],
    [{ before: 0.05, after: 0.02 }, 100, 1070],
    [{}, 100, 1000],
    // What an engine has instead of zeros.
    [{ before: 0.3, after: 0.6, noise: 0.0005 }, 100, 1200],
    // A voice that is 40 dB softer is still a voice.
    [{ before: 0.3, after: 0.6, noise: 0.005 }, 100, 1900],
  ])('of %o is cut to %i ms', (silence, keptMs, ms) => {
    const made = withoutSilence(heard(1, silence), keptMs);
    expect(Math.abs((made.samples.length / rate) * 1000 - ms)).toBeLessThanOrEqual(10);
  });

  it('leaves nothing of silence', () => {
    expect(withoutSilence({ samples: new Float32Array(rate), rate }, 100).samples).toHaveLength(0);
    expect(withoutSilence({ samples: new Float32Array(rate).fill(0.009), rate }, 100).samples).toHaveLength(
      0,
    );
  });
});

describe('joined parts', () => {
  it('have silence of the exact length between them', () => {
    const made = joined([heard(0.1), 500, heard(0.2), 150]);
    expect(made?.samples).toHaveLength(rate * 0.95);
    expect(made?.samples.subarray(rate * 0.1, rate * 0.6).every((sample) => sample === 0)).toBe(true);
  });

  it('are nothing where none has a sound', () => {
    expect(joined([500])).toBeNull();
  });
});

describe('a sound', () => {
  const sentence = 'Welcome to Example. For sales, press the key.';

  it.each([
    [sentence, 3, true],
    [sentence, 1.4, true],
    [sentence, 1, false],
    [sentence, 12, false],
    ['A', 0.2, true],
    ['A', 3, false],
    // Seven digits, or a million.
    ['1000000', 0.6, true],
    ['1000000', 4, true],
    ['HTTPS', 2.5, true],
    // So are words without a vowel, by some voices; and some name a bracket.
    ['https', 2.5, true],
    ['www', 2, true],
    ['house', 2.5, false],
    ['(house)', 2.5, true],
  ])('of "%s" in %d seconds is plausible: %o', (text, seconds, plausible) => {
    expect(isPlausible(heard(seconds), text, 1)).toBe(plausible);
  });

  it('may be faster where that was asked for', () => {
    expect(isPlausible(heard(1), sentence, 1.6)).toBe(true);
    expect(isPlausible(heard(7), sentence, 0.5)).toBe(true);
    expect(isPlausible(heard(11), sentence, 1)).toBe(false);
  });

  it('is no voice when it is cut off at the top', () => {
    const clipped = heard(3).samples.map((sample) => Math.max(-1, Math.min(1, sample * 20)));
    expect(isPlausible({ samples: clipped, rate }, sentence, 1)).toBe(false);
  });
});
