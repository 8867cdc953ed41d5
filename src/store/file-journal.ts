import { closeSync, constants, fdatasyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JournalCheck } from '../contract/service/store-problem.ts';
import { type Clock, HistoryUnreadable } from '../core/ledger.ts';
import type { Checkpoint } from './checkpoint-file.ts';
import { currentFormat } from './formats.ts';
import type { HistoryIndex } from './history-index.ts';
import type { EventLine, Journal, JournalBatch } from './journal.ts';
import { verifyJournal } from './journal-reader.ts';
import { OpenSegment, segmentFile } from './segment.ts';
import { privateFile } from './durable-file.ts';
import { systemCodeOf } from './store-error.ts';

export interface FileJournalParts {
  /** The segment that is continued. */
  readonly segment: OpenSegment;
  readonly end: JournalEnd;
  /** Has every event of the journal. */
  readonly index: HistoryIndex;
  readonly clock: Clock;
  /** A segment is sealed at this size at the latest, in bytes. */
  readonly maxSegmentBytes: number;
  /** Throws `StoreUnavailable` once this process no longer holds the data folder. */
  readonly assertHeld: () => void;
}

/** The files of a journal, oldest first, each as far as it is part of it. */
export interface JournalExtent {
  readonly lastSeq: number;
  readonly segments: readonly { readonly path: string; readonly bytes: number }[];
}

/**
 * The journal in the segments of a data folder, of which the last one is open.
 *
 * Invariants: 1. nothing is written unless the folder and the segment were just verified to be the ones that were opened;
 * 2. only events on disk are in the index.
 */
export class FileJournal implements Journal {
  readonly #parts: FileJournalParts;
  readonly #index: HistoryIndex;
  #segment: OpenSegment;
  /** The segment is sealed at this size. */
  #sealAtBytes: number;

  constructor(parts: FileJournalParts) {
    this.#parts = parts;
    this.#index = parts.index;
    this.#segment = parts.segment;
    this.#sealAtBytes = parts.maxSegmentBytes;
  }

  get place(): string {
    return dirname(this.#segment.path);
  }

  get lastSeq(): number {
    return this.#index.lastSeq;
  }

  get isCheckpointDue(): boolean {
    return this.#segment.bytes >= this.#sealAtBytes;
  }

  assertCurrent(): void {
    // nobody else writes to a folder that this process holds
  }

  assertReadable(): void {
    this.#segment.assertInPlace();
  }

  /**
   * On this thread: while the disk works, further calls queue up in the sockets and make the next batch a larger one.
   * Handing the write to another thread was measured to cost more than it gains, at one connection and at fifty.
   */
  append({ events, lines }: JournalBatch): undefined {
    this.#assertInPlace();
    this.#segment.append(Buffer.from(lines.join('')));
    for (const [place, event] of events.entries())
      this.#index.add(event.subject, Buffer.byteLength(lines[place] ?? ''));
    this.#parts.end.note(this.#index.lastSeq, this.#parts.clock());
  }

  // see decisions/look-for-the-folder-before-each-write.md
  #assertInPlace(): void {
    this.#parts.assertHeld();
    this.#segment.assertInPlace();
  }

  probe(options: { readonly byWriting: boolean }): void {
    this.#assertInPlace();
    this.#segment.probe(options);
    this.#parts.end.note(this.#index.lastSeq, this.#parts.clock());
  }

