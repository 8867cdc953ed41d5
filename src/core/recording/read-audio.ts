import type { AudioFormat, AudioRefusal, OtherAudio } from '../../contract/menu/recording.ts';
import { done, refused, type Result } from '../result.ts';
import { isWav, readWavHead, samplesIn, saysAt, viewOf, type WavHead } from './wav-head.ts';

type Read = Result<AudioFacts, AudioRefusal>;

/**
 * The format of an upload, read from its content, or why it is refused.
 *
 * Names and Content-Types are chosen by the sender. Three headers are read here instead of by a library, because a
 * library for a hundred formats would parse what is refused anyway (decisions/audio.md).
 */
export function readAudio(bytes: Uint8Array): Read {
  if (bytes.length === 0) return refused({ code: 'empty' });
  const from = audioStart(bytes);
  const audio = bytes.subarray(from);
  const read = readWav(audio) ?? readOgg(audio) ?? readMp3(audio);
  if (read?.ok === true) return done({ ...read.value, from: from + read.value.from });
  if (read !== null) return read;
  const format = otherFormat(audio) ?? otherFormat(bytes);
  if (format !== null) return refused({ code: 'other_format', format });
  // The size of a tag may be wrong, so that the audio begins earlier; behind a tag with a picture it begins far from the start.
  return (
    readMp3BehindJunk(bytes, 0) ??
    readMp3BehindJunk(bytes, from) ??
    refused({ code: saysAt(bytes, 0, 'ID3') ? 'mp3_damaged' : 'unknown' })
  );
}

/** Reads a WAV file; null for anything else, and a reason for one whose samples cannot be read. */
function readWav(bytes: Uint8Array): Read | null {
  if (!isWav(bytes)) return null;
  const head = readWavHead(bytes);
  if (!head.ok) return head;
  const { from, bytes: dataBytes, rate, codec } = head.value;
  const data = bytes.subarray(from, from + dataBytes);
  if (codec === 'mp3') {
    const inside = readMp3(data);
    return inside?.ok === true
      ? done({ ...inside.value, from, bytes: dataBytes })
      : refused({ code: 'wav_damaged' });
  }
  const samples = samplesIn(head.value);
  if (samples === 0) return refused({ code: 'wav_empty' });
  const durationMs = Math.round((samples / rate) * 1000);
  return done({ format: 'wav', durationMs, from: 0, bytes: bytes.length, wav: head.value });
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

/** Reads the frames of an MP3 file. Null for anything else. */
function readMp3(bytes: Uint8Array): Read | null {
  // Two in a row, because the start of one frame is only eleven bits, which other files contain by chance.
  if (!areFrames(bytes, 0, 2)) return null;
  return done({ format: 'mp3', durationMs: durationOfFrames(bytes), from: 0, bytes: bytes.length });
}

/** How far players look for the first frame (mpg123, `--resync-limit`), behind tags whose size is wrong and leftovers of editors. */
const longestJunk = 64 * 1024;

function readMp3BehindJunk(bytes: Uint8Array, start: number): Read | null {
  const last = Math.min(start + longestJunk, bytes.length);
  for (let from = start + 1; from < last; from += 1) {
    if (bytes[from] !== 0xff || !areFrames(bytes, from, 3)) continue;
    const frames = readMp3(bytes.subarray(from));
    if (frames?.ok === true) return done({ ...frames.value, from });
  }
  return null;
}

/** Whether so many frames of one kind follow each other from a place on, or as many as there are. */
function areFrames(bytes: Uint8Array, start: number, count: number): boolean {
  const first = frameAt(bytes, start);
  if (first === null) return false;
  let place = start + first.bytes;
  for (let more = 1; more < count && place !== bytes.length; more += 1) {
    const next = frameAt(bytes, place);
    if (next?.version !== first.version || next.samplesPerSecond !== first.samplesPerSecond) return false;
    place += next.bytes;
  }
  return true;
}

/**
 * Where the audio begins: after ID3 tags (id3.org, "ID3 tag version 2.4.0", section 3.1) and zeros, which recorders and taggers
 * leave in front of it.
 */
export function audioStart(bytes: Uint8Array): number {
  let place = afterZeros(bytes, 0);
  while (saysAt(bytes, place, 'ID3') && place + tagHeadBytes <= bytes.length) {
    const [flags = 0, ...size] = bytes.subarray(place + 5, place + tagHeadBytes);
    const hasFooter = (flags & 0x10) !== 0;
    place += tagHeadBytes + size.reduce((sum, one) => sum * 128 + (one & 0x7f), 0);
    if (hasFooter) place += tagHeadBytes;
    place = afterZeros(bytes, place);
  }
  return place;
}

function afterZeros(bytes: Uint8Array, start: number): number {
  let place = start;
  while (bytes[place] === 0) place += 1;
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
function durationOfFrames(bytes: Uint8Array): number | null {
  let seconds = 0;
  let place = 0;
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
  const at = place + frameHeadBytes + sideBytes(version, isMono);
  return saysAt(bytes, at, 'Xing') || saysAt(bytes, at, 'Info');
}

/** How long the side information is, which comes after the head of a frame. */
function sideBytes(version: Frame['version'], isMono: boolean): number {
  if (version === 1) return isMono ? 17 : 32;
  return isMono ? 9 : 17;
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
  if (!isFirst || packet + 19 > bytes.length) return refused({ code: 'ogg_damaged' });
  const stream = streamAt(bytes, packet);
  if (typeof stream === 'string') return refused({ code: stream });
  return done({ format: 'ogg', durationMs: durationOf(bytes, stream), from: 0, bytes: bytes.length });
}

function streamAt(bytes: Uint8Array, packet: number): Stream | 'ogg_damaged' | 'ogg_codec' {
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

/** How the files of other formats begin: at which byte, and with which characters. */
const otherFormats: readonly (readonly [OtherAudio, number, ...string[]])[] = [
  ['m4a', 4, 'ftyp'],
  ['flac', 0, 'fLaC'],
  ['webm', 0, '\x1a\x45\xdf\xa3'],
  ['aiff', 8, 'AIFF', 'AIFC'],
  ['aac', 0, '\xff\xf1', '\xff\xf9', 'ADIF'],
  ['wma', 0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11'],
  ['amr', 0, '#!AMR'],
  ['au', 0, '.snd'],
  ['caf', 0, 'caff'],
  ['wave64', 0, 'riff\x2e\x91\xcf\x11'],
];

function otherFormat(bytes: Uint8Array): OtherAudio | null {
  return otherFormats.find(([, at, ...tags]) => tags.some((tag) => saysAt(bytes, at, tag)))?.[0] ?? null;
}

/** The properties read from the content of an audio file. */
export interface AudioFacts {
  readonly format: AudioFormat;
  /** In milliseconds; null if the file does not contain it. */
  readonly durationMs: number | null;
  /** Where the audio is in the upload: what is in front of it and behind it is not needed. */
  readonly from: number;
  readonly bytes: number;
  /** Of a WAV file. */
  readonly wav?: WavHead;
}
