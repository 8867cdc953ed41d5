/**
 * Unpacks the archive of a voice, or of the runtime, in a worker of Node: it may take seconds, and calls go on meanwhile.
 *
 * Nothing of an archive is believed. Each entry is a file or a folder with a plain relative name, none comes twice, and all of them
 * together stay within the limit, however small the archive is. A file is written only where it is wanted.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { parentPort, workerData } from 'node:worker_threads';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { createTarDecoder } from 'modern-tar';
import type { VoicePackProblem } from '../contract/menu/voice-pack.ts';
import { invariant } from '../core/unreachable.ts';
import { bunzip, DamagedArchive } from './bunzip.ts';

export interface UnpackOrder {
  readonly archive: string;
  /** An empty folder. */
  readonly into: string;
  /** Of all files of the archive together. */
  readonly mostBytes: number;
  /** Without the one folder that an archive has around its files. */
  readonly wanted: 'voice' | readonly string[];
}

export interface UnpackedFile {
  /** Relative, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** What it answers; the codes of other failures are those of the system. */
export type UnpackAnswer =
  | { readonly kind: 'unpacked'; readonly folder: string; readonly files: readonly UnpackedFile[] }
  | { readonly kind: 'refused'; readonly problem: VoicePackProblem }
  | { readonly kind: 'failed'; readonly code: string };

interface Entry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'special';
  readonly content: AsyncIterable<Uint8Array>;
}

