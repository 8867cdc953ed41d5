/**
 * Reads the bytes of a text file, whatever program wrote it: the one reader for commands and windows.
 *
 * UTF-8, UTF-16 and Windows-1252 are read. What cannot be read for certain is refused: a character that is lost once cannot be
 * found again later. Here and not in `core`, because commands read files too.
 */

export type TextEncoding = 'utf-8' | 'utf-16' | 'windows-1252';

/** Why bytes are not read as a text. */
export type TextFault =
  /** A spreadsheet's own file, or another archive. */
  | { readonly code: 'workbook' }
  /** No text at all: a picture, audio, a program. */
  | { readonly code: 'binary' }
  /** Text in an encoding that is none of ours; `line` is the first that shows it. */
  | { readonly code: 'unknown_encoding'; readonly line: number }
  /** The file has a replacement character: a program before this one has lost what stood there. */
  | { readonly code: 'replaced'; readonly line: number };

export type DecodedText =
  | {
      readonly ok: true;
      readonly text: string;
      readonly encoding: TextEncoding;
      /** The file does not say its encoding, and it is not UTF-8: a person should know what was taken. */
      readonly isGuess: boolean;
    }
  | { readonly ok: false; readonly fault: TextFault };

/** Reads bytes as a text without its byte order mark. */
export function decodeText(bytes: Uint8Array): DecodedText {
  if (beginsWith(bytes, zipFile) || beginsWith(bytes, compoundFile)) return failed({ code: 'workbook' });
  const wide = wideOrderOf(bytes);
  if (wide !== null) return decodeWide(bytes, wide);
  if (bytes.includes(0)) return failed({ code: 'binary' });
  const utf8 = decodeUtf8(bytes);
  if (utf8 !== null) return decoded(utf8.replace(/^\ufeff/, ''), { encoding: 'utf-8', isGuess: false });
  const western = decodeWestern(bytes);
  const doubtful = doubtfulPlace(western);
  // A file with the mark of UTF-8 that is none is torn or mixed, not Windows-1252.
  const place = beginsWith(bytes, utf8Mark) ? 0 : doubtful;
  if (place !== null) return failed({ code: 'unknown_encoding', line: lineOf(western, place) });
  return decoded(western, { encoding: 'windows-1252', isGuess: true });
}

/** The line of the first replacement character of a text, counted from 1; null without one. */
export function lineOfReplaced(text: string): number | null {
  const place = text.indexOf('\ufffd');
  return place === -1 ? null : lineOf(text, place);
}

function decoded(text: string, how: { encoding: TextEncoding; isGuess: boolean }): DecodedText {
  const line = lineOfReplaced(text);
  return line === null ? { ok: true, text, ...how } : failed({ code: 'replaced', line });
}

function failed(fault: TextFault): DecodedText {
  return { ok: false, fault };
}

function lineOf(text: string, place: number): number {
  return text.slice(0, place).split(/\r\n|\n|\r/).length;
}

const utf8Mark = [0xef, 0xbb, 0xbf];
/** XLSX, ODS, Numbers and every other ZIP file. */
const zipFile = [0x50, 0x4b, 0x03, 0x04];
/** XLS (MS-CFB, 2.2). */
const compoundFile = [0xd0, 0xcf, 0x11, 0xe0];

function beginsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

interface WideOrder {
  /** The index of the lower byte in each pair. */
  readonly low: 0 | 1;
  readonly hasMark: boolean;
}

/** How much is looked at where there is no mark, in bytes. */
const sampleBytes = 4096;

/**
 * The order of the bytes of UTF-16: by the mark, as Excel ("Unicode text") and PowerShell write it, or where nearly every second byte
 * is zero; null for anything else.
 */
function wideOrderOf(bytes: Uint8Array): WideOrder | null {
  if (beginsWith(bytes, [0xff, 0xfe])) return { low: 0, hasMark: true };
  if (beginsWith(bytes, [0xfe, 0xff])) return { low: 1, hasMark: true };
  const sample = bytes.subarray(0, sampleBytes);
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = sample.length / 2;
  // Western text has them in all pairs; text with some other letters still has its digits, separators and line breaks.
  // The lower byte is zero in a few characters, such as half of an emoji.
  if (odd >= most / 2 && odd > 16 * even) return { low: 0, hasMark: false };
  if (even >= most / 2 && even > 16 * odd) return { low: 1, hasMark: false };
  return null;
}

