import { crc32, deflateSync, inflateSync } from 'node:zlib';
import {
  fullRing,
  type TrayIcon,
  trayIconName,
  type TrayTheme,
} from '../../../src/main/tray/tray-icon-name.ts';
import { drawAppIcon } from './draw-app-icon.ts';
import { drawTrayIcon } from './draw-tray-icon.ts';
import type { Picture } from './shape.ts';

/** A file of pictures. */
export interface IconFile {
  /** Below `resources` for those of the app, below `out/tray` for those of the tray; with forward slashes. */
  readonly path: string;
  readonly form: 'png' | 'ico' | 'icns';
  readonly draw: () => Picture[];
}

/** Linux desktops choose among these. */
const linuxSizesPx = [16, 24, 32, 48, 64, 128, 256, 512];
/** What Windows asks for at 100, 125, 150, 200 and 250 %, small and large, and the largest an icon file can hold. */
const windowsSizesPx = [16, 20, 24, 32, 40, 48, 64, 128, 256];

/** macOS menu bars are 22 pt and more high; a picture of 18 pt with its margin of 1 sits like the system's own. */
const macGridPx = 18;
/** What most Linux panels show; Electron hands them the `@2x` picture, so it halves without a blur. */
const linuxGridPx = 22;
/** The notification area of Windows at 100, 125, 150, 200, 250 and 300 %. */
const windowsGrids = [
  { gridPx: 16, scale: 1 },
  { gridPx: 20, scale: 1 },
  { gridPx: 24, scale: 1 },
  { gridPx: 16, scale: 2 },
  { gridPx: 20, scale: 2 },
  { gridPx: 24, scale: 2 },
];

/** Every picture of the tray. The build draws them: nobody has to look at 530 files in the tree. */
export function trayIconFiles(): IconFile[] {
  return trayIcons().flatMap(filesOf);
}

/** Every drawing the tray can ask for. */
export function trayIcons(): TrayIcon[] {
  const states = ['fine', 'due', 'failing', 'paused'] as const;
  const fullnesses = Array.from({ length: fullRing + 1 }, (_, step) => step / fullRing);
  return [
    { state: 'idle', fullness: 0 },
    ...states.flatMap((state) => fullnesses.map((fullness) => ({ state, fullness }))),
  ];
}

export function encodeIconFile({ form }: IconFile, pictures: readonly Picture[]): Buffer {
  switch (form) {
    case 'png':
      return Buffer.concat(pictures.map(encodePng));
    case 'ico':
      return encodeIco(pictures);
    case 'icns':
      return encodeIcns(pictures);
  }
}

export function decodeIconFile({ form }: IconFile, bytes: Buffer): Picture[] {
  switch (form) {
    case 'png':
      return [decodePng(bytes)];
    case 'ico':
      return decodeIco(bytes);
    case 'icns':
      return decodeIcns(bytes).map(({ picture }) => picture);
  }
}

/** What packaging wants as files in `resources`. */
export function appIconFiles(): IconFile[] {
  return [
    { path: 'icon.png', form: 'png', draw: () => [drawAppIcon(1024)] },
    { path: 'icon.ico', form: 'ico', draw: () => windowsSizesPx.map((sizePx) => drawAppIcon(sizePx)) },
    {
      path: 'icon.icns',
      form: 'icns',
      draw: () => icnsTypes.map(([, sizePx]) => drawAppIcon(sizePx, 'mac')),
    },
    ...linuxSizesPx.map((sizePx): IconFile => ({
      path: `icons/${sizePx}x${sizePx}.png`,
      form: 'png',
      draw: () => [drawAppIcon(sizePx)],
    })),
  ];
}

function filesOf(icon: TrayIcon): IconFile[] {
  const path = (theme: TrayTheme, format: 'png' | 'ico') => trayIconName(icon, theme, format);
  const pair = (theme: TrayTheme, gridPx: number): IconFile[] =>
    [1, 2].map((scale) => ({
      path: scale === 1 ? path(theme, 'png') : path(theme, 'png').replace('.png', '@2x.png'),
      form: 'png',
      draw: () => [drawTrayIcon(icon, theme, { gridPx, scale })],
    }));
  const forPanels = (['light', 'dark'] as const).flatMap((theme): IconFile[] => [
    ...pair(theme, linuxGridPx),
    {
      path: path(theme, 'ico'),
      form: 'ico',
      draw: () => windowsGrids.map((grid) => drawTrayIcon(icon, theme, grid)),
    },
  ]);
  // Chosen on Linux only: Windows says what its panel looks like.
  return [...pair('template', macGridPx), ...forPanels, ...pair('coloured', linuxGridPx)];
}

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
