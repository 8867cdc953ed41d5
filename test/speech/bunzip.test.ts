import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bunzip, DamagedArchive } from '../../src/speech/bunzip.ts';

/* Files as bzip2 1.0.8 and libbz2 write them. */
const nothing = Buffer.from('QlpoORdyRThQkAAAAAA=', 'base64');
/** 40 lines. */
const lines = Buffer.from(
  'QlpoOTFBWSZTWd9y2FoAAIvbgAAQQAEgAEAAIwSYACAAcEDQNAKVTTQMmBNiZE2JgToToTAmhMiZE9E0JsTQngmxOxOBPxdyRThQkN9y2Fo=',
  'base64',
);
/** Three million zeros. */
const zeros = Buffer.from('QlpoMTFBWSZTWaZFgLIAFvpACMAAQAAACCAAMMwJqmmpAi2pIEXi7kinChIUyLAWQA==', 'base64');
/** Letters at random, every byte there is, and runs of 300 and of five. */
const mixed = Buffer.from(
  'QlpoMTFBWSZTWUVjjKQAAHv/////////////////////////////////////////////sAGbQGEAAAAAAAAAAAAAAAAAAAAA' +
    'AJgEwAAAAAAAAAAAAAAmAAJgAgAAAAAAAAAAJgAAAAAAAAAAEwAAAAAAAAAAAAAAAAAAmAmCKbApUAAAAAAAAAAAAAANNNG1' +
    'NAAAAAAAAAAAAAAAAAAAAAAAAAfr/CAQjoRwOeAEVn4dD4hEYlE4pFYtF4xGY1G45HY9H5BIZFI5JJZNJ5RKZVK5ZLSorLC0' +
    'qLi8wMTIzNDU2Nzg5Ojs8PT4//iAgoSGiIqMjpCSlJaYmpyeoKKkpqiqrK6ws1+wWGxWOyQVlg7NBA889AnsGAAMCFQThSI7' +
    'TDLDKZEJm43Ps5RYTRzPJAAAQiNHyNSJxCgvg+5xibPgiEysyKyCTyITCpuITERRHCbIJG4SYyRAcoEaohOBRMDc4EFiZDI0' +
    'ciozCgkCmoC4lUGcKKhIzMjADKZOZyPIzyGQsQKzhAiUXGQqACrKgoblNGAhMkNRcBKRIqvFRmM31YkZX2U0FygQIZKIo8Lh' +
    'JCIyRxsQKzAhMo2q12y22633C43K53S63a73i83q93y+36/4DA4LB4SGh4iJiouM/sbHR8hIyUnKSstLzEzNTc5Oz0/QUNFR' +
    '0lLTU9RU1VXWVtdX2FjZWdpa21vcXN1d3l7fX+Bg4WHiYuNj5GTlZeZm52foaOlp6mrra+xs7W3ubu9v8HDxcfJ/uXm5+jp6' +
    'uvs7e7v8PHy8//6evt7/Ex8/P19/n6LuSKcKEgiscZSA',
  'base64',
);
const digestOfMixed = 'ffff7dda4f8dec0c46914002517278eaf4ad72d3bab1c490cba7ae2e08e79b53';

function plain(bytes: Uint8Array): Buffer {
  return Buffer.concat([...bunzip([bytes])]);
}

/** As a file is read: the memory of a chunk is used again. */
function* inChunksOf(length: number, bytes: Uint8Array): Generator<Uint8Array> {
  const chunk = new Uint8Array(length);
  for (let at = 0; at < bytes.length; at += length) {
    const part = bytes.subarray(at, at + length);
    chunk.set(part);
    yield chunk.subarray(0, part.length);
  }
}

describe('bunzip', () => {
  it('gives what was compressed', () => {
    expect(plain(nothing)).toHaveLength(0);
    expect(plain(lines).toString()).toBe('Press 1 for sales.\n'.repeat(40));
    expect(plain(zeros).equals(Buffer.alloc(3_000_000))).toBe(true);
    expect(hash('sha256', plain(mixed), 'hex')).toBe(digestOfMixed);
  });

  it.each([1, 7, 64])('gives the same from chunks of %i bytes', (length) => {
    const all = Buffer.concat([lines, nothing, mixed]);
    expect(Buffer.concat([...bunzip(inChunksOf(length, all))]).equals(plain(all))).toBe(true);
  });

  it('needs the memory of one block, and none for each of many that are empty or small', () => {
    const many = 20_000;
    const small = Buffer.concat(
      Array.from({ length: many }, (_, nth) => (nth % 100 === 0 ? lines : nothing)),
    );
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    let bytes = 0;
    let chunks = 0;
    for (const chunk of bunzip([small])) {
      bytes += chunk.buffer.byteLength;
      chunks += 1;
      most = Math.max(most, process.memoryUsage().arrayBuffers - before);
    }
    expect(chunks).toBe(many / 100);
    expect(bytes / chunks, 'of the memory of a chunk').toBeLessThan(64_000);
    expect(most).toBeLessThan(20_000_000);
  });

  it('reads several streams one after the other', () => {
    expect(plain(Buffer.concat([lines, nothing, lines])).toString()).toBe('Press 1 for sales.\n'.repeat(80));
  });

  it('gives the first bytes of a small file before millions of them are made', () => {
    const [first] = bunzip([zeros]);
    expect(first?.length).toBeLessThan(1_000_000);
  });

  it('refuses every file that ends too early, without a word of what it could not check', () => {
    for (const whole of [nothing, mixed])
      for (let length = 0; length < whole.length; length += 1)
        expect(() => plain(whole.subarray(0, length)), `${length} bytes`).toThrow(DamagedArchive);
  });

  it('refuses a file with a changed bit, or gives the same', () => expectRefused(16));

  it('does so for every bit', { tags: ['long'] }, () => expectRefused(1));

  /** With one bit of so many changed in each file. */
  function expectRefused(step: number): void {
    const right = plain(mixed);
    for (let bit = 0; bit < mixed.length * 8; bit += step) {
      const other = Uint8Array.from(mixed);
      other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      let read: Buffer;
      try {
        read = plain(other);
      } catch (error) {
        expect(error).toBeInstanceOf(DamagedArchive);
        continue;
      }
      expect(read.equals(right), `bit ${bit}`).toBe(true);
    }
  }
});
