import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { privateFolder, replaceFile } from './durable-file.ts';
import { currentFormat } from './formats.ts';
import { checkLine, decodeLine, genesis } from './journal-line.ts';
import { readEvents, readSegment } from './journal-reader.ts';
import { listSegments, segmentFile } from './segment.ts';
import { damaged } from './store-error.ts';
import type { JournalHead } from './team/replica.ts';
import type { StoredLine, TeamDatabase } from './team/team-database.ts';
import { assertOfDatabase } from './team/term.ts';

/** Leads the database like a host while it is copied. The same for each copy, so that a later one can continue. */
export const copyHost = 'journal copy';

/** A journal that is copied, or what a copy has made so far. */
export interface LineSource {
  /** The folder, or the address of the database without a password. */
  readonly place: string;
  /** Every line, oldest first, some at a time. */
  lines(): Iterable<readonly StoredLine[]> | AsyncIterable<readonly StoredLine[]>;
}

export interface LineTarget extends LineSource {
  /** Adds lines that follow what is there; durable when it resolves, or after `finish`. */
  append(lines: readonly StoredLine[], after: JournalHead, head: string): Promise<void>;
  finish(): Promise<void>;
}

/** The target has events that the journal does not have. Nothing was changed. */
export class JournalsDiffer extends Error {
  readonly place: string;
  readonly seq: number;

  constructor(place: string, seq: number) {
    super(`${place}: ${seq}`);
    this.name = 'JournalsDiffer';
    this.place = place;
    this.seq = seq;
  }
}

/**
 * Copies the lines of a journal that the target does not have yet, then reads the target again.
 *
 * Every hash and every link of both is checked. A copy that was interrupted goes on where it ended. Throws `JournalsDiffer`, or
 * `StoreError` for damage. `onCopied` is called with the number of the last event now and then.
 */
export async function copyLines(
  source: LineSource,
  target: LineTarget,
  onCopied: (seq: number) => void,
): Promise<JournalHead> {
  const there = await readToEnd(target);
  let end: JournalHead = { seq: 0, head: genesis };
  let isKnown = there.seq === 0;
  for await (const lines of source.lines()) {
    const chain = new Chain(source.place, end);
    const wanted: StoredLine[] = [];
    let after: JournalHead = end;
    for (const line of lines) {
      const at = chain.follow(line);
      if (at.seq === there.seq) {
        if (at.head !== there.head) throw new JournalsDiffer(target.place, at.seq);
        isKnown = true;
      }
      if (at.seq <= there.seq) after = at;
      else wanted.push(line);
    }
    end = chain.end;
    if (wanted.length === 0) continue;
    if (!isKnown) throw new JournalsDiffer(target.place, there.seq);
    await target.append(wanted, after, end.head);
    onCopied(end.seq);
  }
  if (!isKnown) throw new JournalsDiffer(target.place, there.seq);
  await target.finish();
  const copied = await readToEnd(target);
  if (copied.seq !== end.seq || copied.head !== end.head) throw new JournalsDiffer(target.place, copied.seq);
  return end;
}

/** The end of a journal, of which every hash and every link is checked. Throws `StoreError` for damage. */
export async function readToEnd(source: LineSource): Promise<JournalHead> {
  const chain = new Chain(source.place, { seq: 0, head: genesis });
  for await (const lines of source.lines()) for (const line of lines) chain.follow(line);
  return chain.end;
}

/** Checks line after line. */
class Chain {
  readonly #place: string;
  end: JournalHead;

  constructor(place: string, end: JournalHead) {
    this.#place = place;
    this.end = end;
  }

