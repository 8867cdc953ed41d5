/**
 * The head of a WAV file: which codec, how many channels, and where the samples are. The only reader of it: uploads, calls,
 * windows and exports use the same, so what one accepts the others can read. `wav.ts` reads the samples.
 */
import { done, refused, type Result } from '../result.ts';

/** How the samples of a WAV file are written, and where they are in it. */
export interface WavHead {
  readonly codec: WavCodec;
  readonly channels: number;
  /** Samples in a second. */
  readonly rate: number;
  /** Of a sample of all channels, or of a block where the codec has blocks. */
  readonly blockBytes: number;
  /** Of MS ADPCM only. */
  readonly coefficients: readonly (readonly [number, number])[];
  readonly from: number;
  readonly bytes: number;
  /** Whether other programs and browsers read it: RIFF, `fmt ` before `data`, a size that is right, a common codec. */
  readonly isPlain: boolean;
}

/** The codecs that are decoded here. `mp3`: an MP3 file in a WAV file, which other code reads. */
export type WavCodec =
  | 'int8'
  | 'int16'
  | 'int24'
  | 'int32'
  | 'float32'
  | 'float64'
  | 'a_law'
  | 'mu_law'
  | 'ima_adpcm'
  | 'ms_adpcm'
  | 'gsm'
  | 'mp3';

/** `codec` is the format tag. */
export type WavRefusal =
  | { readonly code: 'wav_damaged' | 'wav_empty' }
  | { readonly code: 'wav_codec'; readonly codec: number };

const damaged: WavRefusal = { code: 'wav_damaged' };

/** Codecs that every browser plays. */
const commonCodecs: ReadonlySet<WavCodec> = new Set([
  'int8',
  'int16',
  'int24',
  'int32',
  'float32',
  'a_law',
  'mu_law',
]);

const chunkHeadBytes = 8;
const riffHeadBytes = 12;
const formBytes = 16;
/** From here on the `fmt ` chunk has what only some codecs need: 18 bytes, of which the last two are its length. */
const extraAt = 18;
const unknownSize = 0xffff_ffff;

/** Whether a file is a WAV file at all. RF64 and BW64 are the same with 64-bit sizes (EBU Tech 3306, ITU-R BS.2088). */
export function isWav(bytes: Uint8Array): boolean {
  return ['RIFF', 'RF64', 'BW64'].some((tag) => saysAt(bytes, 0, tag)) && saysAt(bytes, 8, 'WAVE');
}

/** Reads the head of a file that `isWav`. Never throws, whatever the bytes are. */
export function readWavHead(file: Uint8Array): Result<WavHead, WavRefusal> {
  const found = findChunks(file);
  if (found.form === null) return refused(damaged);
  const form = readForm(file, found.form);
  if (!form.ok) return form;
  if (found.data === null) return refused(damaged);
  const { from, bytes, isSizeRight } = found.data;
  if (bytes === 0) return refused({ code: 'wav_empty' });
  const isPlain =
    saysAt(file, 0, 'RIFF') &&
    isSizeRight &&
    form.value.isSampleRight &&
    found.form.from < from &&
    commonCodecs.has(form.value.codec) &&
    // Browsers know the long form of integers and floats only.
    (!form.value.isLong || /^(?:int|float)/.test(form.value.codec));
  const { isLong: _isLong, isSampleRight: _isSampleRight, ...head } = form.value;
  return done({ ...head, from, bytes, isPlain });
}

interface Chunk {
  readonly from: number;
  readonly bytes: number;
  /** False: whoever wrote it did not know the size, or the file is cut off. */
  readonly isSizeRight: boolean;
}

interface Chunks {
  readonly form: Chunk | null;
  readonly data: Chunk | null;
}

