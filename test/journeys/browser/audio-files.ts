import { encodeWav } from '../../../src/core/recording/wav.ts';
import type { Sound } from '../../../src/core/recording/sound.ts';
import { together, tone } from '../../renderer/recordings/tones.ts';
import type { AudioFile } from '../pages/recordings-page.ts';

const rate = 44_100;

/** Half a second of silence, a second of a tone of 440 Hz, and one of silence. */
export const silentTone: Sound = together(
  tone(0, 500, { rate }),
  tone(440, 1000, { rate }),
  tone(0, 1000, { rate }),
);

/** A sound as a file that a person could have. */
export function wavFile(name: string, sound: Sound): AudioFile {
  return { name, mimeType: 'audio/wav', buffer: Buffer.from(encodeWav(sound)) };
}

/** The sound of a 16-bit mono WAV file with a header of 44 bytes, as the windows write it. */
export function soundOf(file: Buffer): Sound {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.readUInt16LE(22) !== 1 || file.readUInt16LE(34) !== 16)
    throw new Error('This is no 16-bit mono WAV file.');
  const samples = Float32Array.from(
    { length: (file.length - 44) / 2 },
    (_, place) => file.readInt16LE(44 + 2 * place) / 32_767,
  );
  return { samples, rate: file.readUInt32LE(24) };
}
