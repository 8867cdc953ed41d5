import { decodeMuLaw } from './mu-law.ts';
import type { Channels } from './sound.ts';

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
