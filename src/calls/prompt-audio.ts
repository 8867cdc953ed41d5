import samplerate from '@alexanderolsen/libsamplerate-js'; // CommonJS: no named exports in Node
import type { AudioFormat } from '../contract/menu/recording.ts';
import { type Channels, mixed, type Sound } from '../core/recording/sound.ts';
import { encodeWav, readWav } from '../core/recording/wav.ts';
import { isWav, readWavHead } from '../core/recording/wav-head.ts';

/** What every Asterisk plays without more modules: 8 kHz, 16 bits, mono (formats/format_wav.c). */
const telephoneRate = 8000;

/**
 * A recording as a telephone system plays it; null when it cannot be decoded.
 *
 * Each decoder is loaded when the first recording needs it. Two minutes of audio take a few tenths of a second, once.
 */
export async function telephoneWav(bytes: Uint8Array, format: AudioFormat): Promise<Uint8Array | null> {
  const channels = await decoded(bytes, format);
  if (channels === null || channels.samples.length === 0 || !(channels.rate > 0)) return null;
  return encodeWav(await resampled(mixed(channels)));
}

async function decoded(bytes: Uint8Array, format: AudioFormat): Promise<Channels | null> {
  switch (format) {
    case 'wav':
      return decodedWav(bytes);
    case 'mp3': {
      const { MPEGDecoder } = await import('mpg123-decoder');
      return freed(new MPEGDecoder(), (decoder) => decoder.decode(bytes));
    }
    case 'ogg': {
      if (isOpus(bytes)) {
        const { OggOpusDecoder } = await import('ogg-opus-decoder');
        return freed(new OggOpusDecoder(), (decoder) => decoder.decodeFile(bytes));
      }
      const { OggVorbisDecoder } = await import('@wasm-audio-decoders/ogg-vorbis');
      return freed(new OggVorbisDecoder(), (decoder) => decoder.decodeFile(bytes));
    }
  }
}

function decodedWav(bytes: Uint8Array): Channels | null {
  const head = isWav(bytes) ? readWavHead(bytes) : null;
  return head?.ok === true && head.value.codec !== 'mp3' ? readWav(bytes, head.value) : null;
}

interface Decoded {
  readonly channelData: Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

async function freed<D extends { ready: Promise<void>; free(): void }>(
  decoder: D,
  decode: (decoder: D) => Decoded | Promise<Decoded>,
): Promise<Channels | null> {
  await decoder.ready;
  try {
    const { channelData, samplesDecoded, sampleRate } = await decode(decoder);
    if (samplesDecoded === 0) return null;
    return { samples: channelData.map((samples) => new Float32Array(samples)), rate: sampleRate };
  } catch {
    return null; // a damaged file makes some decoders throw
  } finally {
    decoder.free();
  }
}

/** The first packet of an Opus stream says so (RFC 7845 section 5.1). */
function isOpus(bytes: Uint8Array): boolean {
  const packet = 27 + (bytes[26] ?? 0);
  return Buffer.from(bytes.subarray(packet, packet + 8)).toString('latin1') === 'OpusHead';
}

async function resampled({ samples, rate }: Sound): Promise<Sound> {
  if (rate === telephoneRate) return { samples, rate };
  const converter = await samplerate.create(1, rate, telephoneRate);
  try {
    return { samples: converter.simple(samples), rate: telephoneRate };
  } finally {
    converter.destroy();
  }
}
