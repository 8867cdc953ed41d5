import type { Sound } from './sound.ts';

const headerBytes = 44;
const bytesPerSample = 2;

/**
 * Writes a sound as a WAV file: 16 bits, one channel, its own rate.
 *
 * The 44-byte header of the RIFF format (PCM, tag 1), which everything reads; all numbers have their low byte first.
 * A sample beyond -1 to 1 becomes the loudest that there is.
 */
export function encodeWav({ samples, rate }: Sound): Uint8Array<ArrayBuffer> {
  const dataBytes = samples.length * bytesPerSample;
  const file = new Uint8Array(headerBytes + dataBytes);
  const view = new DataView(file.buffer);
  writeTag(view, 0, 'RIFF');
  view.setUint32(4, headerBytes - 8 + dataBytes, true); // what follows this number
  writeTag(view, 8, 'WAVE');
  writeTag(view, 12, 'fmt ');
  view.setUint32(16, 16, true); // bytes of the format
  view.setUint16(20, 1, true); // PCM
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * bytesPerSample, true); // bytes in a second
  view.setUint16(32, bytesPerSample, true); // bytes of one sample of all channels
  view.setUint16(34, bytesPerSample * 8, true);
  writeTag(view, 36, 'data');
  view.setUint32(40, dataBytes, true);
  for (let place = 0; place < samples.length; place += 1)
    view.setInt16(headerBytes + place * bytesPerSample, toInt16(samples[place] ?? 0), true);
  return file;
}

/** The same scale on both sides, so that silence is 0 and what is read again is what was meant. */
export function toInt16(sample: number): number {
  return Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
}

function writeTag(view: DataView, place: number, tag: string): void {
  for (let letter = 0; letter < tag.length; letter += 1)
    view.setUint8(place + letter, tag.charCodeAt(letter));
}
