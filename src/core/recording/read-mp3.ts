import { done, refused, type Result } from '../result.ts';
import { type AudioFacts, saysAt, viewOf } from './audio-facts.ts';

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

/** Reads an MP3 file: an ID3 tag perhaps, then frames. Null for what does not begin so. */
export function readMp3(bytes: Uint8Array): Result<AudioFacts, string> | null {
  const start = audioStart(bytes);
  const first = frameAt(bytes, start);
  const second = first === null ? null : frameAt(bytes, start + first.bytes);
  // Two in a row: the beginning of one frame is eleven bits, which other files have by chance.
  const isAudio =
    first !== null &&
    (start + first.bytes === bytes.length ||
      (second !== null &&
        second.version === first.version &&
        second.samplesPerSecond === first.samplesPerSecond));
  if (isAudio) return done({ format: 'mp3', durationMs: durationFrom(bytes, start) });
  return start === 0 ? null : refused('an ID3 tag without MP3 audio behind it');
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

/** The sum of the frames; null when something stands between them that is not audio. */
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

/** Whether a frame is the silent one that encoders put first, with an index of the others in it ("Xing" or "Info"). */
function isIndex(bytes: Uint8Array, place: number, { version }: Frame): boolean {
  const isMono = (bytes[place + 3] ?? 0) >>> 6 === 3;
  const sideBytes = version === 1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const at = place + frameHeadBytes + sideBytes;
  return saysAt(bytes, at, 'Xing') || saysAt(bytes, at, 'Info');
}
