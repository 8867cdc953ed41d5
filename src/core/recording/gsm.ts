/**
 * GSM 06.10 full rate (ETSI EN 300 961), as WAV files have it: what Asterisk writes as `.WAV` and voice recorders as "GSM 6.10".
 *
 * The decoder of section 5.3, in its 16-bit arithmetic, because the samples are exactly specified and each depends on the ones
 * before. A frame has 260 bits and makes 160 samples: eight reflection coefficients of the vocal tract, and for each quarter a
 * delay, an amplification and thirteen pulses. A WAV file has two frames in 65 bytes, their bits from the lowest on.
 */
const frameSamples = 160;
const quarterSamples = 40;
const pairBytes = 65;
const pulses = 13;
/** The longest delay of the long-term filter. */
const longestDelay = 120;

/** Bits of the eight coefficients, and what decodes them: their offset, smallest value and scale (table 5.2). */
const coefficientBits = [6, 6, 5, 5, 4, 4, 3, 3] as const;
const offsets = [0, 0, 2048, -2560, 94, -1792, -341, -1144] as const;
const smallest = [-32, -32, -16, -16, -8, -8, -4, -4] as const;
const scales = [13_107, 13_107, 13_107, 13_107, 19_223, 17_476, 31_454, 29_708] as const;
/** Amplifications of the long-term filter (table 5.3), and of the pulses (table 5.6). */
const amplifications = [3277, 11_469, 21_299, 32_767] as const;
const factors = [18_431, 20_479, 22_527, 24_575, 26_623, 28_671, 30_719, 32_767] as const;

/** Fills the array of the only channel, 320 samples for each whole 65 bytes. */
export function gsmSamples(data: Uint8Array, [samples]: readonly Float32Array[]): void {
  if (samples === undefined) return;
  const decoder = new GsmDecoder();
  let place = 0;
  for (let at = 0; at + pairBytes <= data.length; at += pairBytes) {
    const bits = lowestFirst(data.subarray(at, at + pairBytes));
    for (const _half of [1, 2]) {
      decoder.decode(bits, samples, place);
      place += frameSamples;
    }
  }
}

type Bits = (count: number) => number;

function lowestFirst(bytes: Uint8Array): Bits {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let bit = 0; bit < count; bit += 1, at += 1)
      value |= (((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) << bit;
    return value;
  };
}

class GsmDecoder {
  /** What excites the vocal tract: the past that delays reach back to, and then the quarter that is being made. */
  readonly #excitation = new Int16Array(longestDelay + quarterSamples);
  #delay = quarterSamples;
  #areas = new Int16Array(8);
  readonly #lattice = new Int16Array(9);
  #last = 0;

