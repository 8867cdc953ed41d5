import { randomUUID } from 'node:crypto';
import { type Adapter, Low } from 'lowdb';
import {
  type Checkpoint,
  CheckpointUnreadable,
  emptyCheckpoint,
  encodeCheckpoint,
  parseCheckpoint,
} from '../checkpoint-file.ts';
import { damaged } from '../store-error.ts';
import type { PostgresDatabase } from './postgres-database.ts';
import { notLeading } from './term.ts';

/** How many pieces are read with one statement; one has half a megabyte. */
const piecesPerRead = 8;

/** So many are kept: a host that reads one while the next is written still finds all of it. */
const kept = 2;

interface Found {
  readonly id: string;
  readonly seq: number;
  readonly head: string;
  readonly pieces: number;
  readonly mac: string | null;
}

/**
 * lowdb's adapter for the state in PostgreSQL: the same text as in `state.json`, in pieces.
 *
 * Only the leader writes. A checkpoint counts once its number of pieces is noted, with the mark of the host. It is read only if it has
 * that, and the journal has its last event.
 */
export class CheckpointTable implements Adapter<Checkpoint> {
  readonly #database: PostgresDatabase;
  readonly #epoch: () => number;

  /** `epoch`: of the term, read again for each statement. */
  constructor(database: PostgresDatabase, epoch: () => number) {
    this.#database = database;
    this.#epoch = epoch;
  }

  /** The newest one that can be read; null without any. Throws `StoreError` for a newer format, or another journal. */
  async read(): Promise<Checkpoint | null> {
    const { place } = this.#database;
    const found = await this.#database.query(
      `select id, seq::float8, head, pieces, mac from rotavox.checkpoint where pieces is not null order by seq desc, epoch desc`,
    );
    for (const one of found as unknown as readonly Found[]) {
      const content = await this.#contentOf(one);
      if (content === null) continue;
      // Of a host that made no marks or had another passphrase, or of no host: the journal has everything, and is replayed instead.
      if (this.#database.key.macOfCheckpoint(one).update(content).digest('base64url') !== one.mac) continue;
      try {
        const checkpoint = parseCheckpoint(content, place);
        await this.#assertOfJournal(one);
        return checkpoint;
      } catch (error) {
        // An older one is as good, because the journal has everything; the next one that is written replaces it.
        if (!(error instanceof CheckpointUnreadable)) throw error;
      }
    }
    return null;
  }

  /** Null when some of it is missing: it was removed meanwhile. */
  async #contentOf({ id, pieces }: Found): Promise<Buffer | null> {
    const content: Buffer[] = [];
    while (content.length < pieces) {
      const rows = await this.#database.query(
        'select content from rotavox.checkpoint_piece where checkpoint = $1 and piece >= $2 order by piece limit $3',
        [id, content.length, piecesPerRead],
      );
      if (rows.length === 0) return null;
      content.push(...rows.map((row) => Buffer.from(row['content'] as string)));
    }
    return Buffer.concat(content);
  }

  async #assertOfJournal({ seq, head }: Found): Promise<void> {
    if (seq === 0) return;
    const { place } = this.#database;
    const [line] = await this.#database.readLines([seq]);
    if (line === undefined) {
      const known_by = ['rotavox.checkpoint'];
      throw damaged(place, seq, { kind: 'end_missing', from_seq: seq, to_seq: seq, known_by });
    }
    if (!line.line.endsWith(`"${head}"}`)) throw damaged(place, seq, { kind: 'state_differs' });
  }

  async write(checkpoint: Checkpoint): Promise<void> {
    const pieces = encodeCheckpoint({ ...checkpoint, segments: [] });
    const id = randomUUID();
    await this.#change(
      `insert into rotavox.checkpoint (id, epoch, seq, head)
      select $2, epoch, $3, $4 from rotavox.leadership where epoch = $1 returning 1`,
      [id, checkpoint.seq, checkpoint.head],
    );
    let count = 0;
    const mac = this.#database.key.macOfCheckpoint(checkpoint);
    for await (const piece of pieces) {
      mac.update(piece);
      await this.#change(
        `insert into rotavox.checkpoint_piece (checkpoint, piece, content)
        select $2, $3, $4 from rotavox.leadership where epoch = $1 returning 1`,
        [id, count, piece.toString()],
      );
      count += 1;
    }
    await this.#change(
      `update rotavox.checkpoint set pieces = $3, mac = $4
      where id = $2 and exists (select from rotavox.leadership where epoch = $1) returning 1`,
      [id, count, mac.digest('base64url')],
    );
    await this.#removeOld();
  }

  /** With the ones that an earlier leader did not finish, and those of ours that failed. */
  async #removeOld(): Promise<void> {
    await this.#database.query(
      `delete from rotavox.checkpoint where epoch <= $1 and id not in (
        select id from rotavox.checkpoint where pieces is not null order by seq desc, epoch desc limit $2
      ) and exists (select from rotavox.leadership where epoch = $1)`,
      [this.#epoch(), kept],
    );
  }

  /** A statement that returns a row if the epoch, which is `$1`, is not over. */
  async #change(text: string, values: readonly (string | number)[]): Promise<void> {
    const rows = await this.#database.query(text, [this.#epoch(), ...values]);
    if (rows.length === 0) throw notLeading(this.#database.place);
  }
}

/** The state of the newest checkpoint, for a host that starts; it replays what follows (`replica.ts`). */
export async function readNewestCheckpoint(database: PostgresDatabase): Promise<Checkpoint> {
  const db = new Low<Checkpoint>(new CheckpointTable(database, () => 0), emptyCheckpoint());
  await db.read();
  return db.data;
}