  /** Seals the segment, so that the next start does not read it again line by line. */
  beginCheckpoint(
    checkpoint: Checkpoint,
    { seq, head }: { readonly seq: number; readonly head: string },
  ): void {
    this.#assertInPlace();
    if (seq < this.#segment.firstSeq) return;
    // Before the next segment exists: a torn or blank end is only accepted in the last segment.
    this.#segment.cutToBytes();
    const next = OpenSegment.create(this.place, {
      format: currentFormat,
      segment: this.#segment.number + 1,
      first_seq: seq + 1,
      prev: head,
    });
    checkpoint.segments = [...checkpoint.segments, this.#segment.seal(seq)];
    this.#segment = next;
    this.#index.beginSegment(next.path, next.firstSeq, next.bytes);
  }

  /** A failed one is repeated when the journal has grown by a good part of a segment (on a full disk it does not grow). */
  endCheckpoint(isWritten: boolean): void {
    const { maxSegmentBytes } = this.#parts;
    this.#sealAtBytes = isWritten
      ? maxSegmentBytes
      : Math.max(maxSegmentBytes, this.#segment.bytes + maxSegmentBytes / 8);
  }

  *seqsOf(subject: string, newest: number): Generator<number> {
    for (let seq = this.#index.lastOf(subject); seq > 0; seq = this.#index.previousOfSubject(seq))
      if (seq <= newest) yield seq;
  }

  readLines(seqs: Iterable<number>): AsyncIterable<EventLine[]> {
    return readLines(this.#index, seqs);
  }

  /** What is on disk now. It stays so: a journal only becomes longer. */
  get extent(): JournalExtent {
    const { path, number, bytes } = this.#segment;
    const sealed = Array.from({ length: number - 1 }, (_, place) => {
      const file = join(dirname(path), segmentFile(place + 1));
      return { path: file, bytes: statSync(file).size };
    });
    return { lastSeq: this.lastSeq, segments: [...sealed, { path, bytes }] };
  }

  verify(): Promise<JournalCheck> {
    const { path, bytes } = this.#segment;
    return verifyJournal(dirname(path), { file: basename(path), bytes });
  }

  /** Removes blank space, unless the file may belong to another process by now: cutting would remove its data. */
  close(): void {
    const { end } = this.#parts;
    try {
      this.#assertInPlace();
      this.#segment.cutToBytes();
      end.record(this.#index.lastSeq);
    } finally {
      end.close();
      this.#segment.close();
    }
  }
}

/** How much is read from disk and searched before other requests are answered, in bytes. */
const stretchBytes = 128 * 1024;

/** Neighbours on disk, at least one, newest first. */
type Stretch = number[];

/**
 * Reads the lines of some events, newest first, in stretches; requests are answered between two stretches.
 *
 * `seqs` descend. Neighbours share a read, and each file is opened only once.
 */
async function* readLines(index: HistoryIndex, seqs: Iterable<number>): AsyncGenerator<EventLine[]> {
  let opened: { readonly path: string; readonly file: FileHandle } | undefined;
  let buffer = Buffer.allocUnsafe(0);
  try {
    for (const stretch of stretchesOf(index, seqs)) {
      const [newest = 0, oldest = newest] = [stretch[0], stretch.at(-1)];
      const { path } = index.segmentOf(newest);
      if (opened?.path !== path) {
        await opened?.file.close();
        opened = { path, file: await open(path, 'r') };
      }
      const start = index.offsetOf(oldest);
      const length = index.endOf(newest) - start;
      if (buffer.length < length) buffer = Buffer.allocUnsafe(Math.max(length, stretchBytes));
      const { bytesRead } = await opened.file.read(buffer, 0, length, start);
      if (bytesRead < length)
        throw new HistoryUnreadable({ kind: 'file_cut', file: path, byte: start + bytesRead });
      yield stretch.map((seq) => ({
        seq,
        line: buffer.toString('utf8', index.offsetOf(seq) - start, index.endOf(seq) - start - 1),
      }));
    }
  } finally {
    await opened?.file.close();
  }
}

function* stretchesOf(index: HistoryIndex, seqs: Iterable<number>): Generator<Stretch> {
  let stretch: Stretch = [];
  let firstSeq = 0;
  let end = 0;
  for (const seq of seqs) {
    const isNear = seq >= firstSeq && end - index.offsetOf(seq) <= stretchBytes;
    if (stretch.length > 0 && !isNear) {
      yield stretch;
      stretch = [];
    }
    if (stretch.length === 0) {
      ({ firstSeq } = index.segmentOf(seq));
      end = index.endOf(seq);
    }
    stretch.push(seq);
  }
  if (stretch.length > 0) yield stretch;
}

/** How long an event is on disk before it is recorded here, in milliseconds. */
const lagMs = 60_000;
/** One block of any disk, so that it is replaced whole. */
const recordBytes = 64;

export function journalEndFile(journalFolder: string): string {
  return join(journalFolder, 'end.json');
}

/**
 * The number of the last recorded event: the journal must not end before it.
 *
 * 0 if nothing is recorded, as in a folder of an older version; null for an invalid record.
 */
export function readJournalEnd(journalFolder: string): number | null {
  let content: string;
  try {
    content = readFileSync(journalEndFile(journalFolder), 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return 0;
    throw error;
  }
  if (content === '') return 0; // the disk had no room for it
  try {
    const { format, last_seq: seq } = JSON.parse(content) as { format?: unknown; last_seq?: unknown };
    return format === 1 && typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : null;
  } catch {
    return null;
  }
}

/**
 * Records where the journal ends, in a separate file, because a journal that was cut at the end of a line looks complete.
 *
 * Written and synced once a minute while there are changes, and at a stop. The recorded event is at least a minute old, so that
 * the record is not ahead of the journal in a copy of the folder that was made file by file. Nothing waits for it: a failed
 * write is repeated later.
 * see decisions/record-the-journals-end-once-a-minute.md
 */
export class JournalEnd {
  readonly #descriptor: number;
  #recordedSeq: number;
  /** The event that will be recorded, and when it was on disk. */
  #next: { readonly seq: number; readonly sinceMs: number } | null = null;

  /** `recordedSeq` is the content of the file. */
  constructor(journalFolder: string, recordedSeq: number) {
    const { O_CREAT, O_RDWR } = constants;
    this.#descriptor = openSync(journalEndFile(journalFolder), O_RDWR | O_CREAT, privateFile);
    this.#recordedSeq = recordedSeq;
  }

  /** Called regularly with the last event on disk. */
  note(seq: number, nowMs: number): void {
    const { sinceMs = nowMs } = this.#next ?? {};
    // In both directions: after a clock was set back it must not wait long.
    if (this.#next !== null && Math.abs(nowMs - sinceMs) >= lagMs) {
      this.record(this.#next.seq);
      this.#next = null;
    }
    if (this.#next === null && seq > this.#recordedSeq) this.#next = { seq, sinceMs: nowMs };
  }

  /** Records an event that is on disk. */
  record(seq: number): void {
    if (seq <= this.#recordedSeq) return;
    const record = `${JSON.stringify({ format: 1, last_seq: seq }).padEnd(recordBytes - 1)}\n`;
    try {
      writeSync(this.#descriptor, record, 0);
      fdatasyncSync(this.#descriptor);
      this.#recordedSeq = seq;
    } catch {
      // The disk has no room, which the next change will report; recorded later.
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
