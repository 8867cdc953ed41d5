import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { JournalCheck, JournalDamage, TornWrite } from '../contract/store-problem.ts';
import { privateFile } from './durable-file.ts';
import { assertReadable } from './formats.ts';
import { checkLine, decodeLine, genesis, type JournaledEvent, subjectOf } from './journal-line.ts';
import { listSegments, type SealedSegment, type SegmentHeader } from './segment.ts';
import { damaged, StoreError } from './store-error.ts';

const newline = 0x0a;

/** A segment's bytes, without the blank space after them, and where its first event begins. */
export interface SegmentContent {
  readonly path: string;
  readonly bytes: Buffer;
  readonly header: SegmentHeader;
  readonly firstEventOffset: number;
}

/** The hash of the last event of a segment that is known to be intact. */
export function lastHashOf({ bytes }: SegmentContent): string {
  return bytes.toString('latin1', bytes.length - 46, bytes.length - 3);
}

/** Null when the file has no whole header: its creation was cut short, and nothing was ever written to it. */
export function readSegment(path: string): SegmentContent | null {
  const content = readFileSync(path);
  const bytes = content.subarray(0, endOfWriting(content));
  const headerEnd = bytes.indexOf(newline);
  if (headerEnd === -1) return null;
  let header: SegmentHeader;
  try {
    header = JSON.parse(bytes.toString('utf8', 0, headerEnd)) as SegmentHeader;
  } catch {
    throw damaged(path, 1, { kind: 'no_header' });
  }
  if (typeof header.format !== 'number') throw damaged(path, 1, { kind: 'no_header' });
  assertReadable(header.format, path);
  return { path, bytes, header, firstEventOffset: headerEnd + 1 };
}

/** Where the blank space begins that a segment ends with while it is being written. No line has a zero byte. */
function endOfWriting(content: Buffer): number {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end -= 1;
  return end;
}

/** Checks a segment against what a checkpoint remembers of it; on a difference finds the line. */
export function assertSealedIntact(segment: SegmentContent, sealed: SealedSegment): void {
  const { bytes, path } = segment;
  if (bytes.length === sealed.bytes && crc32(bytes) === sealed.crc32) return;
  let line = 1;
  let prev = segment.header.prev;
  for (const event of eventLines(segment)) {
    line += 1;
    const check = checkLine(event.bytes, prev);
    if (!check.ok) throw damaged(path, line, check.damage);
    prev = check.head;
  }
  const missing = sealed.bytes - bytes.length;
  throw damaged(
    path,
    line,
    missing > 0 ? { kind: 'file_cut', missing_bytes: missing } : { kind: 'file_replaced' },
  );
}

/** Every whole line after the header, without its newline, and its offset. */
function* eventLines(segment: SegmentContent): Generator<{ bytes: Buffer; offset: number }> {
  const { bytes } = segment;
  for (let start = segment.firstEventOffset; start < bytes.length;) {
    const end = bytes.indexOf(newline, start);
    if (end === -1) return;
    yield { bytes: bytes.subarray(start, end), offset: start };
    start = end + 1;
  }
}

/** Subject and line length of every event of a segment that is known to be intact: fast, nothing is parsed. */
export function forEachSubject(
  segment: SegmentContent,
  visit: (subject: string, length: number) => void,
): void {
  const { bytes } = segment;
  for (let start = segment.firstEventOffset; start < bytes.length;) {
    const next = bytes.indexOf(newline, start) + 1;
    visit(subjectOf(bytes, start), next - start);
    start = next;
  }
}

/**
 * Reads and checks the events of a segment that no checkpoint vouches for.
 *
 * Returns how many bytes are whole. In the last segment, what an interrupted write leaves (an unfinished last line, or
 * blank pages of a last batch that was never acknowledged) ends the reading; anything else that is wrong is damage, and
 * throws with its place.
 */
