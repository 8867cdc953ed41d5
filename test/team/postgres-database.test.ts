/** @module-tag long */
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DatabaseFault } from '../../src/contract/service/store-problem.ts';
import { currentFormat } from '../../src/store/formats.ts';
import { encodeLine, genesis } from '../../src/store/journal-line.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { PostgresDatabase } from '../../src/store/team/postgres-database.ts';
import { DatabaseRefused, DatabaseUnreachable, type StoredLine } from '../../src/store/team/team-database.ts';
import { startTcpProxy, type TcpProxy } from '../fakes/tcp-proxy.ts';
import { issued, noon } from '../fixtures/make-events.ts';
import { commonPostgres, type Postgres, startPostgres } from '../tools/postgres.ts';
import { openDatabase, openLeadingStore } from './team-database.ts';

let postgres: Postgres;

beforeAll(async () => {
  postgres = await commonPostgres();
});

const candidate = (host: string, leaseMs = 60_000) => ({ host, address: `http://${host}.example`, leaseMs });

/** A database of its own, and its address for the role that owns it. */
async function empty(): Promise<{ name: string; url: string }> {
  const name = await postgres.database();
  return { name, url: postgres.url({ role: 'rotavox', database: name }) };
}

/** Behind a proxy that can cut it off. */
async function cuttable(): Promise<{ proxy: TcpProxy; url: string; name: string }> {
  const proxy = await startTcpProxy(postgres.port);
  onTestFinished(() => proxy.close());
  const name = await postgres.database();
  return { proxy, name, url: postgres.url({ role: 'rotavox', database: name, port: proxy.port }) };
}

async function faultOf(url: string): Promise<DatabaseFault | undefined> {
  const error = await PostgresDatabase.open(url, { connectMs: 1_000, watchMs: 1_000 }).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StoreError);
  const { problem } = error as StoreError;
  return problem.code === 'DATABASE_UNUSABLE' ? problem.fault : undefined;
}

/** Lines that follow each other, from `after` on. */
function linesAfter(
  after: { seq: number; head: string },
  count: number,
): { lines: StoredLine[]; head: string } {
  let { head } = after;
  const lines = Array.from({ length: count }, (_, place) => {
    const seq = after.seq + place + 1;
    const event = { ...issued(`n${seq}`), seq, at: new Date(noon).toISOString() };
    const encoded = encodeLine(event, after.seq + 1, head);
    ({ head } = encoded);
    return { seq, line: encoded.line.trimEnd() };
  });
  return { lines, head };
}

const start = { seq: 0, head: genesis };

/** For a machine that is busy with other tests. */
const patient = { timeout: 20_000 };

