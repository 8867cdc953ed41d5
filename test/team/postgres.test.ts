/** @module-tag long */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { startTcpProxy } from '../fakes/tcp-proxy.ts';
import { canMount } from '../chaos/full-disk.ts';
import { type Postgres, type PostgresOptions, startPostgres } from '../tools/postgres.ts';
import { waitFor } from '../fixtures/wait-for.ts';

const megabyte = 1024 * 1024;

async function startServer(options?: PostgresOptions): Promise<Postgres> {
  const postgres = await startPostgres(options);
  onTestFinished(() => postgres.close());
  return postgres;
}

/** A database with a table that has one row. */
async function notebook(postgres: Postgres): Promise<string> {
  const database = await postgres.database();
  await postgres.query('create table note (id bigint generated always as identity, body text)', { database });
  await note(postgres, database);
  return database;
}

const note = (postgres: Postgres, database: string, length = 10) =>
  postgres.query(`insert into note (body) select repeat('x', ${length})`, { database });

async function count(postgres: Postgres, database: string): Promise<number> {
  const [row] = await postgres.query<{ count: number }>('select count(*)::int from note', { database });
  return row?.count ?? 0;
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end().catch(() => undefined));
  return client;
}

it('keeps what was committed when it is killed, restarted and aborted, and syncs it', async () => {
  const postgres = await startServer();
  const database = await notebook(postgres);
  expect(await postgres.query('show fsync')).toEqual([{ fsync: 'on' }]);
  await postgres.kill();
  expect(postgres.isRunning).toBe(false);
  await expect(count(postgres, database)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await postgres.run();
  expect(await count(postgres, database)).toBe(1);
  await postgres.restart('immediate');
  expect(await count(postgres, database)).toBe(1);
  expect(postgres.log.match(/automatic recovery in progress/g)).toHaveLength(2);
  await postgres.restart('fast');
  expect(await count(postgres, database)).toBe(1);
  expect(postgres.log.match(/automatic recovery in progress/g)).toHaveLength(2);
});

it('gives databases to a role that may do nothing else', async () => {
  const postgres = await startServer();
  const [database, other] = await Promise.all([postgres.database(), postgres.database()]);
  const client = await connected(postgres.url({ role: 'rotavox', database }));
  await client.query('create schema rotavox');
  await expect(client.query('create database more')).rejects.toMatchObject({ code: '42501' });
  await expect(postgres.query('select * from rotavox.none', { database: other })).rejects.toMatchObject({
    code: '42P01',
  });
});

it('refuses to write on a full disk, with all that was committed, and writes again once there is space', async () => {
  const postgres = await startServer({ diskSize: 64 * megabyte });
  const database = await notebook(postgres);
  postgres.fillDisk();
  const refusals: unknown[] = [];
  let written = 1;
  while (refusals.length === 0) {
    await note(postgres, database, 2_000_000).then(
      () => (written += 1),
      (error: unknown) => refusals.push((error as { code?: string }).code),
    );
  }
  // Without a disk of its own its files cannot grow, which has no code of its own.
  if (canMount) expect(refusals).toEqual(['53100']);
  await postgres.freeDisk();
  await waitFor(async () => expect(await count(postgres, database)).toBeGreaterThanOrEqual(written));
  await note(postgres, database);
  expect(await count(postgres, database)).toBeGreaterThan(written);
});

it('does nothing while it is paused', async () => {
  const postgres = await startServer();
  const database = await notebook(postgres);
  postgres.pause();
  const counting = count(postgres, database);
  const first = await Promise.race([counting, new Promise((resolve) => setTimeout(resolve, 200, 'nothing'))]);
  postgres.resume();
  expect(first).toBe('nothing');
  expect(await counting).toBe(1);
});

it('ends and leaves no files when the process that started it is killed', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'hold-postgres.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { folder } = JSON.parse(line.toString()) as { folder: string };
  expect(existsSync(folder)).toBe(true);
  child.kill('SIGKILL');
  await waitFor(() => expect(existsSync(folder)).toBe(false));
});

it('is reached through a proxy that holds, loses, delays and resets', async () => {
  const postgres = await startServer();
  const database = await notebook(postgres);
  const proxy = await startTcpProxy(postgres.port);
  onTestFinished(() => proxy.close());
  const url = postgres.url({ database, port: proxy.port });
  const insert = `insert into note (body) values ('x')`;
  const client = await connected(url);

  // A statement that waits in the network is carried out later.
  proxy.set('hold', 'to_server');
  const late = client.query(insert);
  expect(await count(postgres, database)).toBe(1);
  proxy.set('pass');
  await late;
  expect(await count(postgres, database)).toBe(2);

  // One whose answer waits is carried out at once.
  proxy.set('hold', 'to_client');
  const unanswered = client.query(insert);
  await waitFor(async () => expect(await count(postgres, database)).toBe(3));
  proxy.set('pass');
  await unanswered;

  proxy.replyDelayMs = 150;
  const start = performance.now();
  await client.query('select 1');
  expect(performance.now() - start).toBeGreaterThanOrEqual(149);
  proxy.replyDelayMs = 0;

  // What gets lost is never carried out, and ends the connection.
  proxy.set('lose', 'to_server');
  const lost = client.query(insert);
  lost.catch(() => undefined);
  await waitFor(() => expect(proxy.lost).toBeGreaterThan(0));
  proxy.set('pass');
  await expect(lost).rejects.toThrow();

  const next = await connected(url);
  proxy.reset();
  await expect(next.query(insert)).rejects.toThrow();
  proxy.refuses = true;
  await expect(connected(url)).rejects.toThrow();
  proxy.refuses = false;
  await connected(url);
  expect(await count(postgres, database)).toBe(3);
});
