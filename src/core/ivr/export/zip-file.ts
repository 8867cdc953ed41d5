/** A file in an archive; its name has `/` between folders and ASCII characters only. */
export interface ArchivedFile {
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Files as a ZIP archive, stored without compression (PKWARE APPNOTE 6.3.10, sections 4.3 and 4.4): a header and the
 * content of each, then the same headers as a directory.
 *
 * Audio of eight bits a sample hardly becomes smaller, and a dialplan is a few kilobytes. Every file has the earliest
 * date that the format knows, so the same files make the same archive. At most 4 GiB and 65,535 files.
 */
export function zipFile(files: readonly ArchivedFile[]): Uint8Array<ArrayBuffer> {
  const entries = files.map(({ name, content }) => ({
    name: Uint8Array.from(name, (letter) => letter.charCodeAt(0)),
    content,
    crc: crc32(content),
  }));
  const sizes = entries.map(({ name, content }) => localHeaderBytes + name.length + content.length);
  const directoryFrom = sum(sizes);
  const directoryBytes = sum(entries.map(({ name }) => directoryHeaderBytes + name.length));
  const archive = new Uint8Array(directoryFrom + directoryBytes + endBytes);
  const view = new DataView(archive.buffer);
  let place = 0;
  let directoryPlace = directoryFrom;
  for (const { name, content, crc } of entries) {
    const common = { crc, bytes: content.length, nameBytes: name.length };
    view.setUint32(place, 0x04034b50, true);
    writeCommon(view, place + 4, common);
    archive.set(name, place + localHeaderBytes);
    archive.set(content, place + localHeaderBytes + name.length);

    view.setUint32(directoryPlace, 0x02014b50, true);
    view.setUint16(directoryPlace + 4, neededVersion, true); // made by
    writeCommon(view, directoryPlace + 6, common);
    view.setUint32(directoryPlace + 42, place, true);
    archive.set(name, directoryPlace + directoryHeaderBytes);

    place += localHeaderBytes + name.length + content.length;
    directoryPlace += directoryHeaderBytes + name.length;
  }
  view.setUint32(directoryPlace, 0x06054b50, true);
  view.setUint16(directoryPlace + 8, entries.length, true);
  view.setUint16(directoryPlace + 10, entries.length, true);
  view.setUint32(directoryPlace + 12, directoryBytes, true);
  view.setUint32(directoryPlace + 16, directoryFrom, true);
  return archive;
}

const localHeaderBytes = 30;
const directoryHeaderBytes = 46;
const endBytes = 22;
/** 2.0: folders. */
const neededVersion = 20;
/** 1 January 1980. */
const earliestDate = 0x21;

/** The fields that a header before a file and its entry in the directory share; those that are 0 are left. */
function writeCommon(
  view: DataView,
  place: number,
  { crc, bytes, nameBytes }: { readonly crc: number; readonly bytes: number; readonly nameBytes: number },
): void {
  view.setUint16(place, neededVersion, true);
  view.setUint16(place + 8, earliestDate, true);
  view.setUint32(place + 10, crc, true);
  view.setUint32(place + 14, bytes, true); // stored
  view.setUint32(place + 18, bytes, true);
  view.setUint16(place + 22, nameBytes, true);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? 0xedb88320 ^ (rest >>> 1) : rest >>> 1;
  return rest;
});

function crc32(content: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of content) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((one, other) => one + other, 0);
}