function decodeWide(bytes: Uint8Array, { low, hasMark }: WideOrder): DecodedText {
  const units = new Uint16Array(Math.floor(bytes.length / 2));
  for (let at = 0; at < units.length; at += 1)
    units[at] = (bytes[2 * at + low] ?? 0) + 256 * (bytes[2 * at + 1 - low] ?? 0);
  const text = textOfUnits(units).replace(/^\ufeff/, '');
  if (text.includes('\0')) return failed({ code: 'binary' });
  // Cut within a character, or in the middle of a pair: the end is lost.
  const isWhole = bytes.length % 2 === 0 && text.isWellFormed();
  if (!isWhole) return failed({ code: 'unknown_encoding', line: lineOf(text, text.length) });
  return decoded(text, { encoding: 'utf-16', isGuess: !hasMark });
}

/** How many are made into text at once: every engine takes so many arguments. */
const pieceLength = 8192;

function textOfUnits(units: Uint16Array | Uint8Array): string {
  let text = '';
  for (let at = 0; at < units.length; at += pieceLength)
    text += String.fromCharCode(...units.subarray(at, at + pieceLength));
  return text;
}

const escapes = Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 && byte !== 0x25 ? String.fromCharCode(byte) : `%${byte.toString(16).padStart(2, '0')}`,
);

/**
 * Null where the bytes are not UTF-8 (RFC 3629).
 *
 * By the language itself, which has no other decoder: this module runs in any runtime.
 */
function decodeUtf8(bytes: Uint8Array): string | null {
  let text = '';
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(start + pieceLength, bytes.length);
    // A character is not cut in two. It has three more bytes at most; longer runs of them are none.
    for (let more = 0; more < 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80; more += 1) end += 1;
    let piece = '';
    for (const byte of bytes.subarray(start, end)) piece += escapes[byte] ?? '';
    try {
      text += decodeURIComponent(piece);
    } catch {
      return null; // URIError: it is not UTF-8
    }
    start = end;
  }
  return text;
}

/** The characters of the bytes from 0x80 to 0x9f (WHATWG Encoding, "windows-1252"). All others are those of Unicode. */
const westernSigns =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/**
 * By our own table: the `TextDecoder` of Node 22.13 and later reads these bytes as Latin-1 (nodejs/node#56542), so that `’` and `€`
 * become control characters.
 */
function decodeWestern(bytes: Uint8Array): string {
  return textOfUnits(bytes).replace(
    /[\u0080-\u009f]/g,
    (sign) => westernSigns[sign.charCodeAt(0) - 0x80] ?? sign,
  );
}

/**
 * What no text in Windows-1252 has, but one in another encoding that is read as such.
 *
 * Most such files are of a spreadsheet on a Mac (Mac Roman: yakamara/yform#237), of DOS (code page 850), or in the letters of
 * another language.
 */
const doubtfulSigns = [
  // Bytes without a character.
  /[\u0081\u008d\u008f\u0090\u009d]/u,
  // `M„rz`, `Caf‚`: a sign within a word, or an opening one behind it. `O’Brien` is a name.
  /\p{L}[^\p{L}\p{M}\p{Nd}\p{Cc}\u0020-\u007e\u00a0\u00ad\u00b4\u00b7\u2018\u2019]\p{L}/u,
  /\p{L}[\u201a\u201e\u2020\u2021\u00a1\u00a2\u00a4\u00bf]/u,
  // `MŸller`: a capital that is in the middle of a word only there.
  /\p{L}[\u0152\u0160\u0178\u017d]\p{Ll}/u,
  // `Ïðèâåò`: a word of nothing but letters with marks.
  /(?:(?![\p{ASCII}])\p{L}){4}/u,
];

/** The first place that shows that a text is not Windows-1252, or null. */
function doubtfulPlace(text: string): number | null {
  const places = doubtfulSigns.map((sign) => text.search(sign)).filter((place) => place !== -1);
  return places.length === 0 ? null : Math.min(...places);
}