/** A voice of Piper has 360 files, most of them dictionaries of espeak-ng. */
const mostEntries = 5000;
const longestName = 200;
/** What a system gives another meaning (Windows), or nobody can read. */
const oddName = /[\\:*?"<>|\p{Cc}]|[. ](?:\/|$)|(?:^|\/)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\/|$)/iu;
const partsOfVoice =
  /^(?:[^/]+\.onnx(?:\.json)?|tokens\.txt|(?:MODEL_CARD|README|LICENSE|COPYING)[^/]*|espeak-ng-data\/.+)$/;

class Refused extends Error {
  readonly problem: VoicePackProblem;

  constructor(problem: VoicePackProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

async function unpack({ archive, into, mostBytes, wanted }: UnpackOrder): Promise<UnpackAnswer> {
  const files: UnpackedFile[] = [];
  const known = new Map<string, 'file' | 'folder'>();
  let around: string | null = null;
  let entries = 0;
  let left = mostBytes;
  const isWanted = (path: string): boolean =>
    wanted === 'voice' ? partsOfVoice.test(path) : wanted.includes(path);

  for await (const { name, type, content } of entriesOf(archive, mostBytes)) {
    entries += 1;
    if (entries > mostEntries) throw new Refused({ kind: 'too_large', most_bytes: mostBytes });
    const path = plainPath(name, type);
    if (path === null) continue;
    note(known, path, { name, type });
    const [top = '', ...below] = path.split('/');
    if (type === 'folder') continue;
    const isInFolder = below.length > 0 && top !== 'espeak-ng-data';
    around ??= isInFolder ? top : '';
    if (around !== (isInFolder ? top : '')) throw new Refused({ kind: 'not_voice', missing: 'one_folder' });
    const inner = isInFolder ? below.join('/') : path;
    const target = isWanted(inner) ? await openNew(join(into, inner)) : null;
    const hash = createHash('sha256');
    try {
      const before = left;
      for await (const chunk of content) {
        left -= chunk.length;
        if (left < 0) throw new Refused({ kind: 'too_large', most_bytes: mostBytes });
        await keep(chunk, target, hash);
      }
      await target?.sync();
      if (target !== null) files.push({ path: inner, bytes: before - left, sha256: hash.digest('hex') });
    } finally {
      await target?.close();
    }
  }
  return { kind: 'unpacked', folder: around ?? '', files };
}

async function keep(chunk: Uint8Array, target: FileHandle | null, hash: Hash): Promise<void> {
  if (target === null) return;
  hash.update(chunk);
  await target.writeFile(chunk); // at the place where the last one ended
}

async function openNew(file: string): Promise<FileHandle> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  return open(file, 'wx', 0o600);
}

/** The name without `./` before it; null: the folder that it is unpacked to. Throws for one that leads anywhere else. */
function plainPath(name: string, type: Entry['type']): string | null {
  const path = name.replace(/^(?:\.\/)+/, '').replace(/\/$/, '');
  if (type === 'link' || type === 'special')
    throw new Refused({ kind: 'unsafe_entry', entry: name, fault: type });
  if (type === 'folder' && (path === '' || path === '.')) return null;
  const steps = path.split('/');
  const isPlain =
    path.length <= longestName &&
    !oddName.test(path) &&
    steps.every((step) => step !== '' && step !== '.' && step !== '..');
  if (!isPlain) throw new Refused({ kind: 'unsafe_entry', entry: name.slice(0, longestName), fault: 'path' });
  return path;
}

/** Systems that do not tell capitals apart would write one file over the other. */
function note(
  known: Map<string, 'file' | 'folder'>,
  path: string,
  { name, type }: Pick<Entry, 'name' | 'type'>,
) {
  const twice = new Refused({ kind: 'unsafe_entry', entry: name, fault: 'twice' });
  const key = path.normalize('NFC').toLowerCase();
  const before = known.get(key);
  if (before !== undefined && (before === 'file' || type === 'file')) throw twice;
  known.set(key, type === 'file' ? 'file' : 'folder');
  const steps = key.split('/');
  for (let depth = 1; depth < steps.length; depth += 1) {
    const folder = steps.slice(0, depth).join('/');
    if (known.get(folder) === 'file') throw twice;
    known.set(folder, 'folder');
  }
}

async function* entriesOf(archive: string, mostBytes: number): AsyncGenerator<Entry> {
  const file = openSync(archive, 'r');
  try {
    const start = readAt(file, 0, 4).toString('latin1');
    if (start.startsWith('BZh')) yield* tarEntries(new WholeSource(bunzip(chunksOf(file)), mostBytes));
    else if (start.startsWith('\x1f\x8b')) {
      const plain = pipeline(createReadStream(archive), createGunzip(), () => undefined); // whoever reads it has the error
      yield* tarEntries(new WholeSource(plain, mostBytes));
    } else if (start === 'PK\x03\x04')
      yield* zipEntries({ archive, file, bytes: fstatSync(file).size }, mostBytes);
    else throw new Refused({ kind: 'not_archive' });
  } finally {
    closeSync(file);
  }
}

const readBytes = 256 * 1024;

/** In one piece of memory: each part is read before the next. */
function* chunksOf(file: number): Generator<Uint8Array> {
  const chunk = new Uint8Array(readBytes);
  for (let at = 0; ;) {
    const read = readSync(file, chunk, 0, chunk.length, at);
    if (read === 0) return;
    at += read;
    yield chunk.subarray(0, read);
  }
}

/** May be shorter where the file ends. */
function readAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

async function* tarEntries(tar: WholeSource): AsyncGenerator<Entry> {
  // The types of the library are those of a browser; Node's own differ from them only there.
  const stream: unknown = NodeStream.from<Uint8Array>(tar);
  const entries = (stream as ReadableStream<Uint8Array>).pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries)
    yield { name: header.name, type: typeOfTar(header.type), content: body };
  await tar.readRest();
}

/**
 * Bytes that are read to their end, whoever stops before: the checksum comes last, and a reader of tar does not wait for it.
 *
 * It has no `return`, with which a stream would end it early, and knows an error that nobody saw any more.
 */
class WholeSource implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array, undefined> {
  readonly #bytes: AsyncIterator<Uint8Array, unknown> | Iterator<Uint8Array, unknown>;
  readonly #mostBytes: number;
  #read = 0;
  #failure: { readonly error: unknown } | null = null;

  constructor(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, mostBytes: number) {
    this.#bytes = Symbol.asyncIterator in bytes ? bytes[Symbol.asyncIterator]() : bytes[Symbol.iterator]();
    this.#mostBytes = mostBytes;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (this.#failure !== null) throw this.#failure.error;
    try {
      const result = await this.#bytes.next();
      if (result.done === true) return { done: true, value: undefined };
      const { value } = result;
      this.#read += value.length;
      if (this.#read > this.#mostBytes) throw new Refused({ kind: 'too_large', most_bytes: this.#mostBytes });
      return { done: false, value };
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  async readRest(): Promise<void> {
    while ((await this.next()).done !== true);
  }
}

function typeOfTar(type: string | undefined): Entry['type'] {
  if (type === 'file' || type === undefined) return 'file';
  if (type === 'directory') return 'folder';
  return type === 'link' || type === 'symlink' ? 'link' : 'special';
}

const endOfZip = 0x06054b50;
const entryOfZip = 0x02014b50;

/** Of the end of a zip: 22 bytes, and a comment. */
const longestEnd = 22 + 0xffff;
/** Of the list: 46 bytes for an entry, its name, and what programs add to it. */
const longestList = mostEntries * 1024;

interface ZipFile {
  readonly archive: string;
  readonly file: number;
  readonly bytes: number;
}

/** By the list at its end, which has the checksums. Neither encrypted nor larger than 4 GB (APPNOTE 6.3). */
function* zipEntries(zip: ZipFile, mostBytes: number): Generator<Entry> {
  const tail = readAt(zip.file, Math.max(0, zip.bytes - longestEnd), longestEnd);
  const end = tail.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > tail.length || tail.readUInt32LE(end) !== endOfZip) throw new DamagedArchive();
  const listBytes = tail.readUInt32LE(end + 12);
  if (listBytes > longestList) throw new Refused({ kind: 'too_large', most_bytes: mostBytes });
  const list = readAt(zip.file, tail.readUInt32LE(end + 16), listBytes);
  let at = 0;
  for (let left = tail.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== entryOfZip) throw new DamagedArchive();
    const nameLength = list.readUInt16LE(at + 28);
    const name = list.toString('utf8', at + 46, at + 46 + nameLength);
    const mode = list.readUInt32LE(at + 38) >>> 16;
    const content = inflated(zip, list.subarray(at, at + 46), mostBytes);
    yield { name, type: typeOfZip(name, mode), content };
    at += 46 + nameLength + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32);
  }
}

function typeOfZip(name: string, mode: number): Entry['type'] {
  const kind = mode & 0o170000;
  if (kind === 0o120000) return 'link';
  if (name.endsWith('/')) return 'folder';
  return kind === 0 || kind === 0o100000 ? 'file' : 'special';
}

async function* inflated(
  { archive, file, bytes }: ZipFile,
  entry: Buffer,
  mostBytes: number,
): AsyncGenerator<Uint8Array> {
  const isEncrypted = (entry.readUInt16LE(8) & 1) === 1;
  const method = entry.readUInt16LE(10);
  const [checksum, packed, size, place] = [16, 20, 24, 42].map((at) => entry.readUInt32LE(at)) as Quad;
  if (isEncrypted || (method !== 0 && method !== 8)) throw new DamagedArchive();
  if (size > mostBytes) throw new Refused({ kind: 'too_large', most_bytes: mostBytes });
  const head = readAt(file, place, 30);
  if (head.length < 30) throw new DamagedArchive();
  const start = place + 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
  if (start + packed > bytes) throw new DamagedArchive();
  let read = 0;
  let crc = 0;
  if (packed > 0) {
    const raw = createReadStream(archive, { start, end: start + packed - 1 });
    for await (const chunk of method === 0 ? raw : pipeline(raw, createInflateRaw(), () => undefined)) {
      const part = chunk as Buffer;
      read += part.length;
      if (read > size) throw new DamagedArchive();
      crc = crc32(part, crc);
      yield part;
    }
  }
  if (read !== size || crc !== checksum) throw new DamagedArchive();
}

type Quad = [number, number, number, number];

async function answer(order: UnpackOrder): Promise<UnpackAnswer> {
  try {
    return await unpack(order);
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', problem: error.problem };
    const { code } = error as NodeJS.ErrnoException;
    // zlib and the reader of tar say in many ways that what they read is damaged.
    if (code === undefined || !/^E[A-Z0-9]+$/.test(code) || code.startsWith('ERR'))
      return { kind: 'refused', problem: { kind: 'damaged_archive' } };
    return { kind: 'failed', code };
  }
}

invariant(parentPort !== null, 'this is a worker');
parentPort.postMessage(await answer(workerData as UnpackOrder));
