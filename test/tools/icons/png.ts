import { crc32, deflateSync, inflateSync } from 'node:zlib';

import type { Picture } from './picture.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const bytesAPixel = 4;
/** Eight bits a sample; red, green, blue and alpha; packed, filtered and not interlaced in the only or usual way. */
const kind = Buffer.from([8, 6, 0, 0, 0]);

/** The filters in use, by their number in the PNG specification (section 9): which neighbour is subtracted from a byte. */
const filters = ['none', 'left', 'above'] as const;
type Filter = (typeof filters)[number];

/**
 * A PNG of 8-bit red, green, blue and alpha: the one kind that Windows also reads inside an icon file.
 *
 * Flat drawings pack best without a filter and gradients with one, so each is tried. Another zlib may pack the same
 * pixels into other bytes: compare pixels, never files.
 */
export function encodePng({ sizePx, rgba }: Picture): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(sizePx, 0);
  size.writeUInt32BE(sizePx, 4);
  const packed = filters
    .map((filter) => deflateSync(filterRows(sizePx, rgba, filter), { level: 9 }))
    .reduce((smallest, next) => (next.length < smallest.length ? next : smallest));
  return Buffer.concat([
    signature,
    chunk('IHDR', Buffer.concat([size, kind])),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Reads back what `encodePng` wrote. Throws for a damaged file and for any other kind of PNG. */
export function decodePng(png: Buffer): Picture {
  if (!png.subarray(0, 8).equals(signature)) throw new Error('Not a PNG file.');
  const chunks = readChunks(png);
  const header = chunks.get('IHDR');
  const packed = chunks.get('IDAT');
  if (header === undefined || packed === undefined || !chunks.has('IEND')) {
    throw new Error('The PNG file is cut off.');
  }
  const sizePx = header.readUInt32BE(0);
  if (header.readUInt32BE(4) !== sizePx || !header.subarray(8).equals(kind)) {
    throw new Error('The PNG file is not a square of 8-bit red, green, blue and alpha.');
  }
  return { sizePx, rgba: unfilterRows(sizePx, inflateSync(packed)) };
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function readChunks(png: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let at = signature.length; at < png.length;) {
    const checkAt = at + 8 + png.readUInt32BE(at);
    const named = png.subarray(at + 4, checkAt);
    if (crc32(named) !== png.readUInt32BE(checkAt)) throw new Error('The PNG file is damaged.');
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4));
    at = checkAt + 4;
  }
  return chunks;
}

/** Every row with the same filter, each preceded by the filter's number. */
function filterRows(sizePx: number, rgba: Uint8Array, filter: Filter): Buffer {
  const rowBytes = sizePx * bytesAPixel;
  const rows = Buffer.alloc(sizePx * (1 + rowBytes));
  for (let row = 0; row < sizePx; row += 1) {
    rows[row * (1 + rowBytes)] = filters.indexOf(filter);
    for (let i = 0; i < rowBytes; i += 1) {
      const at = row * rowBytes + i;
      rows[row + 1 + at] = (rgba[at] ?? 0) - neighbour(rgba, at, rowBytes, filter);
    }
  }
  return rows;
}

function unfilterRows(sizePx: number, rows: Buffer): Uint8Array {
  const rowBytes = sizePx * bytesAPixel;
  const rgba = new Uint8Array(sizePx * rowBytes);
  for (let row = 0; row < sizePx; row += 1) {
    const filter = filters[rows[row * (1 + rowBytes)] ?? 0];
    if (filter === undefined) throw new Error('The PNG file uses a filter that encodePng does not.');
    for (let i = 0; i < rowBytes; i += 1) {
      const at = row * rowBytes + i;
      rgba[at] = (rows[row + 1 + at] ?? 0) + neighbour(rgba, at, rowBytes, filter);
    }
  }
  return rgba;
}

/** The byte that the filter predicts from: 0 beyond the picture. */
function neighbour(rgba: Uint8Array, at: number, rowBytes: number, filter: Filter): number {
  switch (filter) {
    case 'none':
      return 0;
    case 'left':
      return at % rowBytes < bytesAPixel ? 0 : (rgba[at - bytesAPixel] ?? 0);
    case 'above':
      return rgba[at - rowBytes] ?? 0;
  }
}
