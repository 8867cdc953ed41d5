import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { KnownFile, privateFile, syncFolder } from './durable-file.ts';
import { folderMoved, systemCodeOf } from './store-error.ts';

const { O_CREAT, O_RDWR, O_TRUNC } = constants;
/** On Linux a write returns when it is on disk: one call for write and fdatasync. */
const syncsOnWrite = process.platform === 'linux';
const syncFlag = syncsOnWrite ? constants.O_DSYNC : 0;
/** What is written to check whether the disk accepts anything: the size of a few events. */
const trial = Buffer.alloc(4096);

/** The checkpoint's entry for a closed segment: enough to detect any change of its bytes. */
export interface SealedSegment {
  readonly file: string;
  readonly first_seq: number;
  readonly last_seq: number;
  readonly bytes: number;
  readonly crc32: number;
}

/** The first line of a segment. */
export interface SegmentHeader {
  readonly format: number;
  readonly segment: number;
  readonly first_seq: number;
  readonly prev: string;
}

export function segmentFile(number: number): string {
  return `${String(number).padStart(8, '0')}.jsonl`;
}

/** The segments of a folder, oldest first. */
export function listSegments(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{8}\.jsonl$/.test(name))
    .sort();
}

/**
 * The segment that is being written: bytes are added at the end and are on disk when `append` returns.
 *
 * Invariants: 1. the first `bytes` bytes of the file are whole lines, synced; 2. only blank space follows them; 3. after a
 * failed append the file is cut back to them before anything else is written; 4. a segment that is not the last one
 * has no blank space.
 */
// see decisions/journal-on-disk.md
export class OpenSegment {
  readonly path: string;
  readonly #file: KnownFile;
  readonly number: number;
  readonly firstSeq: number;
  readonly #descriptor: number;
  readonly #space: ReservedSpace;
  #bytes: number;
  #crc: number;
  #hasLeftovers = false;

  private constructor(
    path: string,
    descriptor: number,
    at: { firstSeq: number; bytes: number; crc: number },
  ) {
    this.path = path;
    this.#file = new KnownFile(path);
    this.number = Number.parseInt(basename(path), 10);
    this.firstSeq = at.firstSeq;
    this.#descriptor = descriptor;
    this.#space = new ReservedSpace(path);
    this.#bytes = at.bytes;
    this.#crc = at.crc;
  }

  /** A new segment: its header is on disk, and so is its name in the folder. */
  static create(folder: string, header: SegmentHeader): OpenSegment {
    const path = join(folder, segmentFile(header.segment));
    const descriptor = openSync(path, O_RDWR | O_CREAT | O_TRUNC | syncFlag, privateFile);
    let segment: OpenSegment | null = null;
    try {
      segment = new OpenSegment(path, descriptor, { firstSeq: header.first_seq, bytes: 0, crc: 0 });
      segment.append(Buffer.from(`${JSON.stringify(header)}\n`));
      syncFolder(folder);
      return segment;
    } catch (error) {
      if (segment !== null) segment.#space.close();
      closeSync(descriptor);
      rmSync(path, { force: true });
      throw error;
    }
  }

