import { closeSync, constants, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { privateFile } from './durable-file.ts';
import { systemCodeOf } from './store-error.ts';

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
