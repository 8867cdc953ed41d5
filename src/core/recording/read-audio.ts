import type { AudioFormat, AudioRefusal } from '../../contract/recording.ts';
import { done, refused, type Result } from '../result.ts';

type Read = Result<AudioFacts, AudioRefusal>;

/**
 * The format of an upload, read from its content, or why it is refused.
 *
 * Names and Content-Types are chosen by the sender. Three headers are read here instead of by a library, because a
 * library for a hundred formats would parse what is refused anyway (decisions/audio.md).
 */
export function readAudio(bytes: Uint8Array): Read {
  if (bytes.length === 0) return refused('empty');
  return readWav(bytes) ?? readOgg(bytes) ?? readMp3(bytes) ?? refused('unknown');
}

/** The head of one frame (ISO/IEC 11172-3 section 2.4.2.3, and 13818-3 for the lower sampling rates). */
interface Frame {
  readonly version: 1 | 2 | 2.5;
  readonly samplesPerSecond: number;
  readonly samples: number;
  readonly bytes: number;
}

/** In kbit/s, for layer III. */
const bitrates = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const samplingRates = {
  1: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  2.5: [11_025, 12_000, 8_000],
};
const versions = [2.5, null, 2, 1] as const;
const layerThree = 1;
const frameHeadBytes = 4;
const tagHeadBytes = 10;
/** An ID3 version 1 tag after the last frame. */
const endTagBytes = 128;

/** Reads an MP3 file: optional ID3 tags, then frames. Null for anything else. */
function readMp3(bytes: Uint8Array): Read | null {
  const start = audioStart(bytes);
  const first = frameAt(bytes, start);
  const second = first === null ? null : frameAt(bytes, start + first.bytes);
  // Two in a row, because the start of one frame is only eleven bits, which other files contain by chance.
  const isAudio =
    first !== null &&
    (start + first.bytes === bytes.length ||
      (second !== null &&
        second.version === first.version &&
        second.samplesPerSecond === first.samplesPerSecond));
  if (isAudio) return done({ format: 'mp3', durationMs: durationFrom(bytes, start) });
  return start === 0 ? null : refused('mp3_damaged');
}

/** Where the frames begin: after the ID3 tags (id3.org, "ID3 tag version 2.4.0", section 3.1) and their padding. */
function audioStart(bytes: Uint8Array): number {
  let place = 0;
  while (saysAt(bytes, place, 'ID3') && place + tagHeadBytes <= bytes.length) {
    const [flags = 0, ...size] = bytes.subarray(place + 5, place + tagHeadBytes);
    const hasFooter = (flags & 0x10) !== 0;
    place += tagHeadBytes + size.reduce((sum, one) => sum * 128 + (one & 0x7f), 0);
    if (hasFooter) place += tagHeadBytes;
  }
  if (place > 0) while (bytes[place] === 0) place += 1;
  return place;
}

function frameAt(bytes: Uint8Array, place: number): Frame | null {
  if (place + frameHeadBytes > bytes.length) return null;
  const head = viewOf(bytes).getUint32(place);
  if (head >>> 21 !== 0x7ff) return null;
  const version = versions[(head >>> 19) & 3];
  if (version === null || version === undefined || ((head >>> 17) & 3) !== layerThree) return null;
  const kilobits = bitrates[version === 1 ? 1 : 2][(head >>> 12) & 15];
  const samplesPerSecond = samplingRates[version][(head >>> 10) & 3];
  if (!kilobits || samplesPerSecond === undefined) return null;
  const samples = version === 1 ? 1152 : 576;
  const padding = (head >>> 9) & 1;
  const bytesOfFrame = Math.floor((samples / 8) * ((kilobits * 1000) / samplesPerSecond)) + padding;
  return { version, samplesPerSecond, samples, bytes: bytesOfFrame };
}

/** The total of the frames; null if there is something between them that is not audio. */
function durationFrom(bytes: Uint8Array, start: number): number | null {
  let seconds = 0;
  let place = start;
  for (let frame = frameAt(bytes, place); frame !== null; frame = frameAt(bytes, place)) {
    if (!isIndex(bytes, place, frame)) seconds += frame.samples / frame.samplesPerSecond;
    place += frame.bytes;
  }
  const isEnd = place >= bytes.length || saysAt(bytes, place, 'TAG') || saysAt(bytes, place, 'APETAGEX');
  return isEnd || bytes.length - place <= endTagBytes ? Math.round(seconds * 1000) : null;
}

/** Whether a frame is the silent one that encoders write first, with an index of the others ("Xing" or "Info"). */
function isIndex(bytes: Uint8Array, place: number, { version }: Frame): boolean {
  const isMono = (bytes[place + 3] ?? 0) >>> 6 === 3;
  const sideBytes = version === 1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const at = place + frameHeadBytes + sideBytes;
  return saysAt(bytes, at, 'Xing') || saysAt(bytes, at, 'Info');
}

const pageHeadBytes = 27;
const beginsStream = 2;
const opusSamplesPerSecond = 48_000;
/** A page on which no packet ends has no position. */
const noPosition = 0xffff_ffff_ffff_ffffn;

interface Stream {
  readonly samplesPerSecond: number;
  /** Samples that are decoded but not played. */
  readonly skipped: number;
}

/**
 * Reads an Ogg file with Vorbis or Opus (RFC 3533, RFC 7845, and the Vorbis I specification); null for anything else.
 */
