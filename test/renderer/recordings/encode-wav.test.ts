import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeWav, isReadable, readWav as readBack, readWavForm } from '../../../src/core/recording/wav.ts';

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

  it('is known by its own rate', () => {
    expect(readWavForm(encoded([0, 0], 16_000).buffer)?.rate).toBe(16_000);
  });
});

describe('the rate of a file', () => {
  it('is found behind other chunks', () => {
    const file = encoded([0, 0], 11_025);
    const list = Buffer.from('LIST\u0003\0\0\0abc\0', 'latin1'); // of odd length, so one byte more
    const longer = Buffer.concat([file.subarray(0, 12), list, file.subarray(12)]);
    expect(readWavForm(Uint8Array.from(longer).buffer)?.rate).toBe(11_025);
  });

  it.each([
    ['nothing', ''],
    ['an MP3', 'ID3\u0004\0\0\0\0\0\0\0\0\0\0'],
    ['a picture in a RIFF', 'RIFF\u0008\0\0\0WEBPfmt \u0010\0\0\0'],
    ['a WAV that ends in its format', 'RIFF\u0008\0\0\0WAVEfmt \u0010\0\0\0\u0001\0'],
    ['a WAV without a format', 'RIFF\u0008\0\0\0WAVEdata\u0000\0\0\0'],
  ])('is not known of %s', (_what, text) => {
    expect(readWavForm(Uint8Array.from(Buffer.from(text, 'latin1')).buffer)).toBeNull();
  });
});

describe('the samples of a file', () => {
  /** A WAV file of two channels and two samples each. */
  function wavOf(codec: number, bits: number, data: Buffer, size = data.length): ArrayBuffer {
    const head = Buffer.alloc(44);
    head.write('RIFF', 0, 'latin1');
    head.write('WAVEfmt \u0010', 8, 'latin1');
    head.writeUInt32LE(16, 16);
    head.writeUInt16LE(codec, 20);
    head.writeUInt16LE(2, 22);
    head.writeUInt32LE(8_000, 24);
    head.writeUInt16LE(bits, 34);
    head.write('data', 36, 'latin1');
    head.writeUInt32LE(size, 40);
    return Uint8Array.from(Buffer.concat([head, data])).buffer;
  }
  const floats = Buffer.from(Float32Array.from([0, 1, 0.5, -0.5]).buffer);
  const eight = Buffer.from([0x80, 0xff, 0xc0, 0x40]);
  const sixteen = Buffer.from(Int16Array.from([0, 32_767, 16_384, -16_384]).buffer);
  const twentyFour = Buffer.from([0, 0, 0, 0xff, 0xff, 0x7f, 0, 0, 0x40, 0, 0, 0xc0]);
  const muLaw = Buffer.from([0xff, 0x80, 0x90, 0x10]);

  it.each([
    ['8 bits', wavOf(1, 8, eight)],
    ['16 bits', wavOf(1, 16, sixteen)],
    ['24 bits', wavOf(1, 24, twentyFour)],
    ['floating point', wavOf(3, 32, floats)],
    ['µ-law', wavOf(7, 8, muLaw)],
    ['an unknown size', wavOf(1, 16, sixteen, 0)],
    ['half a sample at the end', wavOf(1, 16, Buffer.concat([sixteen, Buffer.from([1])]), 0xffff_ffff)],
  ])('are read from %s, channel by channel', (_what, file) => {
    const form = readWavForm(file)!;
    expect(isReadable(form)).toBe(true);
    const { samples, rate } = readBack(file, form);
    expect(rate).toBe(8_000);
    for (const [place, one] of [0, 0.5].entries()) expect(samples[0]![place]).toBeCloseTo(one, 1);
    for (const [place, one] of [1, -0.5].entries()) expect(samples[1]![place]).toBeCloseTo(one, 1);
    expect(samples.map(({ length }) => length)).toEqual([2, 2]);
  });

  it('are left to the browser where their codec is another', () => {
    for (const codec of [6, 0x11, 0x31])
      expect(isReadable(readWavForm(wavOf(codec, 8, Buffer.alloc(4)))!)).toBe(false);
  });
});