  /** Decodes one frame to `samples`, from `place` on. */
  decode(bits: Bits, samples: Float32Array, place: number): void {
    const before = this.#areas;
    this.#areas = Int16Array.from(coefficientBits, (count, nth) => areaOf(bits(count), nth));
    const frame = new Int16Array(frameSamples);
    for (let quarter = 0; quarter < 4; quarter += 1) {
      frame.set(this.#excite(bits), quarter * quarterSamples);
    }
    const blends: readonly [from: number, to: number, blend: (old: number, now: number) => number][] = [
      [0, 13, (old, now) => add(add(old >> 2, now >> 2), old >> 1)],
      [13, 27, (old, now) => add(old >> 1, now >> 1)],
      [27, 40, (old, now) => add(add(old >> 2, now >> 2), now >> 1)],
      [40, frameSamples, (_old, now) => now],
    ];
    for (const [from, to, blend] of blends) {
      const reflections = this.#areas.map((now, nth) => reflectionOf(blend(before[nth] ?? 0, now)));
      for (let nth = from; nth < to; nth += 1) {
        samples[place + nth] = this.#deemphasized(this.#filtered(reflections, frame[nth] ?? 0)) / 32_768;
      }
    }
  }

  /** Sections 5.2.15 to 5.2.17 and 5.3.2: the pulses of a quarter, added to the delayed past. */
  #excite(bits: Bits): Int16Array {
    const [delay, amplification, grid, largest] = [bits(7), bits(2), bits(2), bits(6)];
    const { exponent, mantissa } = blockSize(largest);
    const shift = 6 - exponent;
    const half = shifted(1, shift - 1);
    const sounds = new Int16Array(quarterSamples);
    for (let nth = 0; nth < pulses; nth += 1) {
      const pulse = multiply(factors[mantissa] ?? 0, ((bits(3) << 1) - 7) << 12);
      sounds[grid + 3 * nth] = shifted(add(pulse, half), -shift);
    }
    if (delay >= quarterSamples && delay <= longestDelay) this.#delay = delay;
    const past = this.#excitation;
    const strength = amplifications[amplification] ?? 0;
    for (let nth = 0; nth < quarterSamples; nth += 1) {
      const at = longestDelay + nth;
      past[at] = add(sounds[nth] ?? 0, multiply(strength, past[at - this.#delay] ?? 0));
    }
    const made = past.slice(longestDelay);
    past.copyWithin(0, quarterSamples);
    return made;
  }

  /** Section 5.3.4: the lattice filter of the vocal tract. */
  #filtered(reflections: Int16Array, excitation: number): number {
    const lattice = this.#lattice;
    let sample = excitation;
    for (let nth = 7; nth >= 0; nth -= 1) {
      const reflection = reflections[nth] ?? 0;
      const delayed = lattice[nth] ?? 0;
      sample = within16(sample - multiply(reflection, delayed));
      lattice[nth + 1] = add(delayed, multiply(reflection, sample));
    }
    lattice[0] = sample;
    return sample;
  }

  /** Sections 5.3.5 to 5.3.7: lifts what the encoder had lowered, and leaves 13 bits. */
  #deemphasized(sample: number): number {
    this.#last = add(sample, multiply(this.#last, 28_180));
    return add(this.#last, this.#last) & ~7;
  }
}

/** Section 5.2.8: the logarithmic area ratio of a code. */
function areaOf(code: number, nth: number): number {
  const lifted = add(code, smallest[nth] ?? 0) << 10;
  const ratio = multiply(scales[nth] ?? 0, within16(lifted - ((offsets[nth] ?? 0) << 1)));
  return add(ratio, ratio);
}

/** Section 5.2.9.2: the reflection coefficient of a logarithmic area ratio. */
function reflectionOf(area: number): number {
  const size = area === -32_768 ? 32_767 : Math.abs(area);
  const reflection = reflectionOfSize(size);
  return area < 0 ? -reflection : reflection;
}

function reflectionOfSize(size: number): number {
  if (size < 11_059) return size << 1;
  return size < 20_070 ? size + 11_059 : add(size >> 2, 26_112);
}

/** Section 5.2.15: the largest pulse of a quarter as exponent and mantissa. */
function blockSize(code: number): { readonly exponent: number; readonly mantissa: number } {
  let exponent = code > 15 ? (code >> 3) - 1 : 0;
  let mantissa = code - (exponent << 3);
  if (mantissa === 0) return { exponent: -4, mantissa: 7 };
  for (; mantissa <= 7; exponent -= 1) mantissa = (mantissa << 1) | 1;
  return { exponent, mantissa: mantissa - 8 };
}

function within16(value: number): number {
  if (value > 32_767) return 32_767;
  return value < -32_768 ? -32_768 : value;
}

function add(one: number, other: number): number {
  return within16(one + other);
}

/** Of two fractions with 15 bits, rounded (section 5.1). */
function multiply(one: number, other: number): number {
  return one === -32_768 && other === -32_768 ? 32_767 : (one * other + 16_384) >> 15;
}

/** To the left, or to the right when `places` is below 0. */
function shifted(value: number, places: number): number {
  return places >= 0 ? value << places : value >> Math.min(31, -places);
}
