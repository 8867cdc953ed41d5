import { toInt16 } from './encode-wav.ts';
import { highPass } from './high-pass.ts';
import { decodeMuLaw, encodeMuLaw } from './mu-law.ts';
import { resample } from './resample.ts';
import type { Sound } from './sound.ts';

/** Samples a second on a telephone line. */
const telephoneRate = 8_000;
/** What a telephone line carries, in hertz. */
const band = { low: 300, high: 3_400 } as const;

/** A sound as a caller hears it: 8,000 samples a second, 300 to 3,400 Hz, and eight µ-law bits a sample. */
export function telephoneSound(sound: Sound): Sound {
  const narrow = resample(sound, telephoneRate, band.high);
  const samples = highPass(narrow.samples, telephoneRate, band.low).map(overTheLine);
  return { samples, rate: telephoneRate };
}

/** What is left of a sample after eight bits have carried it. */
function overTheLine(sample: number): number {
  return decodeMuLaw(encodeMuLaw(toInt16(sample))) / 32_767;
}
