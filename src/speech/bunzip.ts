/**
 * Decompresses bzip2, in which voices of Piper are published. Node has no bzip2; of the packages that have it, those that read a stream have
 * not been changed for years, and the others need all of it in memory.
 *
 * The format is that of bzip2 1.0: blocks of up to 900 kB, each sorted (BWT), moved to the front and coded by Huffman, with a checksum of
 * its own. What is given out is bounded by whoever reads it: a few bytes may stand for 46 MB. The memory is that of one block.
 */

/** It ends too early, is no bzip2, or a checksum differs. */
export class DamagedArchive extends Error {}

const blockMagic = 0x314159265359;
const endMagic = 0x177245385090;
const longestCode = 20;
const symbolsOfGroup = 50;
const chunkBytes = 256 * 1024;

const crcTable = Uint32Array.from({ length: 256 }, (_one, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc;
});

/**
 * The bytes of one or several streams of bzip2, in chunks. Throws `DamagedArchive`.
 *
 * A chunk that is given in may be used again by its source as soon as the next one is asked for.
 */
export function* bunzip(chunks: Iterable<Uint8Array>): Generator<Uint8Array<ArrayBuffer>> {
  const bits = new BitReader(chunks);
  const memory: BlockMemory = { bytes: new Uint32Array(0) };
  do {
    yield* streamOf(bits, memory);
    bits.alignToByte();
  } while (bits.hasMore());
}

/** For one block after the other: an archive may have millions, also empty ones. */
interface BlockMemory {
  bytes: Uint32Array;
}

function* streamOf(bits: BitReader, memory: BlockMemory): Generator<Uint8Array<ArrayBuffer>> {
  const level = bits.read(24) === 0x425a68 ? bits.read(8) - 0x30 : 0;
  if (level < 1 || level > 9) throw new DamagedArchive();
  let whole = 0;
  for (;;) {
    const magic = bits.read(24) * 0x1000000 + bits.read(24);
    const crc = bits.readWord();
    if (magic === endMagic) {
      if (crc !== whole) throw new DamagedArchive();
      return;
    }
    if (magic !== blockMagic) throw new DamagedArchive();
    const mostBytes = level * 100_000;
    if (memory.bytes.length < mostBytes) memory.bytes = new Uint32Array(mostBytes);
    const block = sortedBlock(bits, memory.bytes.subarray(0, mostBytes));
    if ((yield* plainBytes(block)) !== crc) throw new DamagedArchive();
    whole = ((whole << 1) | (whole >>> 31)) ^ crc;
    whole >>>= 0;
  }
}

const noByte = new Uint8Array(0);

class BitReader {
  readonly #chunks: Iterator<Uint8Array>;
  #chunk: Uint8Array = noByte;
  #at = 0;
  #held = 0;
  #count = 0;
  /** Bits that are held and are not there: zeros after the end. */
  #missing = 0;