  follow({ line }: StoredLine): JournalHead {
    const seq = this.end.seq + 1;
    const check = checkLine(Buffer.from(line), this.end.head);
    if (!check.ok) throw damaged(this.#place, seq, check.damage);
    const { seq: found } = decodeLine(line);
    if (found !== seq) throw damaged(this.#place, seq, { kind: 'event_missing', seq, found_seq: found });
    this.end = { seq, head: check.head };
    return this.end;
  }
}

/** How much is read or written at once, whichever is reached first: a statement of the database has a second or two. */
const linesAtOnce = 1_000;
const bytesAtOnce = 4 * 1024 * 1024;

/** The journal of a data folder that this process holds. What an interrupted write left at its end is not copied. */
export class FolderLines implements LineSource {
  readonly place: string;

  constructor(dataFolder: string) {
    this.place = join(dataFolder, 'journal');
  }

  *lines(): Generator<readonly StoredLine[]> {
    let at: JournalHead = { seq: 0, head: genesis };
    const names = listSegments(this.place);
    for (const name of names) {
      const segment = readSegment(join(this.place, name));
      if (segment === null) return;
      const parts: StoredLine[][] = [];
      let start = segment.firstEventOffset;
      let partEnd = start;
      const isLast = name === names.at(-1);
      at = readEvents(segment, { prev: at.head, seq: at.seq, isLast }, ({ seq }, _head, length) => {
        let part = parts.at(-1);
        if (part === undefined || part.length >= linesAtOnce || start + length > partEnd) {
          parts.push((part = []));
          partEnd = start + bytesAtOnce;
        }
        part.push({ seq, line: segment.bytes.toString('utf8', start, start + length - 1) });
        start += length;
      });
      yield* parts;
    }
  }
}

/** A segment has this many lines at least, but for the last one. */
const linesOfSegment = 50_000;

/** A folder that becomes a data folder: whole segments only, so that an interrupted copy can go on after the last one. */
export class NewFolderLines extends FolderLines implements LineTarget {
  #waiting: StoredLine[] = [];
  #after: JournalHead = { seq: 0, head: genesis };

  constructor(dataFolder: string) {
    super(dataFolder);
    mkdirSync(this.place, { recursive: true, mode: privateFolder });
  }

  async append(lines: readonly StoredLine[], after: JournalHead, head: string): Promise<void> {
    if (this.#waiting.length === 0) this.#after = after;
    this.#waiting.push(...lines);
    if (this.#waiting.length >= linesOfSegment) await this.#writeSegment(head);
  }

  async finish(): Promise<void> {
    if (this.#waiting.length > 0) await this.#writeSegment('');
  }

  async #writeSegment(head: string): Promise<void> {
    const { seq, head: prev } = this.#after;
    const lines = this.#waiting;
    const segment = listSegments(this.place).length + 1;
    const header = { format: currentFormat, segment, first_seq: seq + 1, prev };
    await replaceFile(join(this.place, segmentFile(segment)), async (file) => {
      await file.write(`${JSON.stringify(header)}\n`);
      for (let from = 0; from < lines.length; from += linesAtOnce)
        await file.write(
          lines
            .slice(from, from + linesAtOnce)
            .map(({ line }) => `${line}\n`)
            .join(''),
        );
    });
    this.#waiting = [];
    this.#after = { seq: seq + lines.length, head };
  }
}

/** The journal in a database. */
export class DatabaseLines implements LineSource {
  protected readonly database: TeamDatabase;

  constructor(database: TeamDatabase) {
    this.database = database;
  }

  get place(): string {
    return this.database.place;
  }

  async *lines(): AsyncGenerator<readonly StoredLine[]> {
    for (let seq = 0; ;) {
      const lines = await this.database.readAfter(seq, linesAtOnce);
      if (lines.length === 0) return;
      yield lines;
      seq += lines.length;
    }
  }
}

/** The same where this process has the lead. */
export class LedLines extends DatabaseLines implements LineTarget {
  readonly #epoch: number;
  /** Throws once the epoch is over. */
  readonly #refuse: () => never;

  constructor(database: TeamDatabase, epoch: number, refuse: () => never) {
    super(database);
    this.#epoch = epoch;
    this.#refuse = refuse;
  }

  async append(lines: readonly StoredLine[], after: JournalHead, head: string): Promise<void> {
    if (!(await this.database.append(this.#epoch, after.seq, lines, head))) this.#refuse();
  }

  finish(): Promise<void> {
    return Promise.resolve();
  }
}

/** Keeps the lead of an epoch, in steps of its lease, while something is done that may take longer. */
export async function keepLead<T>(
  database: TeamDatabase,
  { epoch, leaseMs }: { readonly epoch: number; readonly leaseMs: number },
  act: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(
    () => void database.renew(epoch, { address: '', leaseMs }).catch(assertOfDatabase),
    leaseMs / 4,
  );
  try {
    return await act();
  } finally {
    clearInterval(renewing);
  }
}
