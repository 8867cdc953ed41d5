import type { Channels, Sound } from './sound.ts';

/** How the samples of a WAV file are written, and where they stand in it. */
export interface WavForm {
  readonly codec: number;
  readonly channels: number;
  /** Samples in a second. */
  readonly rate: number;
  readonly bitsPerSample: number;
  readonly from: number;
  readonly bytes: number;
}

const extensible = 0xfffe;

/** Reads the head of a WAV file; null when it is none, or has no samples. */
export function readWavForm(file: ArrayBuffer): WavForm | null {
  const view = new DataView(file);
  if (file.byteLength < 12 || tagAt(view, 0) !== 'RIFF' || tagAt(view, 8) !== 'WAVE') return null;
  let form: Omit<WavForm, 'from' | 'bytes'> | null = null;
  for (let place = 12; place + 8 <= file.byteLength;) {
    const [tag, size, from] = [tagAt(view, place), view.getUint32(place + 4, true), place + 8];
    const left = file.byteLength - from;
    if (tag === 'fmt ' && Math.min(size, left) >= 16) {
      const codec = view.getUint16(from, true);
      const isLong = codec === extensible && Math.min(size, left) >= 26;
      form = {
        codec: isLong ? view.getUint16(from + 24, true) : codec,
        channels: view.getUint16(from + 2, true),
        rate: view.getUint32(from + 4, true),
        bitsPerSample: view.getUint16(from + 14, true),
      };
    }
    // Whoever records to a pipe cannot know the size and writes 0 or the largest one.
    if (tag === 'data') return form && { ...form, from, bytes: size === 0 ? left : Math.min(size, left) };
    place = from + size + (size % 2); // chunks begin at even places
  }
  return null;
}

/** The value of the sample at a place, from -1 to 1; by codec (PCM, floating point, µ-law) and bits. */
const readers: Readonly<Record<string, (view: DataView, place: number) => number>> = {
  '1 8': (view, place) => (view.getUint8(place) - 128) / 128,
  '1 16': (view, place) => view.getInt16(place, true) / 32_768,
  '1 24': (view, place) => (view.getUint16(place, true) + view.getInt8(place + 2) * 65_536) / 8_388_608,
  '1 32': (view, place) => view.getInt32(place, true) / 2_147_483_648,
  '3 32': (view, place) => view.getFloat32(place, true),
  '7 8': (view, place) => decodeMuLaw(view.getUint8(place)) / 32_768,
};

/** Whether the samples can be read here; other codecs are left to the browser. */
export function isReadable({ codec, bitsPerSample, channels, rate }: WavForm): boolean {
  return `${codec} ${bitsPerSample}` in readers && channels > 0 && rate > 0;
}

/** The samples of a WAV file that is readable. */
export function readWav(file: ArrayBuffer, form: WavForm): Channels {
  const { codec, bitsPerSample, channels, rate, from, bytes } = form;
  const read = readers[`${codec} ${bitsPerSample}`];
  if (read === undefined) throw new Error(`There is no reader for the WAV codec ${codec}.`);
  const view = new DataView(file);
  const step = bitsPerSample / 8;
  const length = Math.floor(bytes / (step * channels));
  const samples = Array.from({ length: channels }, (_, channel) => {
    const one = new Float32Array(length);
    for (let place = 0; place < length; place += 1)
      one[place] = read(view, from + (place * channels + channel) * step);
    return one;
  });
  return { samples, rate };
}

function tagAt(view: DataView, place: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((letter) => view.getUint8(place + letter)));
}

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