  constructor(chunks: Iterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.iterator]();
  }

  hasMore(): boolean {
    this.peek(8);
    return this.#missing < this.#count;
  }

  /** Up to 24 bits, which stay to be read. After the end there are zeros. */
  peek(count: number): number {
    while (this.#count <= 24) {
      if (this.#at >= this.#chunk.length) this.#readOn();
      this.#held = (this.#held << 8) | (this.#chunk[this.#at] ?? 0);
      this.#at += 1;
      this.#count += 8;
    }
    return (this.#held >>> (this.#count - count)) & ((1 << count) - 1);
  }

  skip(count: number): void {
    this.#count -= count;
    if (this.#missing > this.#count) throw new DamagedArchive();
  }

  #readOn(): void {
    this.#at = 0;
    for (;;) {
      const next = this.#chunks.next();
      if (next.done === true) {
        this.#chunk = noByte;
        this.#missing += 8;
        return;
      }
      this.#chunk = next.value;
      if (this.#chunk.length > 0) return;
    }
  }

  read(count: number): number {
    const value = this.peek(count);
    this.skip(count);
    return value;
  }

  readWord(): number {
    return this.read(16) * 0x10000 + this.read(16);
  }

  alignToByte(): void {
    this.#count -= this.#count & 7;
  }
}

/** One block as it was sorted: where the text begins, and for each place which byte is there. */
interface SortedBlock {
  readonly start: number;
  readonly bytes: Uint32Array;
  readonly length: number;
}

/** `bytes`: where it is read to, as long as it may be. */
function sortedBlock(bits: BitReader, bytes: Uint32Array): SortedBlock {
  const mostBytes = bytes.length;
  const isRandomised = bits.read(1) === 1; // by bzip2 before 0.9.5
  const start = bits.read(24);
  const used = usedBytes(bits);
  const tables = bits.read(3);
  const selectorCount = bits.read(15);
  if (isRandomised || used.length === 0 || tables < 2 || tables > 6 || selectorCount === 0)
    throw new DamagedArchive();
  const selectors = selectorsOf(bits, selectorCount, tables);
  const codes = Array.from({ length: tables }, () => new PrefixCode(bits, used.length + 2));

  const recent = Uint8Array.from(used);
  const end = used.length + 1;
  let length = 0;
  let run = 0;
  let runBit = 1;
  for (let group = 0; ; group += 1) {
    const code = codes[selectors[group] ?? -1];
    if (code === undefined) throw new DamagedArchive();
    for (let nth = 0; nth < symbolsOfGroup; nth += 1) {
      const symbol = code.read(bits);
      if (symbol <= 1) {
        run += runBit << symbol;
        runBit <<= 1;
        if (run > mostBytes) throw new DamagedArchive();
        continue;
      }
      if (run > 0) {
        if (length + run > mostBytes) throw new DamagedArchive();
        bytes.fill(recent[0] ?? 0, length, length + run);
        length += run;
        run = 0;
        runBit = 1;
      }
      if (symbol === end) {
        if (start >= length) throw new DamagedArchive();
        return { start, bytes, length };
      }
      if (length >= mostBytes) throw new DamagedArchive();
      const byte = recent[symbol - 1] ?? 0;
      recent.copyWithin(1, 0, symbol - 1);
      recent[0] = byte;
      bytes[length] = byte;
      length += 1;
    }
  }
}

/** Which bytes there are in a block at all. */
function usedBytes(bits: BitReader): number[] {
  const ranges = bits.read(16);
  const used: number[] = [];
  for (let range = 0; range < 16; range += 1) {
    if ((ranges & (0x8000 >> range)) === 0) continue;
    const inRange = bits.read(16);
    for (let one = 0; one < 16; one += 1) if ((inRange & (0x8000 >> one)) !== 0) used.push(range * 16 + one);
  }
  return used;
}

function selectorsOf(bits: BitReader, count: number, tables: number): Uint8Array {
  const recent = Array.from({ length: tables }, (_one, table) => table);
  return Uint8Array.from({ length: count }, () => {
    let place = 0;
    while (bits.read(1) === 1) {
      place += 1;
      if (place >= tables) throw new DamagedArchive();
    }
    const [table = 0] = recent.splice(place, 1);
    recent.unshift(table);
    return table;
  });
}

/** A canonical Huffman code, read from the lengths of its symbols. */
class PrefixCode {
  /** By length: the last code, and what is added to a code for the place of its symbol. */
  readonly #last = new Int32Array(longestCode + 2).fill(-1);
  readonly #shift = new Int32Array(longestCode + 2);
  readonly #symbols: Uint16Array;
  readonly #shortest: number;

  constructor(bits: BitReader, count: number) {
    let length = bits.read(5);
    const lengths = Array.from({ length: count }, () => {
      while (bits.read(1) === 1) length += bits.read(1) === 1 ? -1 : 1;
      if (length < 1 || length > longestCode) throw new DamagedArchive();
      return length;
    });
    this.#shortest = Math.min(...lengths);
    const inOrder = lengths.map((one, symbol) => ({ one, symbol })).sort((a, b) => a.one - b.one);
    this.#symbols = Uint16Array.from(inOrder, ({ symbol }) => symbol);
    let code = 0;
    let place = 0;
    for (let one = this.#shortest; one <= longestCode; one += 1) {
      const many = lengths.filter((each) => each === one).length;
      this.#shift[one] = place - code;
      this.#last[one] = many === 0 ? -1 : code + many - 1;
      if (code + many > 1 << one) throw new DamagedArchive();
      place += many;
      code = (code + many) << 1;
    }
  }

  read(bits: BitReader): number {
    const ahead = bits.peek(longestCode);
    for (let length = this.#shortest; length <= longestCode; length += 1) {
      const code = ahead >>> (longestCode - length);
      if (code > (this.#last[length] ?? -1)) continue;
      bits.skip(length);
      return this.#symbols[code + (this.#shift[length] ?? 0)] ?? 0;
    }
    throw new DamagedArchive();
  }
}

/** The bytes that were sorted, in chunks; returns their checksum. */
function* plainBytes(block: SortedBlock): Generator<Uint8Array<ArrayBuffer>, number> {
  const plain = new PlainBytes(block);
  for (;;) {
    const chunk = plain.next();
    if (chunk.length === 0) return plain.crc;
    yield chunk;
  }
}

/** After four bytes alike there is a count of more. A class, because the loop is many times slower within a generator. */
class PlainBytes {
  readonly #bytes: Uint32Array;
  #place: number;
  #left: number;
  #crc = -1;
  #alike = 0;
  #before = 0;
  /** How often the byte before comes again. */
  #again = 0;

  constructor({ start, bytes, length }: SortedBlock) {
    linkInOrder(bytes, length);
    this.#bytes = bytes;
    this.#place = (bytes[start] ?? 0) >>> 8;
    this.#left = length;
  }

  get crc(): number {
    return ~this.#crc >>> 0;
  }

  /** Empty at the end. */
  next(): Uint8Array<ArrayBuffer> {
    // Five bytes of a block stand for 259 at most.
    const most = this.#again + (this.#left === 0 ? 0 : this.#left * 52 + 255);
    const chunk = new Uint8Array(Math.min(chunkBytes, most));
    const bytes = this.#bytes;
    let [place, left, crc] = [this.#place, this.#left, this.#crc];
    let [alike, before, again] = [this.#alike, this.#before, this.#again];
    let filled = 0;
    while (filled < chunk.length && (again > 0 || left > 0)) {
      if (again > 0) again -= 1;
      else {
        const entry = bytes[place] ?? 0;
        const byte = entry & 0xff;
        place = entry >>> 8;
        left -= 1;
        if (alike === 4) {
          alike = 0;
          again = byte;
          continue;
        }
        alike = alike > 0 && byte === before ? alike + 1 : 1;
        before = byte;
      }
      crc = (crc << 8) ^ (crcTable[(crc >>> 24) ^ before] ?? 0);
      chunk[filled] = before;
      filled += 1;
    }
    this.#place = place;
    this.#left = left;
    this.#crc = crc;
    this.#alike = alike;
    this.#before = before;
    this.#again = again;
    return chunk.subarray(0, filled);
  }
}

/** Writes beside each byte the place of the next one: the inverse of the sorting. */
function linkInOrder(bytes: Uint32Array, length: number): void {
  const places = new Uint32Array(256);
  for (let at = 0; at < length; at += 1) {
    const byte = (bytes[at] ?? 0) & 0xff;
    places[byte] = (places[byte] ?? 0) + 1;
  }
  let before = 0;
  for (let byte = 0; byte < 256; byte += 1) {
    const count = places[byte] ?? 0;
    places[byte] = before;
    before += count;
  }
  for (let at = 0; at < length; at += 1) {
    const byte = (bytes[at] ?? 0) & 0xff;
    const place = places[byte] ?? 0;
    bytes[place] = ((bytes[place] ?? 0) & 0xff) | (at << 8);
    places[byte] = place + 1;
  }
}
