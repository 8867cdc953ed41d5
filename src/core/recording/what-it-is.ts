import { saysAt } from './audio-facts.ts';

/** How files that people take for audio begin, and some that they bring by mistake. */
const beginnings: readonly { readonly text: string; readonly at?: number; readonly is: string }[] = [
  { text: '%PDF', is: 'a PDF file' },
  { text: 'PK\x03\x04', is: 'a ZIP archive, or an office document' },
  { text: '\x1aE\xdf\xa3', is: 'a WebM or Matroska file' },
  { text: 'ftypM4A', at: 4, is: 'an M4A file' },
  { text: 'ftyp', at: 4, is: 'an MP4 file' },
  { text: 'fLaC', is: 'a FLAC file' },
  { text: 'FORM', is: 'an AIFF file' },
  { text: '.snd', is: 'an AU file' },
  { text: 'caff', is: 'a CAF file' },
  { text: '#!AMR', is: 'an AMR file' },
  { text: 'MThd', is: 'a MIDI file: notes, and no sound' },
  { text: '0&\xb2u\x8ef\xcf\x11', is: 'a WMA or WMV file' },
  { text: 'RIFF', is: 'a RIFF file, but not a WAV file' },
  { text: '\xff\xf1', is: 'an AAC file' },
  { text: '\xff\xf9', is: 'an AAC file' },
  { text: '\xff\xfb', is: 'the beginning of an MP3 file with no whole frame behind it' },
  { text: '\xff\xfd', is: 'an MP2 file' },
  { text: '\x89PNG', is: 'a PNG picture' },
  { text: '\xff\xd8\xff', is: 'a JPEG picture' },
  { text: 'GIF8', is: 'a GIF picture' },
  { text: '\x1f\x8b', is: 'a gzip archive' },
  { text: 'MZ', is: 'a Windows program' },
  { text: '\x7fELF', is: 'a Linux program' },
];

/** How much of a file is looked at to tell text from other bytes. */
const lookedAtBytes = 512;

/** What a file is that is no audio we take, as far as its beginning tells, for a sentence. */
export function whatItIs(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'an empty file';
  const known = beginnings.find(({ text, at = 0 }) => saysAt(bytes, at, text));
  if (known !== undefined) return known.is;
  const head = bytes.subarray(0, lookedAtBytes);
  if (head.every((byte) => byte === 0)) return 'a file of zero bytes';
  if (!head.every(isTextByte)) return 'a file of a kind that is not known';
  const text = String.fromCharCode(...head)
    .trimStart()
    .toLowerCase();
  if (text.includes('<svg')) return 'an SVG picture';
  if (text.startsWith('<!doctype html') || text.includes('<html')) return 'a web page';
  return text.startsWith('{') || text.startsWith('[') ? 'a JSON text' : 'a text';
}

function isTextByte(byte: number): boolean {
  return byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