/** The first chunk of each kind. They may come in either order, and others between them. */
function findChunks(file: Uint8Array): Chunks {
  const view = viewOf(file);
  let form: Chunk | null = null;
  let data: Chunk | null = null;
  let longSize: number | null = null;
  for (let place = riffHeadBytes; place + chunkHeadBytes <= file.length;) {
    const size = view.getUint32(place + 4, true);
    const from = place + chunkHeadBytes;
    const left = file.length - from;
    if (saysAt(file, place, 'ds64') && left >= 16) longSize = Number(view.getBigUint64(from + 8, true));
    if (saysAt(file, place, 'fmt ')) form ??= { from, bytes: Math.min(size, left), isSizeRight: true };
    let chunkBytes = size;
    if (saysAt(file, place, 'data')) {
      if (size === unknownSize && longSize !== null) chunkBytes = longSize;
      // A recorder that writes to a pipe does not know the size and writes 0 or a very large one.
      const isOpen = chunkBytes > left || (size === 0 && left > 0 && !isChunksToEnd(file, from));
      const chunk = { from, bytes: isOpen ? left : chunkBytes, isSizeRight: !isOpen };
      if (data === null || data.bytes === 0) data = chunk;
      if (isOpen) break;
    }
    if (form !== null && data !== null && data.bytes > 0) break;
    place = nextChunk(file, from, chunkBytes);
  }
  return { form, data };
}

/** Chunks begin at even places, but some programs forget the byte that fills an odd one up. */
function nextChunk(file: Uint8Array, from: number, bytes: number): number {
  const end = from + bytes;
  return bytes % 2 === 1 && (isTagAt(file, end + 1) || !isTagAt(file, end)) ? end + 1 : end;
}

/** Whether only whole chunks follow: then a size of 0 is meant. */
function isChunksToEnd(file: Uint8Array, start: number): boolean {
  const view = viewOf(file);
  let place = start;
  while (place + chunkHeadBytes <= file.length && isTagAt(file, place)) {
    place = nextChunk(file, place + chunkHeadBytes, view.getUint32(place + 4, true));
  }
  return place === file.length || place === file.length + 1;
}

function isTagAt(file: Uint8Array, place: number): boolean {
  if (place + 4 > file.length) return false;
  return file.subarray(place, place + 4).every((letter) => letter >= 0x20 && letter < 0x7f);
}

type Form = Omit<WavHead, 'from' | 'bytes' | 'isPlain'> & {
  readonly isLong: boolean;
  /** False: whoever wrote it counted the bytes of a block wrong, or the bits of a float. */
  readonly isSampleRight: boolean;
};

const extensible = 0xfffe;

/** The `fmt ` chunk (Microsoft, "Multiple Channel Audio Data and WAVE Files"; RFC 2361 for the format tags). */
function readForm(file: Uint8Array, { from, bytes }: Chunk): Result<Form, WavRefusal> {
  if (bytes < formBytes) return refused(damaged);
  const view = viewOf(file.subarray(from, from + bytes));
  const [tag, channels, rate] = [view.getUint16(0, true), view.getUint16(2, true), view.getUint32(4, true)];
  const isLong = tag === extensible;
  if (isLong && bytes < 26) return refused(damaged);
  // The first two bytes of the long form's identifier are the tag that it stands for.
  const codec = isLong ? view.getUint16(24, true) : tag;
  const written = view.getUint16(12, true);
  if (channels < 1 || channels > 8 || rate < 1000 || rate > 384_000 || written === 0) return refused(damaged);
  const bits = view.getUint16(14, true);
  const blockBytes = blockOf(codec, bits, channels, written);
  const each = blockBytes / channels;
  const isSampleRight = blockBytes === written && (codec !== 3 || bits === each * 8);
  const base = { channels, rate, blockBytes, coefficients: [], isLong, isSampleRight };
  switch (codec) {
    case 1: {
      const name = ([null, 'int8', 'int16', 'int24', 'int32'] as const)[each];
      // 12 bits are in two bytes.
      const isWhole = Math.ceil(bits / 8) === each;
      return isWhole && name !== undefined && name !== null
        ? done({ ...base, codec: name })
        : refused(damaged);
    }
    case 3:
      if (each === 4) return done({ ...base, codec: 'float32' });
      return each === 8 ? done({ ...base, codec: 'float64' }) : refused(damaged);
    case 6:
      return each === 1 ? done({ ...base, codec: 'a_law' }) : refused(damaged);
    case 7:
      return each === 1 ? done({ ...base, codec: 'mu_law' }) : refused(damaged);
    case 0x02:
      return channels <= 2 && each >= 7
        ? done({ ...base, codec: 'ms_adpcm', coefficients: coefficientsIn(view) })
        : refused(damaged);
    case 0x11:
      return channels <= 2 && each >= 4 && bits === 4
        ? done({ ...base, codec: 'ima_adpcm' })
        : refused(damaged);
    case 0x31:
      return channels === 1 && blockBytes === gsmBlockBytes
        ? done({ ...base, codec: 'gsm' })
        : refused(damaged);
    case 0x55:
      return done({ ...base, codec: 'mp3' });
    default:
      return refused({ code: 'wav_codec', codec });
  }
}

