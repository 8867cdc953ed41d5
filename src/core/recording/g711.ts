/** The codecs of telephone lines (ITU-T G.711): a 16-bit sample as eight bits, on a logarithmic scale. */

/** Added before the logarithm, so that small samples have steps of their own (14-bit scale of 16-bit numbers). */
const bias = 132;
const loudest = 32_635;

/**
 * A 16-bit sample as the eight bits that a telephone line carries in North America and Japan (µ-law).
 *
 * One bit for the sign, three for the segment of a logarithmic scale, four within it; all turned over on the line.
 */
export function encodeMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0;
  const magnitude = Math.min(loudest, Math.abs(sample)) + bias;
  const segment = Math.max(0, 31 - Math.clz32(magnitude) - 7);
  const step = (magnitude >> (segment + 3)) & 0x0f;
  return ~(sign | (segment << 4) | step) & 0xff;
}

/** The 16-bit sample that eight bits of a telephone line stand for: the middle of their step. */
export function decodeMuLaw(code: number): number {
  const bits = ~code & 0xff;
  const segment = (bits >> 4) & 0x07;
  const magnitude = (((bits & 0x0f) << 3) + bias) << segment;
  const sample = magnitude - bias;
  return (bits & 0x80) === 0 ? sample : 0 - sample;
}

/** The same for A-law, which lines carry elsewhere: every other bit is turned over, and a set sign is positive. */
export function decodeALaw(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits >> 4) & 0x07;
  const step = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return (bits & 0x80) === 0 ? 0 - magnitude : magnitude;
}
