/** Added before the logarithm, so that small samples have steps of their own (ITU-T G.711, 14-bit scale of 16-bit numbers). */
const bias = 132;
const loudest = 32_635;

/**
 * A 16-bit sample as the eight bits that a telephone line carries (µ-law, ITU-T G.711).
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
