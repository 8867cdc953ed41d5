import { done, refused, type Result } from '../result.ts';
import { type AudioFacts, saysAt, viewOf } from './audio-facts.ts';

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

/** Reads a RIFF/WAVE file; null for what is none, and why not for one that cannot be played. */
export function readWav(bytes: Uint8Array): Result<AudioFacts, string> | null {
  if (!saysAt(bytes, 0, 'RIFF') || !saysAt(bytes, 8, 'WAVE')) return null;
  const view = viewOf(bytes);
  let form: WavForm | null = null;
  for (let place = riffHeadBytes; place + chunkHeadBytes <= bytes.length;) {
    const size = view.getUint32(place + 4, true);
    const start = place + chunkHeadBytes;
    if (saysAt(bytes, place, 'fmt ')) {
      if (size < formBytes || start + formBytes > bytes.length) break;
      form = formAt(view, start);
      if (!isSane(form)) return refused('a WAV file whose format (its fmt chunk) makes no sense');
      if (!codecs.has(form.codec))
        return refused(`a WAV file with a codec that is not known (${form.codec})`);
    } else if (saysAt(bytes, place, 'data')) {
      if (form === null) break;
      // Whoever records to a pipe cannot know the size and writes 0 or the largest one.
      const left = bytes.length - start;
      const dataBytes = size === 0 ? left : Math.min(size, left);
      if (dataBytes === 0) return refused('a WAV file without a sound in it');
      return done({ format: 'wav', durationMs: Math.round((dataBytes / form.bytesPerSecond) * 1000) });
    }
    place = start + size + (size % 2);
  }
  return refused(form === null ? 'a WAV file without a fmt chunk' : 'a WAV file without audio data');
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