describe('opening a database', () => {
  it('makes the tables once, also when two hosts do it at the same time', async () => {
    const { url } = await empty();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openDatabase(url)));
    for (const database of opened)
      expect(await database.look()).toMatchObject({ epoch: 0, host: null, headSeq: 0, head: genesis });
    expect(opened[0]?.place).not.toContain(postgres.password);
    expect(opened[0]?.place).toContain('postgres://rotavox@127.0.0.1');
  });

  it('needs no right to make tables once they are there', async () => {
    const { name, url } = await empty();
    await (await openDatabase(url)).close();
    await postgres.query(
      `revoke create on database ${name} from rotavox; alter schema rotavox owner to postgres;
      grant usage on schema rotavox to rotavox`,
      { database: name },
    );
    expect(await (await openDatabase(url)).look()).toMatchObject({ epoch: 0 });
  });

  it('says which right is missing, which password is wrong and which database does not exist', async () => {
    const { name, url } = await empty();
    await postgres.query(
      `alter database ${name} owner to postgres; revoke create on database ${name} from rotavox`,
    );
    expect(await faultOf(url)).toEqual({ kind: 'rights', role: 'rotavox', database: name });
    expect(await faultOf(url.replace(postgres.password, 'wrong'))).toEqual({
      kind: 'unreachable',
      system_code: '28P01',
    });
    expect(await faultOf(url.replace(`:${postgres.password}@`, '@'))).toEqual({
      kind: 'unreachable',
      system_code: 'NO_PASSWORD',
    });
    expect(await faultOf(`${url}?sslmode=verify-full`)).toEqual({
      kind: 'unreachable',
      system_code: 'NO_TLS',
    });
    expect(await faultOf(postgres.url({ role: 'rotavox', database: 'nobody' }))).toEqual({
      kind: 'unreachable',
      system_code: '3D000',
    });
  });

  it('says that a file of the address cannot be read, and that a pooler shares connections between statements', async () => {
    const { name, url } = await empty();
    expect(await faultOf(`${url}?sslmode=verify-full&sslrootcert=/none.crt`)).toEqual({
      kind: 'unreachable',
      system_code: 'UNREADABLE_FILE',
    });
    // What a connection finds that a pooler has used for us before.
    await postgres.query(`alter role rotavox in database ${name} set rotavox.connection = 'own'`);
    expect(await faultOf(url)).toEqual({ kind: 'unreachable', system_code: 'SHARED_CONNECTION' });
  });

  it('refuses another encoding, and tables and events of a newer version', async () => {
    const ascii = `ascii_${Date.now()}`;
    await postgres.query(
      `create database ${ascii} owner rotavox encoding 'SQL_ASCII' locale 'C' template template0`,
    );
    expect(await faultOf(postgres.url({ role: 'rotavox', database: ascii }))).toEqual({
      kind: 'encoding',
      encoding: 'SQL_ASCII',
    });
    const { name, url } = await empty();
    const database = await openDatabase(url);
    await postgres.query(`update rotavox.leadership set format = 99`, { database: name });
    expect((await database.look()).format).toBe(99);
    await expect(PostgresDatabase.open(url)).rejects.toMatchObject({
      problem: { code: 'FORMAT_TOO_NEW', file: database.place, format: 99, newest: currentFormat },
    });
    expect(await database.lead(0, candidate('a'))).toBeNull();
    await postgres.query(`update rotavox.version set version = 99`, { database: name });
    expect(await faultOf(url)).toMatchObject({ kind: 'schema_too_new', version: 99 });
  });

  it('gives up on a server that cannot be reached, and on one that says nothing', async () => {
    const { proxy, url } = await cuttable();
    proxy.set('hold');
    expect(await faultOf(url)).toEqual({ kind: 'unreachable', system_code: 'TIMEOUT' });
    proxy.refuses = true;
    expect(await faultOf(url)).toEqual({ kind: 'unreachable', system_code: 'ECONNRESET' });
    await proxy.close();
    expect(await faultOf(url)).toEqual({ kind: 'unreachable', system_code: 'ECONNREFUSED' });
  });
});