export function readEvents(
  segment: SegmentContent,
  at: { prev: string; seq: number; isLast: boolean },
  visit: (event: JournaledEvent, head: string, length: number) => void,
): { wholeBytes: number; head: string; seq: number } {
  const { path, bytes } = segment;
  let { prev, seq } = at;
  let line = 1;
  let start = segment.firstEventOffset;
  while (start < bytes.length) {
    line += 1;
    const end = bytes.indexOf(newline, start);
    const check =
      end === -1
        ? ({ ok: false, damage: { kind: 'line_not_ended' } } as const)
        : checkLine(bytes.subarray(start, end), prev);
    if (!check.ok) {
      if (at.isLast && isTornTail(bytes, start, seq + 1)) break;
      throw damaged(path, line, check.damage);
    }
    const event = decodeLine(bytes.toString('utf8', start, end));
    if (event.seq !== seq + 1) {
      throw damaged(path, line, { kind: 'event_missing', seq: seq + 1, found_seq: event.seq });
    }
    visit(event, check.head, end + 1 - start);
    prev = check.head;
    seq = event.seq;
    start = end + 1;
  }
  return { wholeBytes: start, head: prev, seq };
}

/** So many zero bytes in a row are a page that was never written; a flipped bit makes one at most. */
const blankPage = Buffer.alloc(16);

/**
 * Whether what begins here is only what an interrupted write can leave.
 *
 * Such a write ends without its newline or has blank pages where the system had not yet put the bytes, and no batch
 * after it was begun: a batch is begun only when the one before it is on disk. A line that is whole but for its newline
 * was whole once.
 */
function isTornTail(bytes: Buffer, start: number, nextSeq: number): boolean {
  const hasEnd = bytes[bytes.length - 1] === newline;
  const hasBlankPages = bytes.indexOf(blankPage, start) !== -1;
  if (hasEnd && !hasBlankPages) return false;
  const lastLine = bytes.subarray(bytes.lastIndexOf(newline) + 1, bytes.length - 1);
  if (checkLine(lastLine, null).ok) return false;
  for (let from = bytes.indexOf(newline, start) + 1; from > 0 && from < bytes.length;) {
    const end = bytes.indexOf(newline, from);
    if (end === -1) return true;
    const line = bytes.subarray(from, end);
    // A whole line of a batch that was begun after this place: this place was on disk once.
    if (checkLine(line, null).ok && decodeLine(line.toString()).batch > nextSeq) return false;
    from = end + 1;
  }
  return true;
}

/** Cuts a torn tail off, after keeping a copy of it beside the journal. */
export function cutTornTail(segment: SegmentContent, wholeBytes: number): TornWrite {
  const tail = segment.bytes.subarray(wholeBytes);
  const name = `${basename(segment.path, '.jsonl')}-${wholeBytes}.torn`;
  const kept = join(dirname(segment.path), name);
  writeFileSync(kept, tail, { mode: privateFile, flush: true });
  truncateSync(segment.path, wholeBytes);
  return { file: basename(segment.path), bytes_cut: tail.length, kept_as: name };
}

/** How many lines are checked before requests get their turn. */
const linesPerTurn = 2000;

/**
 * Reads the whole journal from disk and checks every hash and every link, while requests go on.
 *
 * `upTo` is where the last segment ended when the check was asked for: what is written after that is not waited for.
 */
export async function verifyJournal(
  folder: string,
  upTo: { file: string; bytes: number },
): Promise<JournalCheck> {
  let prev = genesis;
  let seq = 0;
  let segments = 0;
  for (const name of listSegments(folder)) {
    const path = join(folder, name);
    let line = 1;
    const damagedBy = (damage: JournalDamage): JournalCheck => ({
      status: 'damaged',
      verified_to: seq,
      problem: { code: 'JOURNAL_DAMAGED', file: path, line, damage },
    });
    try {
      const segment = readSegment(path);
      if (segment?.header.prev !== prev || segment.header.first_seq !== seq + 1) {
        return damagedBy({ kind: 'segment_differs' });
      }
      for (const { bytes, offset } of eventLines(segment)) {
        if (name === upTo.file && offset >= upTo.bytes) break;
        line += 1;
        const check = checkLine(bytes, prev);
        if (!check.ok) return damagedBy(check.damage);
        prev = check.head;
        seq += 1;
        if (seq % linesPerTurn === 0) await new Promise(setImmediate);
      }
    } catch (error) {
      if (!(error instanceof StoreError) || error.problem.code === 'FOLDER_UNUSABLE') throw error;
      return { status: 'damaged', verified_to: seq, problem: error.problem };
    }
    segments += 1;
    if (name === upTo.file) break;
  }
  return { status: 'intact', verified_to: seq, head: prev, segments };
}
