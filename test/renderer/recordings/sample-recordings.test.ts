import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSound, loudest } from '../../../src/renderer/recordings/sound/find-sound.ts';
import { encodeWav } from '../../../src/core/recording/wav.ts';
import { sampleSounds } from '../../tools/recordings/sample-sounds.ts';

const folder = join(import.meta.dirname, '../../../resources/recordings');
const samples = Object.entries(sampleSounds).map(([name, make]) => [name, make()] as const);

describe('the sample recordings', () => {
  it('are the files that are checked in, and no others', () => {
    expect(readdirSync(folder).toSorted()).toEqual(samples.map(([name]) => `${name}.wav`).toSorted());
  });

  it.each(samples)(
    '%s is what is written down: run `node test/tools/render-recordings.ts`',
    (name, sound) => {
      expect(readFileSync(join(folder, `${name}.wav`)).equals(encodeWav(sound))).toBe(true);
    },
  );

  it.each(samples)('%s is short, small, and neither silent nor distorted', (_name, sound) => {
    expect(sound.rate).toBe(8_000);
    expect(encodeWav(sound).length).toBeLessThan(40_000);
    expect(loudest(sound.samples)).toBeCloseTo(0.7, 3);
    expect(findSound(sound)).not.toBeNull();
  });
});
