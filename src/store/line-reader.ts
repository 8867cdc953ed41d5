import { type FileHandle, open } from 'node:fs/promises';
import { HistoryUnreadable } from '../core/ledger.ts';
import type { HistoryIndex } from './history-index.ts';

/** How much is read from disk, and looked at, before requests get their turn, in bytes. */
const stretchBytes = 128 * 1024;

export interface EventLine {
  readonly seq: number;
  /** As it lies in the journal, without its newline. */
  readonly line: string;
}

/** Neighbours on disk, at least one. Newest first. */
type Stretch = number[];

/**
 * Reads the lines of some events, newest first, stretch by stretch: between two of them requests go on.
 *
 * `seqs` go down. Neighbours share a read, and a file is opened once however much is read of it.
 */
export async function* readLines(index: HistoryIndex, seqs: Iterable<number>): AsyncGenerator<EventLine[]> {
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
        throw new HistoryUnreadable(`${path} has become shorter: byte ${start + bytesRead} is missing.`);
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
