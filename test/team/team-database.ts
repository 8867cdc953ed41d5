import { createSecretKey } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { Low } from 'lowdb';
import type { Checkpoint } from '../../src/store/checkpoint-file.ts';
import { genesis } from '../../src/store/journal-line.ts';
import { Store } from '../../src/store/store.ts';
import { CheckpointTable, readNewestCheckpoint } from '../../src/store/team/checkpoint-table.ts';
import { JournalKey } from '../../src/store/team/journal-key.ts';
import { type DatabaseTiming, PostgresDatabase } from '../../src/store/team/postgres-database.ts';
import { PostgresJournal } from '../../src/store/team/postgres-journal.ts';
import { Replica } from '../../src/store/team/replica.ts';
import { LeaderTerm } from '../../src/store/team/term.ts';
import { noon } from '../fixtures/make-events.ts';

/** Lets a database without a vault read and write its journal. */
export function useTestKey(database: PostgresDatabase): void {
  database.useKey(
    new JournalKey(createSecretKey(Buffer.alloc(32, 7)), { seq: 0, head: genesis }, database.place),
  );
}

export async function openDatabase(url: string, timing?: Partial<DatabaseTiming>): Promise<PostgresDatabase> {
  const database = await PostgresDatabase.open(url, timing);
  useTestKey(database);
  onTestFinished(() => database.close());
  return database;
}

export interface LeadingStore {
  readonly store: Store;
  readonly term: LeaderTerm;
}

/** The store of a host that has replayed everything and leads. */
export async function openLeadingStore(
  database: PostgresDatabase,
  { host = 'h1', leaseMs = 60_000 } = {},
): Promise<LeadingStore> {
  const checkpoint = await readNewestCheckpoint(database);
  const { seq, head, state } = checkpoint;
  const replica = new Replica(state, { seq, head }, database.place);
  const { epoch, headSeq } = await database.look();
  while (replica.last.seq < headSeq) {
    const lines = await database.readAfter(replica.last.seq, 1_000);
    if (lines.length === 0) break;
    replica.replay(lines);
  }
  const candidate = { host, address: 'http://127.0.0.1:1', leaseMs };
  const sentAtMs = performance.now();
  const won = await database.lead(epoch, candidate);
  if (won === null) throw new Error('Another host leads');
  const term = new LeaderTerm(
    {
      database,
      candidate,
      marginMs: 0,
      clock: () => performance.now(),
      waitToRetry: () => new Promise((resolve) => setTimeout(resolve, 20)),
    },
    won,
    sentAtMs,
  );
  const db = new Low<Checkpoint>(new CheckpointTable(database, () => term.epoch), checkpoint);
  const store = new Store(
    { journal: new PostgresJournal(database, term), db, head: replica.last.head },
    { clock: () => noon, policy: { minEvents: 1_000_000, shareOfTokens: 1 }, onTrouble: () => undefined },
  );
  return { store, term };
}
