/** From the sounds of the parts of a text to one sound: silence cut off, parts joined, and whether it can be that text at all. */
import { lengthMs, partOf, type Sound } from '../recording/sound.ts';
import { invariant } from '../unreachable.ts';
import { readWav } from '../recording/wav.ts';
import { readWavHead } from '../recording/wav-head.ts';
import { peakOf } from './loudness.ts';

/** What stays of the silence before and after a text. */
export const silenceAtEndsMs = 100;

/** A window is silent when it has this part of the highest sample, as a mean: 46 dB less. */
const silentPart = 0.005;
/** No voice is so soft: the noise of an engine that says nothing. */
const silentPeak = 0.01;
const windowSeconds = 0.005;

/** Its samples can be handed to another thread. */
export type WrittenSound = Sound & { readonly samples: Float32Array<ArrayBuffer> };

const emptySound: WrittenSound = { samples: new Float32Array(0), rate: 16_000 };

/** What an engine wrote. Of a text that has nothing to say, some write a head alone. */
export function soundOfWav(wav: Uint8Array): WrittenSound {
  const head = readWavHead(wav);
  if (!head.ok) return emptySound;
  const { samples, rate } = readWav(wav, head.value);
  return { samples: samples[0] ?? emptySound.samples, rate };
}

/** Without the silence at its ends, apart from so many milliseconds of it; empty where all is silence. */
export function withoutSilence(sound: Sound, keptMs: number): Sound {
  const { samples, rate } = sound;
  const window = Math.max(1, Math.round(rate * windowSeconds));
  const kept = Math.round((rate * keptMs) / 1000);
  const peak = peakOf(sound);
  if (peak <= silentPeak) return { samples: new Float32Array(0), rate };
  let from = samples.length;
  let to = 0;
  for (let start = 0; start < samples.length; start += window) {
    if (meanLevel(samples, start, start + window) <= peak * silentPart) continue;
    from = Math.min(from, start);
    to = start + window;
  }
  return partOf(sound, { from: Math.max(0, from - kept), to: Math.min(samples.length, to + kept) });
}

function meanLevel(samples: Float32Array, from: number, to: number): number {
  const end = Math.min(to, samples.length);
  let sum = 0;
  for (let place = from; place < end; place += 1) sum += (samples[place] ?? 0) ** 2;
  return Math.sqrt(sum / (end - from));
}

/** One after the other; a number is a silence of so many milliseconds. Null where there is no sound at all. */
export function joined(parts: readonly (Sound | number)[]): Sound | null {
  const rate = parts.find((part) => typeof part !== 'number')?.rate;
  if (rate === undefined) return null;
  const pieces = parts.map((part) => {
    if (typeof part === 'number') return new Float32Array(Math.round((rate * part) / 1000));
    invariant(part.rate === rate, 'a voice has one rate');
    return part.samples;
  });
  const samples = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    samples.set(piece, place);
    place += piece.length;
  }
  return { samples, rate };
}

/** Of these many characters a second, a voice says at least and at most. */
const charactersASecond = { fewest: 5, most: 25 };
/** "7" is one character and five letters; "1,000,000" may be "one million" or seven digits. "w" is "double u". */
const lettersOfDigit = 10;
/** At the end of a sentence or a clause there is a pause. Other marks, and a dot within a word, are named by some voices. */
const lettersOfPause = 2;
const lettersOfMark = 5;
/** A single letter or word takes longer than its share. */
const sparedMs = 1000;
/** So many samples in a row at the same highest level are no voice. */
const clippedSamples = 8;
const clippedShare = 0.01;

/** Whether it can be these words: neither cut off nor endless, and not clipped. Without the silence at its ends. */
export function isPlausible(sound: Sound, text: string, rate: number): boolean {
  const ms = lengthMs(sound) * rate;
  const said = text.match(/[\p{L}\p{M}]/gu)?.length ?? 0;
  // Capitals in a row are spelled, and so are digits and words without a vowel.
  const capitals = text.match(/[\p{N}\p{Sc}%@+=]|\p{Lu}(?=\p{Lu})|(?<=\p{Lu})\p{Lu}/gu)?.length ?? 0;
  const consonants = text.match(/(?<!\p{L})[b-df-hj-np-tv-xz]{2,}(?!\p{L})/giu)?.join('').length ?? 0;
  const pauses = text.match(/[.,;:!?]/g)?.length ?? 0;
  const marks = text.match(/(?![.,;:!?'"-])\p{P}|\.(?=\p{L})/gu)?.length ?? 0;
  const long = (capitals + consonants) * lettersOfDigit + pauses * lettersOfPause + marks * lettersOfMark;
  const shortest = (said * 1000) / charactersASecond.most - sparedMs / 4;
  const longest = ((said + long) * 1000) / charactersASecond.fewest + sparedMs;
  return ms >= shortest && ms <= longest && !isClipped(sound);
}

function isClipped(sound: Sound): boolean {
  const peak = peakOf(sound);
  let run = 0;
  let clipped = 0;
  for (const sample of sound.samples) {
    run = Math.abs(sample) === peak ? run + 1 : 0;
    if (run === clippedSamples) clipped += run;
    else if (run > clippedSamples) clipped += 1;
  }
  return peak > 0 && clipped > sound.samples.length * clippedShare;
}
