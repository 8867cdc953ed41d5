import type { Picture } from './picture.ts';
import { decodePng, encodePng } from './png.ts';

const headerBytes = 6;
const entryBytes = 16;

/**
 * A Windows icon file: the same icon in several sizes, 256 px at most, each as a PNG (Windows Vista and later).
 *
 * Windows takes the entry of the size it needs, which differs with the scaling of the screen.
 */
export function encodeIco(pictures: readonly Picture[]): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(pictures.length, 4);
  const pngs = pictures.map((picture) => encodePng(picture));
  let offset = headerBytes + entryBytes * pictures.length;
  const entries = pictures.map(({ sizePx }, i) => {
    const length = pngs[i]?.length ?? 0;
    const entry = Buffer.alloc(entryBytes);
    // One byte each for width and height, where 0 means 256.
    entry[0] = entry[1] = sizePx % 256;
    // Planes, bits a pixel.
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += length;
    return entry;
  });
  return Buffer.concat([header, ...entries, ...pngs]);
}

/** The pictures of an icon file of ours. Throws when the table does not say what the entries are. */
export function decodeIco(ico: Buffer): Picture[] {
  if (ico.readUInt32LE(0) !== 0x00010000) throw new Error('Not a Windows icon file.');
  return Array.from({ length: ico.readUInt16LE(4) }, (_, i) => {
    const entry = ico.subarray(headerBytes + i * entryBytes, headerBytes + (i + 1) * entryBytes);
    const offset = entry.readUInt32LE(12);
    const picture = decodePng(ico.subarray(offset, offset + entry.readUInt32LE(8)));
    if (entry[0] !== picture.sizePx % 256 || entry[1] !== entry[0]) {
      throw new Error(`Entry ${i} of the icon file is ${picture.sizePx} px, but the table says otherwise.`);
    }
    return picture;
  });
}
