import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeWav } from '../../../src/core/recording/wav.ts';

/** What stands in a file, read as the RIFF format says and by nothing of ours. */
function readWav(file: Uint8Array<ArrayBuffer>) {
  const bytes = Buffer.from(file);
  const text = (from: number) => bytes.toString('latin1', from, from + 4);
  return {
    tags: [text(0), text(8), text(12), text(36)],
    riffBytes: bytes.readUInt32LE(4),
    formatBytes: bytes.readUInt32LE(16),
    coding: bytes.readUInt16LE(20),
    channels: bytes.readUInt16LE(22),
    rate: bytes.readUInt32LE(24),
    bytesPerSecond: bytes.readUInt32LE(28),
    bytesPerFrame: bytes.readUInt16LE(32),
    bits: bytes.readUInt16LE(34),
    dataBytes: bytes.readUInt32LE(40),
    samples: Array.from({ length: (bytes.length - 44) / 2 }, (_, place) => bytes.readInt16LE(44 + 2 * place)),
  };
}

const encoded = (samples: number[], rate = 8_000) => encodeWav({ samples: Float32Array.from(samples), rate });

describe('a WAV file', () => {
  it('says what is in it', () => {
    expect(readWav(encoded([0, 0.5, -0.5], 44_100))).toMatchObject({
      tags: ['RIFF', 'WAVE', 'fmt ', 'data'],
      riffBytes: 36 + 6,
      formatBytes: 16,
      coding: 1,
      channels: 1,
      rate: 44_100,
      bytesPerSecond: 88_200,
      bytesPerFrame: 2,
      bits: 16,
      dataBytes: 6,
    });
  });

  it('has each sample, sixteen bits long', () => {
    expect(readWav(encoded([0, 1, -1, 0.5, -0.25, 1 / 32_767])).samples).toEqual([
      0, 32_767, -32_767, 16_384, -8192, 1,
    ]);
  });

  it('has the loudest that there is in the place of what is louder', () => {
    expect(readWav(encoded([1.0001, 7, -7])).samples).toEqual([32_767, 32_767, -32_767]);
  });

  it('may be empty', () => {
    expect(readWav(encoded([]))).toMatchObject({ riffBytes: 36, dataBytes: 0, samples: [] });
  });

  it('keeps every sample within half a step, in its place', () => {
    const sample = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 50 }), (samples) => {
        const read = readWav(encoded(samples)).samples;
        expect(read).toHaveLength(samples.length);
        for (const [place, one] of samples.entries())
          expect(Math.abs(read[place]! / 32_767 - one)).toBeLessThanOrEqual(0.5001 / 32_767);
      }),
    );
  });
});
