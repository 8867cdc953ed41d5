import { expect, it, onTestFinished } from 'vitest';
import { PostgresDatabase } from '../../src/store/team/postgres-database.ts';
import { startTcpProxy } from '../fakes/tcp-proxy.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';
import { useTestKey } from './team-database.ts';
import { foreignWrites, recordOf, watchDatabase } from './watched-database.ts';

async function hostAt(address: string, postgres: Postgres, database: string): Promise<PostgresDatabase> {
  const proxy = await startTcpProxy(postgres.port, address);
  const host = await PostgresDatabase.open(postgres.url({ role: 'rotavox', database, port: proxy.port }));
  useTestKey(host);
  onTestFinished(async () => {
    await host.close();
    await proxy.close();
  });
  return host;
}

const candidate = { address: 'http://127.0.0.1:1', leaseMs: 1 };
const line = (seq: number) => ({ seq, line: `{"seq":${seq},"subject":"one"}` });

// The long proofs alone watch a database.
it('finds what a host wrote that does not lead', { tags: ['long'] }, async () => {
  const postgres = await commonPostgres();
  const database = await postgres.database();
  const first = await hostAt('127.0.0.2', postgres, database);
  const { epoch } = (await first.lead(0, { host: 'first', ...candidate })) ?? { epoch: 0 };
  await watchDatabase(postgres, database, '127.0.0.2');
  const second = await hostAt('127.0.0.3', postgres, database);

  expect(await first.append(epoch, 0, [line(1), line(2)], 'head')).toBe(true);
  const next = (await second.lead(epoch, { host: 'second', ...candidate })) ?? { epoch: 0 };
  expect(next.epoch).toBe(epoch + 1);
  // Refused by the database: nothing was written.
  expect(await first.append(epoch, 2, [line(3)], 'head')).toBe(false);
  expect(await second.append(next.epoch, 2, [line(3)], 'head')).toBe(true);
  expect(await foreignWrites(postgres, database)).toEqual([]);
  expect(await recordOf(postgres, database)).toEqual({ takeovers: 1, appends: 2, disordered: 0 });

  await first.query(`insert into rotavox.journal (seq, subject, line) values (4, 'one', '{}')`);
  await first.query(`insert into rotavox.checkpoint (id, epoch, seq, head) values ('one', 1, 4, 'head')`);
  const foreign = { epoch: next.epoch, address: '127.0.0.2', leader: '127.0.0.3' };
  expect(await foreignWrites(postgres, database)).toEqual([
    { place: 'journal', ...foreign, first_seq: 4 },
    { place: 'checkpoint', ...foreign, first_seq: null },
  ]);
});