/**
 * As the head says, or as the bits do where that cannot be meant: some recorders write that of fewer channels, or a size in bits
 * (rmbrone/flutter_audio_recorder#11, pdeljanov/Symphonia#409). A larger one may be meant: samples with room between them.
 */
function blockOf(codec: number, bits: number, channels: number, written: number): number {
  const isInteger = codec === 1 && bits > 0 && bits % 8 === 0;
  const isFloat = codec === 3 && (bits === 32 || bits === 64);
  const needed = (bits / 8) * channels;
  return (isInteger || isFloat) && (written < needed || written === bits * channels) ? needed : written;
}

/** The seven pairs that every file has (RFC 2361 names the codec; the values are those of Microsoft's ADPCMWAVEFORMAT). */
const usualCoefficients = [
  [256, 0],
  [512, -256],
  [0, 0],
  [192, 64],
  [240, 0],
  [460, -208],
  [392, -232],
] as const;

function coefficientsIn(view: DataView): WavHead['coefficients'] {
  const countAt = extraAt + 2;
  const count = view.byteLength >= countAt + 2 ? view.getUint16(countAt, true) : 0;
  if (count === 0 || count > 256 || view.byteLength < countAt + 2 + count * 4) return usualCoefficients;
  return Array.from({ length: count }, (_, nth) => {
    const at = countAt + 2 + nth * 4;
    return [view.getInt16(at, true), view.getInt16(at + 2, true)] as const;
  });
}

/** Two frames of 260 bits. */
const gsmBlockBytes = 65;
const gsmBlockSamples = 320;

/** Samples of each channel, as the size says. The last block of a file may be cut off. */
export function samplesIn(head: WavHead): number {
  const { bytes, blockBytes } = head;
  return (
    Math.floor(bytes / blockBytes) * samplesOfBlock(head, blockBytes) +
    samplesOfBlock(head, bytes % blockBytes)
  );
}

/** Samples of each channel in the first bytes of a block. */
function samplesOfBlock({ codec, channels, blockBytes }: WavHead, bytes: number): number {
  if (codec === 'ima_adpcm') {
    // One sample is in the head of a block; after it each channel has four bytes with two samples each in turn.
    const after = bytes - 4 * channels;
    if (after < 0) return 0;
    return channels === 1 ? 1 + after * 2 : 1 + Math.floor(after / 8) * 8;
  }
  if (codec === 'ms_adpcm') {
    // Two samples are in the head of a block.
    const after = bytes - 7 * channels;
    return after < 0 ? 0 : 2 + Math.floor((after * 2) / channels);
  }
  if (bytes !== blockBytes) return 0;
  return codec === 'gsm' ? gsmBlockSamples : 1;
}

/** Whether some bytes are these characters (Latin-1). */
export function saysAt(bytes: Uint8Array, place: number, text: string): boolean {
  if (place < 0 || place + text.length > bytes.length) return false;
  for (let at = 0; at < text.length; at += 1) if (bytes[place + at] !== text.charCodeAt(at)) return false;
  return true;
}

export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