function readOgg(bytes: Uint8Array): Read | null {
  if (!saysAt(bytes, 0, 'OggS')) return null;
  const segments = bytes[26] ?? 0;
  const packet = pageHeadBytes + segments;
  const isFirst = bytes[4] === 0 && ((bytes[5] ?? 0) & beginsStream) !== 0;
  if (!isFirst || packet + 19 > bytes.length) return refused('ogg_damaged');
  const stream = streamAt(bytes, packet);
  if (typeof stream === 'string') return refused(stream);
  return done({ format: 'ogg', durationMs: durationOf(bytes, stream) });
}

function streamAt(bytes: Uint8Array, packet: number): Stream | AudioRefusal {
  const view = viewOf(bytes);
  if (saysAt(bytes, packet, '\x01vorbis')) {
    const samplesPerSecond = view.getUint32(packet + 12, true);
    const isSane = (bytes[packet + 11] ?? 0) > 0 && samplesPerSecond > 0;
    return isSane ? { samplesPerSecond, skipped: 0 } : 'ogg_damaged';
  }
  if (saysAt(bytes, packet, 'OpusHead')) {
    if ((bytes[packet + 9] ?? 0) === 0) return 'ogg_damaged';
    return { samplesPerSecond: opusSamplesPerSecond, skipped: view.getUint16(packet + 10, true) };
  }
  return 'ogg_codec';
}

/** The position of the last page of the stream; null when no page has one. */
function durationOf(bytes: Uint8Array, { samplesPerSecond, skipped }: Stream): number | null {
  const view = viewOf(bytes);
  const serial = view.getUint32(14, true);
  for (let place = bytes.length - pageHeadBytes; place > 0; place -= 1) {
    if (bytes[place] !== 0x4f || !saysAt(bytes, place, 'OggS\0')) continue;
    const position = view.getBigUint64(place + 6, true);
    if (view.getUint32(place + 14, true) !== serial || position === noPosition) continue;
    const samples = Math.max(0, Number(position) - skipped);
    const durationMs = Math.round((samples / samplesPerSecond) * 1000);
    return Number.isSafeInteger(durationMs) ? durationMs : null;
  }
  return null;
}

/** The `fmt ` chunk: how the samples are written (Microsoft, "Multiple Channel Audio Data and WAVE Files"). */
interface WavForm {
  readonly codec: number;
  readonly channels: number;
  readonly samplesPerSecond: number;
  readonly bytesPerSecond: number;
  readonly frameBytes: number;
  readonly bitsPerSample: number;
}

/** Codecs that telephone systems write: PCM, float, A-law, µ-law, IMA ADPCM, GSM 6.10, and PCM with its long header. */
const codecs: ReadonlySet<number> = new Set([1, 3, 6, 7, 0x11, 0x31, 0xfffe]);
const plainPcm = 1;
const chunkHeadBytes = 8;
const riffHeadBytes = 12;
const formBytes = 16;

/** Reads a RIFF/WAVE file; null for anything else, and a reason for one that cannot be played. */
function readWav(bytes: Uint8Array): Read | null {
  if (!saysAt(bytes, 0, 'RIFF') || !saysAt(bytes, 8, 'WAVE')) return null;
  const view = viewOf(bytes);
  let form: WavForm | null = null;
  for (let place = riffHeadBytes; place + chunkHeadBytes <= bytes.length;) {
    const size = view.getUint32(place + 4, true);
    const start = place + chunkHeadBytes;
    if (saysAt(bytes, place, 'fmt ')) {
      if (size < formBytes || start + formBytes > bytes.length) break;
      form = formAt(view, start);
      if (!isSane(form)) return refused('wav_damaged');
      if (!codecs.has(form.codec)) return refused('wav_codec');
    } else if (saysAt(bytes, place, 'data')) {
      if (form === null) break;
      // A recorder that writes to a pipe does not know the size and writes 0 or the largest value.
      const left = bytes.length - start;
      const dataBytes = size === 0 ? left : Math.min(size, left);
      if (dataBytes === 0) return refused('wav_empty');
      return done({ format: 'wav', durationMs: Math.round((dataBytes / form.bytesPerSecond) * 1000) });
    }
    place = start + size + (size % 2);
  }
  return refused('wav_damaged');
}

function formAt(view: DataView, place: number): WavForm {
  return {
    codec: view.getUint16(place, true),
    channels: view.getUint16(place + 2, true),
    samplesPerSecond: view.getUint32(place + 4, true),
    bytesPerSecond: view.getUint32(place + 8, true),
    frameBytes: view.getUint16(place + 12, true),
    bitsPerSample: view.getUint16(place + 14, true),
  };
}

function isSane(form: WavForm): boolean {
  const { codec, channels, samplesPerSecond, bytesPerSecond, frameBytes, bitsPerSample } = form;
  if (channels < 1 || channels > 8 || samplesPerSecond < 1000 || samplesPerSecond > 384_000) return false;
  if (bytesPerSecond === 0 || frameBytes === 0) return false;
  if (codec !== plainPcm) return true;
  return [8, 16, 24, 32].includes(bitsPerSample) && frameBytes === (channels * bitsPerSample) / 8;
}

/** The properties read from the content of an audio file. */
interface AudioFacts {
  readonly format: AudioFormat;
  /** In milliseconds; null if the file does not contain it. */
  readonly durationMs: number | null;
}

/** Whether some bytes are these characters (Latin-1). */
function saysAt(bytes: Uint8Array, place: number, text: string): boolean {
  if (place < 0 || place + text.length > bytes.length) return false;
  for (let at = 0; at < text.length; at += 1) if (bytes[place + at] !== text.charCodeAt(at)) return false;
  return true;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
