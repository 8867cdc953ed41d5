import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { JournalCheck, JournalDamage, TornWrite } from '../contract/service/store-problem.ts';
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

/** Null when the file has no complete header: its creation was interrupted, and no event was written to it. */
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

/** Where the blank space at the end of an open segment begins. No line has a zero byte. */
function endOfWriting(content: Buffer): number {
  let end = content.length;
  while (end > 0 && content[end - 1] === 0) end -= 1;
  return end;
}

/** Checks a segment against its entry in the checkpoint; on a difference finds the damaged line. */
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

/** Subject and line length of every event of a segment that is known to be intact: fast, because nothing is parsed. */
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
 * Reads and checks the events of a segment that no checkpoint covers.
 *
 * Returns the length of the intact part in bytes. In the last segment, the traces of an interrupted write (an unfinished last
 * line, or blank pages of a last batch that was never acknowledged) end the reading; anything else that is wrong is damage,
 * which is thrown with its place.
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

/** This many zero bytes in a row are a page that was never written; a flipped bit makes one at most. */
const blankPage = Buffer.alloc(16);

/**
 * Whether an interrupted write explains everything from here on.
 *
 * Such a write ends without its newline or has blank pages that the system had not yet written, and no later batch exists,
 * because a batch begins only when the previous one is on disk. A line that is complete except for its newline
 * was complete once.
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
    // A complete line of a batch that began after this place: so this place was on disk once.
    if (checkLine(line, null).ok && decodeLine(line.toString()).batch > nextSeq) return false;
    from = end + 1;
  }
  return true;
}

/** Cuts off a torn tail, after keeping a copy of it beside the journal. */
export function cutTornTail(segment: SegmentContent, wholeBytes: number): TornWrite {
  const tail = segment.bytes.subarray(wholeBytes);
  const name = `${basename(segment.path, '.jsonl')}-${wholeBytes}.torn`;
  const kept = join(dirname(segment.path), name);
  writeFileSync(kept, tail, { mode: privateFile, flush: true });
  truncateSync(segment.path, wholeBytes);
  return { file: basename(segment.path), bytes_cut: tail.length, kept_as: name };
}

/** How many lines are checked before other requests are answered. */
const linesPerTurn = 2000;

/**
 * Reads the whole journal from disk and checks every hash and every link, while requests are answered.
 *
 * `upTo` is the end of the last segment when the check was requested; later events are not checked.
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
      const problem = error instanceof StoreError ? error.problem : null;
      if (problem?.code !== 'JOURNAL_DAMAGED' && problem?.code !== 'FORMAT_TOO_NEW') throw error;
      return { status: 'damaged', verified_to: seq, problem };
    }
    segments += 1;
    if (name === upTo.file) break;
  }
  return { status: 'intact', verified_to: seq, head: prev, segments };
}
