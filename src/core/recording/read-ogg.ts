import { done, refused, type Result } from '../result.ts';
import { type AudioFacts, saysAt, viewOf } from './audio-facts.ts';

const pageHeadBytes = 27;
const beginsStream = 2;
const opusSamplesPerSecond = 48_000;
/** A page on which no packet ends has no position. */
const noPosition = 0xffff_ffff_ffff_ffffn;

interface Stream {
  readonly samplesPerSecond: number;
  /** Samples that are decoded and not heard. */
  readonly skipped: number;
}

/** Reads an Ogg file with Vorbis or Opus (RFC 3533, RFC 7845, and the Vorbis I specification); null for what is none. */
export function readOgg(bytes: Uint8Array): Result<AudioFacts, string> | null {
  if (!saysAt(bytes, 0, 'OggS')) return null;
  const segments = bytes[26] ?? 0;
  const packet = pageHeadBytes + segments;
  const isFirst = bytes[4] === 0 && ((bytes[5] ?? 0) & beginsStream) !== 0;
  if (!isFirst || packet + 19 > bytes.length) return refused('an Ogg file whose beginning is missing');
  const stream = streamAt(bytes, packet);
  if (typeof stream === 'string') return refused(stream);
  return done({ format: 'ogg', durationMs: durationOf(bytes, stream) });
}

function streamAt(bytes: Uint8Array, packet: number): Stream | string {
  const view = viewOf(bytes);
  if (saysAt(bytes, packet, '\x01vorbis')) {
    const samplesPerSecond = view.getUint32(packet + 12, true);
    const isSane = (bytes[packet + 11] ?? 0) > 0 && samplesPerSecond > 0;
    return isSane ? { samplesPerSecond, skipped: 0 } : 'an Ogg file whose Vorbis header makes no sense';
  }
  if (saysAt(bytes, packet, 'OpusHead')) {
    if ((bytes[packet + 9] ?? 0) === 0) return 'an Ogg file whose Opus header makes no sense';
    return { samplesPerSecond: opusSamplesPerSecond, skipped: view.getUint16(packet + 10, true) };
  }
  if (saysAt(bytes, packet, '\x80theora')) return 'an Ogg file with video (Theora)';
  if (saysAt(bytes, packet, 'Speex   ')) return 'an Ogg file with Speex';
  if (saysAt(bytes, packet, '\x7fFLAC')) return 'an Ogg file with FLAC';
  return 'an Ogg file with something other than Vorbis or Opus';
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