describe('the lead', () => {
  it('is taken by one of many, kept while it is renewed, and taken again at once by the same host', async () => {
    const database = await openDatabase((await empty()).url);
    const won = await Promise.all(['a', 'b', 'c'].map((host) => database.lead(0, candidate(host))));
    const [leader] = won.filter((one) => one !== null);
    expect(won.filter((one) => one !== null)).toHaveLength(1);
    expect(leader).toMatchObject({ epoch: 1, headSeq: 0 });
    expect(leader?.remainingMs).toBeGreaterThan(50_000);
    expect(await database.lead(1, candidate('other'))).toBeNull();
    expect(await database.lead(1, candidate(leader?.host ?? ''))).toMatchObject({ epoch: 2 });
    expect(await database.renew(1, candidate('a', 1_000))).toBe(false);
    expect(await database.renew(2, candidate('a', 1))).toBe(true);
    await expect.poll(async () => (await database.look()).remainingMs, patient).toBeLessThan(0);
    expect(await database.lead(2, candidate('other'))).toMatchObject({ epoch: 3, host: 'other' });
    await database.resign(2);
    expect(await database.lead(3, candidate('third'))).toBeNull();
    await database.resign(3);
    expect(await database.look()).toMatchObject({ deadline: -Infinity, remainingMs: -Infinity });
    expect(await database.lead(3, candidate('third'))).toMatchObject({ epoch: 4 });
  });

  it('is renewed with the address of the leader, by the leader only', async () => {
    const database = await openDatabase((await empty()).url);
    await database.lead(0, candidate('a'));
    expect(await database.renew(1, { address: 'https://a.example', leaseMs: 60_000 })).toBe(true);
    expect(await database.renew(0, { address: 'https://b.example', leaseMs: 60_000 })).toBe(false);
    expect(await database.look()).toMatchObject({ epoch: 1, host: 'a', address: 'https://a.example' });
  });

  it('is not taken after another deadline than the one that was waited for', async () => {
    const { name, url } = await empty();
    await postgres.query(`alter role rotavox in database ${name} set extra_float_digits = 0`);
    const database = await openDatabase(url);
    await database.lead(0, candidate('a', 1));
    const before = await database.look();
    await database.renew(1, candidate('a', 1));
    const { deadline } = await database.look();
    expect(deadline).toBeGreaterThan(before.deadline);
    await expect.poll(async () => (await database.look()).remainingMs).toBeLessThan(0);
    const afterDeadline = (one: number) => ({ ...candidate('b'), afterDeadline: one });
    expect(await database.lead(1, afterDeadline(before.deadline))).toBeNull();
    expect(await database.lead(1, afterDeadline(deadline))).toMatchObject({ epoch: 2 });
    await database.resign(2);
    expect(await database.lead(2, { ...candidate('c'), afterDeadline: -Infinity })).toMatchObject({
      epoch: 3,
    });
  });

  it('fences appends: only its epoch appends, and only after the event that is the last', async () => {
    const database = await openDatabase((await empty()).url);
    await database.lead(0, candidate('a'));
    const first = linesAfter(start, 3);
    expect(await database.append(1, 0, first.lines, first.head)).toBe(true);
    expect(await database.append(1, 0, first.lines, first.head)).toBe(false);
    const next = linesAfter({ seq: 3, head: first.head }, 2);
    expect(await database.append(0, 3, next.lines, next.head)).toBe(false);
    expect(await database.append(1, 4, next.lines, next.head)).toBe(false);
    await database.lead(1, candidate('a'));
    expect(await database.append(1, 3, next.lines, next.head)).toBe(false);
    expect(await database.append(2, 3, next.lines, next.head)).toBe(true);
    expect(await database.look()).toMatchObject({ headSeq: 5, head: next.head });
    expect(await database.readAfter(0, 100)).toEqual([...first.lines, ...next.lines]);
    expect(await database.readAfter(3, 1)).toEqual(next.lines.slice(0, 1));
  });

  it('waits for an append that runs, which then counts', async () => {
    const { name, url } = await empty();
    const database = await openDatabase(url);
    await database.lead(0, candidate('a', 1));
    await postgres.query(
      `create function rotavox.slow() returns trigger language plpgsql as $$ begin perform pg_sleep(0.5); return new; end $$;
      create trigger slow before insert on rotavox.journal for each row execute function rotavox.slow()`,
      { database: name },
    );
    const { lines, head } = linesAfter(start, 1);
    const appended = database.append(1, 0, lines, head);
    await expect
      .poll(
        async () =>
          (
            await database.query(
              `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
            )
          ).length,
      )
      .toBeGreaterThan(0);
    expect(await database.lead(1, candidate('b'))).toMatchObject({ epoch: 2, headSeq: 1, head });
    expect(await appended).toBe(true);
  });
});

describe('a statement without an answer', () => {
  const timing = { connectMs: 500, watchMs: 500, appendMs: 500, readMs: 10_000 };

  it('is unreachable after its time, and the next one has a new connection', async () => {
    const { proxy, url } = await cuttable();
    const database = await openDatabase(url, timing);
    await database.lead(0, candidate('a'));
    proxy.set('hold', 'to_client');
    const error: unknown = await database.renew(1, candidate('a', 1_000)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DatabaseUnreachable);
    expect((error as DatabaseUnreachable).code).toBe('TIMEOUT');
    proxy.set('pass');
    expect(await database.renew(1, candidate('a', 1_000))).toBe(true);
  });

  it('has a new connection, and a host starts, where a connection takes longer than a statement may', async () => {
    const { proxy, url } = await cuttable();
    const database = await openDatabase(url, timing);
    await database.lead(0, candidate('a'));
    proxy.replyDelayMs = 250; // a connection needs five replies
    proxy.reset();
    await expect.poll(() => database.renew(1, candidate('a', 1_000)).catch(() => false), patient).toBe(true);
    expect(await (await openDatabase(url, timing)).look()).toMatchObject({ epoch: 1, host: 'a' });
  });

  it('is told apart from one that the database refused', async () => {
    const { name, url } = await empty();
    const database = await openDatabase(url, { ...timing, readMs: 700 });
    const refused: unknown = await database.query('select 1/0').catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(DatabaseRefused);
    expect((refused as DatabaseRefused).code).toBe('22012');
    const late: unknown = await database.query('select pg_sleep(5)').catch((thrown: unknown) => thrown);
    expect(late).toBeInstanceOf(DatabaseRefused);
    expect((late as DatabaseRefused).code).toBe('57014');
    const killed = database.query('select pg_sleep(5)').catch((thrown: unknown) => thrown);
    await expect
      .poll(
        async () =>
          (
            await postgres.query(
              `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and query like '%pg_sleep(5)%' and state = 'active'`,
            )
          ).length,
      )
      .toBeGreaterThan(0);
    expect(await killed).toBeInstanceOf(DatabaseUnreachable);
    expect(await database.query('select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('delays no renewal, however many large reads wait', async () => {
    const { url } = await empty();
    const database = await openDatabase(url, timing);
    await database.lead(0, candidate('a'));
    const reads = Array.from({ length: 12 }, () => database.query('select pg_sleep(1)'));
    const order: string[] = [];
    void reads[0]?.then(() => order.push('read'));
    expect(await database.renew(1, candidate('a', 1_000))).toBe(true);
    order.push('renewed');
    await reads[0];
    expect(order).toEqual(['renewed', 'read']);
    await Promise.all(reads);
  });

  it('goes on after the server was restarted', async () => {
    const own = await startPostgres();
    onTestFinished(() => own.close());
    const database = await openDatabase(own.url({ role: 'rotavox', database: await own.database() }), timing);
    await database.lead(0, candidate('a'));
    await own.restart('immediate');
    await expect.poll(() => database.renew(1, candidate('a', 1_000)).catch(() => false), patient).toBe(true);
  });

  it.each(['to_server', 'to_client'] as const)(
    'is settled before anybody is answered, when bytes are lost %s',
    async (direction) => {
      const { proxy, url } = await cuttable();
      const database = await openDatabase(url, timing);
      const { store, term } = await openLeadingStore(database);
      const issue = (name: string) => store.transact(() => ({ events: [issued(name)], value: name }));
      await issue('a');
      const told: number[] = [];
      store.subscribe(({ seq }) => told.push(seq));
      proxy.set('lose', direction);
      const answers = [issue('b'), issue('c')];
      let isAnswered = false;
      void Promise.allSettled(answers).then(() => (isAnswered = true));
      await expect.poll(() => term.isSettling, patient).toBe(true);
      expect([isAnswered, told]).toEqual([false, []]);
      const gathered = issue('d');
      proxy.set('pass');
      expect(await Promise.all(answers)).toEqual(['b', 'c']);
      expect(await gathered).toBe('d');
      expect(told).toEqual([2, 3, 4]);
      expect(term.epoch).toBeGreaterThan(1);
      expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: 4 });
      const lines = await database.readAfter(0, 100);
      expect(lines.map(({ line }) => (JSON.parse(line) as { subject: string }).subject)).toEqual(
        ['a', 'b', 'c', 'd'].map((name) => `fam_${name}`),
      );
    },
  );

  it('is done when it was, although a newer version of the program leads by now', async () => {
    const { proxy, url, name } = await cuttable();
    const database = await openDatabase(url, timing);
    const { store, term } = await openLeadingStore(database);
    const issue = (name: string) => store.transact(() => ({ events: [issued(name)], value: name }));
    await issue('a');
    proxy.set('lose', 'to_client');
    const answer = issue('b');
    await expect.poll(() => term.isSettling, patient).toBe(true);
    await postgres.query(`update rotavox.leadership set epoch = epoch + 1, host = 'newer', format = 99`, {
      database: name,
    });
    proxy.set('pass');
    expect(await answer).toBe('b');
  });

  it('is refused when another host leads and the batch is not in the journal, and rolled back', async () => {
    const { proxy, url } = await cuttable();
    const database = await openDatabase(url, timing);
    const { store } = await openLeadingStore(database, { leaseMs: 1_000 });
    const issue = (name: string) => store.transact(() => ({ events: [issued(name)], value: name }));
    await issue('a');
    proxy.set('lose');
    const lost = issue('b').catch((error: unknown) => error);
    const direct = await openDatabase(url.replace(`:${proxy.port}`, `:${postgres.port}`));
    // What it leads with may be done although its reply came too late.
    const leadOrLook = async () => {
      await direct.lead(1, candidate('h2')).catch(() => null);
      return direct.look();
    };
    await expect.poll(leadOrLook, patient).toMatchObject({ epoch: 2, host: 'h2' });
    proxy.set('pass');
    expect(await lost).toMatchObject({ code: 'NOT_LEADING' });
    expect(await store.abandon()).toMatchObject({ seq: 1 });
    expect(store.state.tokens.size).toBe(1);
    await expect(issue('c')).rejects.toMatchObject({ code: 'CLOSED' });
  });
});

describe('a checkpoint', () => {
  it('is written by the leader only; a few are kept, and those that were not finished are removed', async () => {
    const { name, url } = await empty();
    const database = await openDatabase(url);
    const count = async () =>
      (await postgres.query(`select from rotavox.checkpoint`, { database: name })).length;
    const { store, term } = await openLeadingStore(database, { leaseMs: 60_000 });
    await postgres.query(
      `insert into rotavox.checkpoint (id, epoch, seq, head) values ('unfinished', 0, 9, 'x')`,
      { database: name },
    );
    for (const family of ['a', 'b', 'c', 'd']) {
      await store.transact(() => ({ events: [issued(family)], value: null }));
      await store.checkpoint();
    }
    expect(await count()).toBe(2);
    expect(await database.lead(term.epoch, candidate('h1'))).not.toBeNull();
    await store.checkpoint();
    expect(await count()).toBe(2);
  });

  it('is not used for another journal', async () => {
    const { name, url } = await empty();
    const database = await openDatabase(url);
    const { store } = await openLeadingStore(database);
    await store.transact(() => ({ events: [issued('a')], value: null }));
    await store.checkpoint();
    await store.abandon();
    const { lines, head } = linesAfter(start, 1);
    const [{ line } = { line: '' }] = lines;
    await postgres.query(
      `update rotavox.journal set line = $line$${line}$line$, mac = '${database.key.macOfLine(line)}'; update rotavox.leadership set head = '${head}'`,
      { database: name },
    );
    await expect(openLeadingStore(database)).rejects.toMatchObject({
      problem: { code: 'JOURNAL_DAMAGED', line: 1, damage: { kind: 'state_differs' } },
    });
  });
});

it('lists a host until it is removed, or has not reported for a week', async () => {
  const { name, url } = await empty();
  const database = await openDatabase(url);
  const report = (host: string, seq = 1) =>
    database.report({ host, name: host, address: `http://${host}.example`, version: '1', seq });
  const listed = async () => (await database.hosts()).map(({ host, seq }) => [host, seq]);
  const age = (host: string, by: string) =>
    postgres.query(`update rotavox.host set seen_at = seen_at - interval '${by}' where host = '${host}'`, {
      database: name,
    });
  for (const host of ['h1', 'h2', 'h3', 'h4']) await report(host);
  await age('h2', '6 days');
  await age('h3', '8 days');
  await report('h4', 2);
  expect(await listed()).toEqual([
    ['h4', 2],
    ['h1', 1],
    ['h2', 1],
  ]);
  await database.removeHost('h1');
  await database.removeHost('h1');
  // Suspended for as long, a host is back with its own report.
  await age('h2', '8 days');
  await report('h2', 3);
  expect(await listed()).toEqual([
    ['h2', 3],
    ['h4', 2],
  ]);
});

it('an event that is stored under another subject, where nobody would find it, is damage', async () => {
  const { name, url } = await empty();
  const { store } = await openLeadingStore(await openDatabase(url));
  for (const family of ['a', 'b']) await store.transact(() => ({ events: [issued(family)], value: null }));
  expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: 2 });
  await postgres.query(`update rotavox.journal set subject = 'fam_a' where seq = 2`, { database: name });
  expect(await store.verify()).toMatchObject({
    status: 'damaged',
    verified_to: 1,
    problem: { line: 2, damage: { kind: 'subject_differs' } },
  });
});