  /** Continues a segment whose first `bytes` bytes were read and found intact; cuts off the rest. */
  static reopen(path: string, at: { firstSeq: number; bytes: number; crc: number }): OpenSegment {
    const descriptor = openSync(path, O_RDWR | syncFlag);
    fchmodSync(descriptor, privateFile);
    ftruncateSync(descriptor, at.bytes);
    fsyncSync(descriptor);
    syncFolder(dirname(path));
    return new OpenSegment(path, descriptor, at);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Writes and syncs, on the calling thread: when it returns, the bytes are on disk.
   *
   * Throws the system's error; then nothing of it counts.
   */
  append(content: Buffer): void {
    this.#cutLeftovers();
    this.#hasLeftovers = true;
    try {
      this.#writeSynced(content);
    } catch (error) {
      this.#tryToCutLeftovers();
      throw error;
    }
    this.#count(content);
    this.#space.reserveAfter(this.#bytes);
  }

  #writeSynced(content: Buffer): void {
    for (let done = 0; done < content.length;) {
      done += writeSync(this.#descriptor, content, done, content.length - done, this.#bytes + done);
    }
    if (!syncsOnWrite) fdatasyncSync(this.#descriptor);
  }

  /** Throws `StoreUnavailable` when the file was moved or deleted, because data written to it would be lost. */
  assertInPlace(): void {
    if (!this.#file.isInPlace()) throw folderMoved(this.path);
  }

  /**
   * Throws the error that a write would cause now, as far as it is known without writing.
   *
   * If no space is reserved, and with `byWriting`, blank space is written and synced to find out.
   */
  probe({ byWriting }: { readonly byWriting: boolean }): void {
    assertNotReadOnly(this.path);
    if (this.#space.endsAt > this.#bytes && !byWriting) return;
    this.#cutLeftovers();
    this.#hasLeftovers = true;
    this.#writeSynced(trial);
  }

  /** Immediately, so that a kill does not leave whole lines of a refused batch; if that fails, before the next append. */
  #tryToCutLeftovers(): void {
    try {
      this.#cutLeftovers();
    } catch {
      // The earlier failure is the one to report; `#hasLeftovers` remembers that there is something to cut.
    }
  }

  /** Cuts off the leftovers of a failed append before anything else is written. */
  #cutLeftovers(): void {
    if (this.#hasLeftovers) this.cutToBytes();
  }

  /** Cuts off everything after the whole lines: leftovers and blank space. */
  cutToBytes(): void {
    if (!this.#hasLeftovers && this.#space.endsAt <= this.#bytes) return;
    ftruncateSync(this.#descriptor, this.#bytes);
    this.#space.forget();
    fdatasyncSync(this.#descriptor);
    this.#hasLeftovers = false;
  }

  #count(content: Buffer): void {
    this.#hasLeftovers = false;
    this.#bytes += content.length;
    this.#crc = crc32(content, this.#crc);
  }

  /** Closes the segment and returns its entry for the checkpoint. */
  seal(lastSeq: number): SealedSegment {
    this.cutToBytes();
    this.close();
    return {
      file: basename(this.path),
      first_seq: this.firstSeq,
      last_seq: lastSeq,
      bytes: this.#bytes,
      crc32: this.#crc,
    };
  }

  /** Closes the file unchanged. */
  close(): void {
    this.#space.close();
    closeSync(this.#descriptor);
  }
}

/** Of all possible errors of a path, only this one means that an open file cannot be written to either. */
function assertNotReadOnly(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (systemCodeOf(error) === 'EROFS') throw error;
  }
}

/** How much is reserved at once, in bytes. */
const stepBytes = 1024 * 1024;
/** More is reserved when less than this is left, so that it is on disk before it is needed. */
const marginBytes = stepBytes / 2;
const blank = Buffer.alloc(stepBytes);

/**
 * Blank space (zero bytes) at the end of a file, synced before anything is written into it.
 *
 * A synced write into blocks that the file already has takes about 60 % of the time of one that makes the file longer:
 * there is no new size and no new block to sync with it. The space is optional: on a disk without room
 * for it the file grows with each write.
 */
class ReservedSpace {
  readonly #descriptor: number;
  #endsAt = 0;
  #isSyncing = false;
  #hasRoom = true;
  #isClosed = false;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+');
  }

  /** Where the blank space ends. Without blank space, at most the end of the file. */
  get endsAt(): number {
    return this.#endsAt;
  }

  /**
   * Reserves space after `position`, the end of the data. Returns before the space is on disk.
   *
   * The blank bytes are in the file when this returns, so that they can never overwrite later data; only
   * their sync happens in the background.
   */
  reserveAfter(position: number): void {
    if (this.#isSyncing || !this.#hasRoom || this.#endsAt - position >= marginBytes) return;
    const from = Math.max(this.#endsAt, position);
    this.#hasRoom = this.#tryToWriteBlank(from);
    if (!this.#hasRoom) return;
    this.#endsAt = from + stepBytes;
    this.#isSyncing = true;
    fdatasync(this.#descriptor, () => {
      this.#isSyncing = false;
      if (this.#isClosed) closeSync(this.#descriptor);
    });
  }

  /** Returns whether there was room. On a nearly full disk a partial reservation is released for other files. */
  #tryToWriteBlank(from: number): boolean {
    try {
      if (writeSync(this.#descriptor, blank, 0, stepBytes, from) === stepBytes) return true;
      ftruncateSync(this.#descriptor, from);
    } catch {
      // A write that really needs the room reports that it is missing.
    }
    return false;
  }

  /** The file was cut: no space is reserved any more. */
  forget(): void {
    this.#endsAt = 0;
  }

  close(): void {
    this.#isClosed = true;
    if (!this.#isSyncing) closeSync(this.#descriptor);
  }
}
