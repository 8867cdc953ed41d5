import { join } from 'node:path';
import type { Verification } from '../contract/portal.ts';
import { eventLines, readSegment } from './journal-reader.ts';
import { checkLine, genesis } from './journal-line.ts';
import { listSegments } from './segment.ts';
import { StoreError } from './store-error.ts';

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
): Promise<Verification> {
  let prev = genesis;
  let seq = 0;
  let segments = 0;
  for (const name of listSegments(folder)) {
    const path = join(folder, name);
    let line = 1;
    try {
      const segment = readSegment(path);
      if (segment?.header.prev !== prev || segment.header.first_seq !== seq + 1) {
        return {
          status: 'damaged',
          verified_to: seq,
          file: path,
          line,
          reason: 'it does not follow the segment before it',
        };
      }
      for (const { bytes, offset } of eventLines(segment)) {
        if (name === upTo.file && offset >= upTo.bytes) break;
        line += 1;
        const check = checkLine(bytes, prev);
        if (!check.ok) return { status: 'damaged', verified_to: seq, file: path, line, reason: check.reason };
        prev = check.head;
        seq += 1;
        if (seq % linesPerTurn === 0) await new Promise(setImmediate);
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return { status: 'damaged', verified_to: seq, file: path, line, reason: error.message };
    }
    segments += 1;
    if (name === upTo.file) break;
  }
  return { status: 'intact', verified_to: seq, head: prev, segments };
}
