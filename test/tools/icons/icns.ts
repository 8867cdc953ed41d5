import type { Picture } from './picture.ts';
import { decodePng, encodePng } from './png.ts';

/**
 * The entries of a macOS icon file that hold a PNG, and their sizes: 16 to 512 pt, the smallest two for Retina only.
 *
 * 16 and 32 px have types of their own, but a PNG in them shows wrongly as the icon of an app
 * (https://en.wikipedia.org/wiki/Apple_Icon_Image_format); macOS scales the Retina pictures instead.
 */
export const icnsTypes: readonly (readonly [type: string, sizePx: number])[] = [
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
];

/** A macOS icon file of these pictures, which come in the order of `icnsTypes`. */
export function encodeIcns(pictures: readonly Picture[]): Buffer {
  const entries = icnsTypes.map(([type, sizePx], i) => {
    const picture = pictures[i];
    if (picture?.sizePx !== sizePx) throw new Error(`${type} wants a picture of ${sizePx} px.`);
    return block(type, encodePng(picture));
  });
  return block('icns', Buffer.concat(entries));
}

/** The entries of a macOS icon file, in their order. Throws when it is cut off. */
export function decodeIcns(icns: Buffer): { type: string; picture: Picture }[] {
  if (icns.toString('latin1', 0, 4) !== 'icns') throw new Error('Not a macOS icon file.');
  if (icns.readUInt32BE(4) !== icns.length) throw new Error('The macOS icon file is cut off.');
  const entries: { type: string; picture: Picture }[] = [];
  for (let at = 8; at < icns.length;) {
    const end = at + icns.readUInt32BE(at + 4);
    const type = icns.toString('latin1', at, at + 4);
    entries.push({ type, picture: decodePng(icns.subarray(at + 8, end)) });
    at = end;
  }
  return entries;
}

/** Four letters, the length of all of it, and what it holds. */
function block(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8, type, 'latin1');
  head.writeUInt32BE(8 + content.length, 4);
  return Buffer.concat([head, content]);
}
