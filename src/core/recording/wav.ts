import { adpcmSamples } from './adpcm.ts';
import { gsmSamples } from './gsm.ts';
import type { Channels, Sound } from './sound.ts';
import { samplesIn, viewOf, type WavCodec, type WavHead } from './wav-head.ts';

type Reader = (view: DataView, place: number) => number;

/** The value of the sample at a place, from -1 to 1, and the bytes that it has. */
const readers: Readonly<Partial<Record<WavCodec, readonly [bytes: number, read: Reader]>>> = {
  int8: [1, (view, place) => (view.getUint8(place) - 128) / 128],
  int16: [2, (view, place) => view.getInt16(place, true) / 32_768],
  int24: [3, (view, place) => (view.getUint16(place, true) + view.getInt8(place + 2) * 65_536) / 8_388_608],
  int32: [4, (view, place) => view.getInt32(place, true) / 2_147_483_648],
  float32: [4, (view, place) => finite(view.getFloat32(place, true))],
  float64: [8, (view, place) => finite(view.getFloat64(place, true))],
  a_law: [1, (view, place) => decodeALaw(view.getUint8(place)) / 32_768],
  mu_law: [1, (view, place) => decodeMuLaw(view.getUint8(place)) / 32_768],
};

/**
 * A damaged file may have what is no number, or a double that the samples (float32) cannot hold, which would make every sum
 * with it the same.
 */
function finite(value: number): number {
  return Number.isFinite(Math.fround(value)) ? value : 0;
}

/** The samples of a WAV file. A file that is cut off has fewer. */
export function readWav(file: Uint8Array, head: WavHead): Channels {
  const { codec, channels, rate, from, bytes } = head;
  const samples = Array.from({ length: channels }, () => new Float32Array(samplesIn(head)));
  const data = file.subarray(from, from + bytes);
  if (codec === 'gsm') gsmSamples(data, samples);
  else if (codec === 'ima_adpcm' || codec === 'ms_adpcm') adpcmSamples(data, head, samples);
  else {
    const reader = readers[codec];
    if (reader === undefined) throw new Error(`There is no reader for the WAV codec ${codec}.`);
    const [size, read] = reader;
    const view = viewOf(data);
    for (const [channel, one] of samples.entries())
      for (let nth = 0; nth < one.length; nth += 1) one[nth] = read(view, (nth * channels + channel) * size);
  }
  return { samples, rate };
}

const headerBytes = 44;
const bytesPerSample = 2;

/** The size of the file that `encodeWav` makes of so many samples. */
export function encodedBytes(samples: number): number {
  return headerBytes + samples * bytesPerSample;
}

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

/* The codecs of telephone lines (ITU-T G.711): a 16-bit sample as eight bits, on a logarithmic scale. */

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
function decodeALaw(code: number): number {
  const bits = code ^ 0x55;
  const segment = (bits >> 4) & 0x07;
  const step = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 0x100) << (segment - 1);
  return (bits & 0x80) === 0 ? 0 - magnitude : magnitude;
}
