import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AudioFormat } from '../../src/contract/menu/recording.ts';

const folder = join(import.meta.dirname, '../fixtures/sounds');

function sample(name: string, format: AudioFormat) {
  return { name, format, seconds: 1, bytes: () => new Uint8Array(readFileSync(join(folder, name))) };
}

/** A second of a tone, as encoders of these formats write it (lame, oggenc, opusenc). */
export const audioFiles = [
  sample('tone.mp3', 'mp3'),
  sample('tone-vorbis.ogg', 'ogg'),
  sample('tone-opus.ogg', 'ogg'),
];
