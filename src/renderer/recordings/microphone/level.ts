import { loudest } from '../sound/peaks.ts';

/** The quietest that a meter shows, in decibels below the loudest. */
const floor = -60;

/** How far a level meter goes for a stretch of samples, from 0 to 1: as loudness is heard, in decibels. */
export function levelOf(samples: Float32Array): number {
  const decibels = 20 * Math.log10(Math.max(loudest(samples), 1e-9));
  return Math.min(1, Math.max(0, 1 - decibels / floor));
}

/** How far the meter falls at most from one block to the next: in about a second all the way, so that an eye can follow. */
const fall = 0.04;

/** What a meter shows after a block: up at once, down slowly. */
export function nextLevel(shown: number, samples: Float32Array): number {
  return Math.max(levelOf(samples), shown - fall);
}

/** The longest recording of 16-bit samples that fits in a file of so many bytes, in milliseconds. */
export function longestMs(rate: number, fileBytes: number): number {
  const headerBytes = 44;
  return Math.floor((fileBytes - headerBytes) / (2 * rate)) * 1000;
}
