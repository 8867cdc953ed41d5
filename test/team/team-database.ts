import { createSecretKey } from 'node:crypto';
import { Low } from 'lowdb';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
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
import type { SqlRow, SqlValue } from '../../src/core/shared-tables.ts';
import { FencedTables, type TeamQueries } from '../../src/store/team/fenced-tables.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';
import { waitFor } from '../fixtures/wait-for.ts';

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

/** A database with the tables that hosts share, led in epoch 1. */
export interface TeamTables {
  /**
   * The tables as they are for a host that believes to lead in this epoch; null: it follows. Its statements reach the database once
   * `arrival` is settled.
   */
  host(epoch: number | null, arrival?: Promise<unknown>): FencedTables;
  /** Another host takes the lead. */
  lead(epoch: number): Promise<void>;
  query(sql: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** A connection of its own, for what has to be under way. */
  connect(): Promise<pg.Client>;
  /** Resolves when so many statements wait for a lock. */
  waiting(count?: number): Promise<void>;
  close(): Promise<void>;
}

/** Each `open` makes an empty database on the common server. */
export function teamTables(): { readonly open: () => Promise<TeamTables> } {
  return { open: async () => openTables(await commonPostgres()) };
}

async function openTables(postgres: Postgres): Promise<TeamTables> {
  const name = await postgres.database();
  const url = postgres.url({ role: 'rotavox', database: name });
  const database = await PostgresDatabase.open(url);
  const lead = async (epoch: number): Promise<void> => {
    await database.query('update rotavox.leadership set epoch = $1', [epoch]);
  };
  await lead(1);
  const clients: pg.Client[] = [];
  const queries = (arrival?: Promise<unknown>): TeamQueries => ({
    place: database.place,
    query: async (sql, values) => {
      await arrival;
      return database.query(sql, values);
    },
  });
  return {
    host: (epoch, arrival) => new FencedTables(queries(arrival), () => epoch),
    lead,
    query: (sql, values) => database.query(sql, values),
    connect: async () => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      clients.push(client);
      await client.connect();
      return client;
    },
    waiting: async (count = 1) => {
      const sql =
        "select count(*)::int from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
      await waitFor(async () => {
        expect((await database.query(sql, [name]))[0]).toEqual({ count });
      });
    },
    close: async () => {
      for (const client of clients) await client.end();
      await database.close();
    },
  };
}
