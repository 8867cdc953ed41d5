import { crc32 } from 'node:zlib';
import { expect, it } from 'vitest';
import { zipFile } from '../../../../src/core/ivr/export/zip-file.ts';

const files = [
  { name: 'README.txt', content: new TextEncoder().encode('Read me.\n') },
  { name: 'sounds/rotavox/empty.wav', content: new Uint8Array() },
  { name: 'sounds/rotavox/all.wav', content: Uint8Array.from({ length: 70_000 }, (_, place) => place % 256) },
];

/** Reads an archive from its end, as programs do. */
function readArchive(archive: Uint8Array) {
  const view = new DataView(archive.buffer);
  const end = archive.length - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  const count = view.getUint16(end + 10, true);
  let place = view.getUint32(end + 16, true);
  const text = (from: number, bytes: number) =>
    new TextDecoder().decode(archive.subarray(from, from + bytes));
  return Array.from({ length: count }, () => {
    expect(view.getUint32(place, true)).toBe(0x02014b50);
    const [crc, stored, bytes] = [16, 20, 24].map((at) => view.getUint32(place + at, true));
    const nameBytes = view.getUint16(place + 28, true);
    const name = text(place + 46, nameBytes);
    const from = view.getUint32(place + 42, true);
    expect(view.getUint32(from, true)).toBe(0x04034b50);
    expect(view.getUint16(from + 8, true)).toBe(0); // stored
    expect([14, 18, 22].map((at) => view.getUint32(from + at, true))).toEqual([crc, stored, bytes]);
    expect(text(from + 30, view.getUint16(from + 26, true))).toBe(name);
    const content = archive.slice(from + 30 + nameBytes, from + 30 + nameBytes + bytes!);
    expect(crc32(content)).toBe(crc);
    place += 46 + nameBytes;
    return { name, content };
  });
}

it('an archive has every file under its name, and is the same each time', () => {
  const archive = zipFile(files);
  expect(readArchive(archive)).toEqual(files);
  expect(zipFile(files)).toEqual(archive);
});

it('an archive may be empty', () => {
  expect(readArchive(zipFile([]))).toEqual([]);
});
