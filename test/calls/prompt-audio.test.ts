import { describe, expect, test } from 'vitest';
import { telephoneWav } from '../../src/calls/prompt-audio.ts';
import { encodeWav, readWav } from '../../src/core/recording/wav.ts';
import { readWavHead } from '../../src/core/recording/wav-head.ts';
import { sweep } from '../fixtures/audio-files.ts';
import { audioFiles } from './audio-samples.ts';

function soundIn(bytes: Uint8Array | null): { seconds: number; rate: number; loudest: number } {
  if (bytes === null) throw new Error('nothing');
  const head = readWavHead(bytes);
  if (!head.ok) throw new Error('no WAV');
  expect(head.value).toMatchObject({ codec: 'int16', channels: 1, rate: 8000, isPlain: true });
  const { samples, rate } = readWav(bytes, head.value);
  const [only = new Float32Array()] = samples;
  return { seconds: only.length / rate, rate, loudest: Math.max(...only) };
}

describe('a recording for a telephone', () => {
  test.each([8000, 16_000, 44_100, 48_000])(
    'is converted from WAV at %i Hz with its length',
    async (rate) => {
      const samples = Float32Array.from(
        { length: rate },
        (_, at) => Math.sin((at / rate) * 2 * Math.PI * 440) / 2,
      );
      const sound = soundIn(await telephoneWav(encodeWav({ samples, rate }), 'wav'));
      expect(sound.seconds).toBeCloseTo(1, 2);
      expect(sound.loudest).toBeGreaterThan(0.4);
      expect(sound.loudest).toBeLessThan(0.6);
    },
  );

  // Stored by an earlier version as they were uploaded.
  test.each(['alaw', 'gsm', 'ima', 'ms', 'ima-stereo', 'ms-stereo'])(
    'is converted from WAV in %s',
    async (codec) => {
      const sound = soundIn(await telephoneWav(sweep(codec), 'wav'));
      expect(sound.seconds).toBeCloseTo(0.25, 1);
      expect(sound.loudest).toBeGreaterThan(0.2);
    },
  );

  test.each(audioFiles)('is converted from $name', async ({ format, bytes, seconds }) => {
    const sound = soundIn(await telephoneWav(bytes(), format));
    // Encoders add some hundredths of a second.
    expect(Math.abs(sound.seconds - seconds)).toBeLessThan(0.1);
    expect(sound.loudest).toBeGreaterThan(0.1);
  });

  test.each(['wav', 'mp3', 'ogg'] as const)('is none when %s cannot be decoded', async (format) => {
    expect(await telephoneWav(Buffer.from('OggS nothing of a sound at all, only words'), format)).toBeNull();
  });
});
