import pg from 'pg';
import { expect } from 'vitest';
import type { SqlRow, SqlValue } from '../../src/core/shared-tables.ts';
import { FencedTables, type TeamQueries } from '../../src/store/team/fenced-tables.ts';
import { PostgresDatabase } from '../../src/store/team/postgres-database.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';
import { waitFor } from '../fixtures/wait-for.ts';

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
