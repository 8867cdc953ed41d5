import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Adapter } from 'lowdb';
import type { StateFileFault } from '../contract/service/store-problem.ts';
import { State } from '../core/state.ts';
import { type TableCodec, tableCodecs } from './checkpoint-records.ts';
import { replaceFile } from './durable-file.ts';
import { assertReadable, currentFormat } from './formats.ts';
import { genesis } from './journal-line.ts';
import type { SealedSegment } from './segment.ts';

/** The state as of one event, and the journal's segments at that time. lowdb's `data`. */
export interface Checkpoint {
  /** The last event that the state includes. */
  seq: number;
  /** Its hash. */
  head: string;
  segments: readonly SealedSegment[];
  state: State;
}

/** Before the first event. */
export function emptyCheckpoint(): Checkpoint {
  return { seq: 0, head: genesis, segments: [], state: new State() };
}

/** The file exists but is not valid. The journal has everything that it contained. */
export class CheckpointUnreadable extends Error {
  readonly fault: StateFileFault;

  constructor(fault: StateFileFault) {
    super(fault);
    this.name = 'CheckpointUnreadable';
    this.fault = fault;
  }
}

/** The longest time that encoding may block the thread, in milliseconds: requests are served between slices. */
const sliceMs = 1;
/** How much is written at once, in bytes: small, so that a request's own sync never waits for a large one. */
const pieceBytes = 512 * 1024;

/**
 * lowdb's adapter for the state: readable JSON, one row a line, replaced atomically, written in slices.
 *
 * `write` takes a snapshot of the rows before it first yields. Rows are never changed in place, so what is written is
 * the state as of `seq`.
 */
export class CheckpointFile implements Adapter<Checkpoint> {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null without a file. Throws `CheckpointUnreadable`, or `StoreError` for a newer format. */
  async read(): Promise<Checkpoint | null> {
    let content: Buffer;
    try {
      content = await readFile(this.#path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
    return parseCheckpoint(content, this.#path);
  }

  async write(checkpoint: Checkpoint): Promise<void> {
    const pieces = encodeCheckpoint(checkpoint);
    await replaceFile(this.#path, async (file) => {
      for await (const piece of pieces) {
        await file.write(piece);
        await file.datasync();
      }
    });
  }
}

/**
 * A checkpoint as text, in pieces, of which the last has the checksum of the others.
 *
 * Takes a snapshot of the rows at once; they are encoded when the pieces are asked for, while requests are answered.
 */
export function encodeCheckpoint({ seq, head, segments, state }: Checkpoint): AsyncGenerator<Buffer> {
  const header = { format: currentFormat, written_at: new Date().toISOString(), seq, head, segments };
  const tables = tableCodecs.map((codec) => ({ codec, rows: [...codec.rows(state)] }));
  return withChecksum(encodeInSlices(header, tables));
}

async function* withChecksum(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let crc = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    crc = crc32(bytes, crc);
    yield bytes;
  }
  yield Buffer.from(`"crc32":${crc}}\n`);
}

async function* encodeInSlices(
  header: object,
  tables: readonly { codec: TableCodec<unknown>; rows: readonly unknown[] }[],
): AsyncGenerator<string> {
  let piece = `${JSON.stringify(header).slice(0, -1)},\n`;
  let sliceEndMs = performance.now() + sliceMs;
  for (const { codec, rows } of tables) {
    piece += `"${codec.name}":[\n`;
    let left = rows.length;
    for (const row of rows) {
      left -= 1;
      piece += left === 0 ? `${codec.encode(row)}\n` : `${codec.encode(row)},\n`;
      if (piece.length >= pieceBytes) {
        yield piece;
        piece = '';
        sliceEndMs = performance.now() + sliceMs;
      } else if (left % 32 === 0 && performance.now() >= sliceEndMs) {
        await new Promise(setImmediate);
        sliceEndMs = performance.now() + sliceMs;
      }
    }
    piece += '],\n';
  }
  yield piece;
}

const newline = 0x0a;

/** Throws `CheckpointUnreadable`, or `StoreError` for a newer format. `path` is for messages. */
export function parseCheckpoint(content: Buffer, path: string): Checkpoint {
  const headerEnd = content.indexOf(newline);
  const header = parseJson(`${content.toString('utf8', 0, Math.max(0, headerEnd - 1))}}`) as {
    format?: number;
    seq: number;
    head: string;
    segments: SealedSegment[];
  };
  if (typeof header.format !== 'number') throw new CheckpointUnreadable('no_format');
  // The format first: the checksum of a newer one may be at another place.
  assertReadable(header.format, path);

  const trailerStart = content.lastIndexOf(newline, content.length - 2) + 1;
  const trailer = /^"crc32":(\d+)\}\n$/.exec(content.toString('utf8', trailerStart, content.length));
  if (trailer === null) throw new CheckpointUnreadable('end_missing');
  if (crc32(content.subarray(0, trailerStart)) !== Number(trailer[1])) {
    throw new CheckpointUnreadable('checksum_differs');
  }

  const state = new State();
  const codecs = new Map(tableCodecs.map((codec) => [codec.name, codec]));
  let codec: TableCodec<unknown> | undefined;
  for (let start = headerEnd + 1; start < trailerStart;) {
    const end = content.indexOf(newline, start);
    const first = content[start];
    if (first === 0x7b /* { */) {
      const rowEnd = content[end - 1] === 0x2c /* , */ ? end - 1 : end;
      codec?.load(state, JSON.parse(content.toString('utf8', start, rowEnd)));
      state.undo.forget();
    } else if (first === 0x22 /* " */) {
      codec = codecs.get(content.toString('utf8', start + 1, content.indexOf(0x22, start + 1)));
    }
    start = end + 1;
  }
  return { seq: header.seq, head: header.head, segments: header.segments, state };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CheckpointUnreadable('not_json');
  }
}
