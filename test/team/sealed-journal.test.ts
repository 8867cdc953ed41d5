/** What whoever can write to the database, and has no passphrase, can do to a journal: nothing that a host believes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { type VaultHead, VaultKey, withCheck } from '../../src/agent/vault/vault-file.ts';
import { changePassphrase } from '../../src/host/change-passphrase.ts';
import { startTeamHost, type TeamHost } from '../../src/host/start-team-host.ts';
import { decodeLine, encodeLine } from '../../src/store/journal-line.ts';
import { HistoryPage, Verification } from '../../src/contract/service/portal.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { issued } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { waitFor } from '../fixtures/wait-for.ts';
import { runtimeFileOf } from '../host/runtime-file-of.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await commonPostgres();
});

const passphrase = 'correct horse battery staple';
const notByHost = 'no host with the passphrase of the team wrote it';

class Attacked {
  readonly database: string;
  readonly said: string[] = [];

  constructor(database: string) {
    this.database = database;
  }

  get url(): string {
    return postgres.url({ role: 'rotavox', database: this.database });
  }

  /** That a host that starts now neither leads nor follows, and why. */
  async refuses(why: string | RegExp, words = passphrase, dataDir = makeFolder()): Promise<void> {
    const before = this.said.length;
    const host = await this.start(words, dataDir);
    expect(this.said.slice(before).join('\n')).toMatch(why);
    expect((await ask(host, 'GET', '/portal/tokens')).status).toBe(503);
    await host.close();
  }

  async start(words = passphrase, dataDir = makeFolder()): Promise<TeamHost> {
    const host = await startTeamHost({
      dataDir,
      port: 0,
      journal: this.url,
      vault: { kind: 'postgres', passphrase: words, cost: cheapScrypt },
      say: (line) => this.said.push(line),
    });
    onTestFinished(() => host.close());
    return host;
  }

  sql<Row = unknown>(text: string): Promise<Row[]> {
    return postgres.query<Row>(text, { database: this.database });
  }

  /** Adds a line as a program would that knows everything but the passphrase. */
  async forge(mac = 'null'): Promise<number> {
    const [end] = await this.sql<{ seq: number; head: string }>(
      'select head_seq::int as seq, head from rotavox.leadership',
    );
    const seq = end!.seq + 1;
    const event = { ...issued('mallory'), seq, at: '2026-01-10T12:00:00.000Z' };
    const { line, head } = encodeLine(event, seq, end!.head);
    await this.sql(
      `insert into rotavox.journal values (${seq}, '${event.subject}', $line$${line.trimEnd()}$line$, ${mac});
      update rotavox.leadership set head_seq = ${seq}, head = '${head}', epoch = epoch + 1, host = null, deadline = '-infinity'`,
    );
    return seq;
  }
}

async function attacked(): Promise<Attacked> {
  return new Attacked(await postgres.database());
}

async function ask(host: TeamHost, method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${host.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${runtimeFileOf(host.dataDir).portal_key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function issue(host: TeamHost, name: string): Promise<void> {
  expect((await ask(host, 'POST', '/portal/tokens', { name, validity_days: 7 })).status).toBe(200);
}

const verify = async (host: TeamHost) =>
  Verification.parse(await (await ask(host, 'GET', '/portal/history/verify')).json());
const namesIn = async (host: TeamHost) => {
  const { events } = HistoryPage.parse(await (await ask(host, 'GET', '/portal/history?limit=100')).json());
  return events.map(({ kind }) => kind);
};

it('marks every line from the first on, and says so when it is checked', async () => {
  const team = await attacked();
  const host = await team.start();
  await issue(host, 'one');
  await issue(host, 'two');
  expect(await verify(host)).toMatchObject({ status: 'intact', marked_from: 1 });
  expect(await team.sql('select count(*)::int from rotavox.journal where mac is null')).toEqual([
    { count: 0 },
  ]);
  expect(await namesIn(host)).not.toContain('journal.sealed');
});

for (const [what, mac, tags] of [
  ['no mark', 'null', []],
  ['a mark that was made up', `'${'A'.repeat(43)}'`, ['long']],
  ['the mark of another line', '(select mac from rotavox.journal where seq = 1)', ['long']],
] as const)
  it(
    `follows no line with ${what}: it stops, and so does a host that starts`,
    { tags: [...tags] },
    async () => {
      const team = await attacked();
      const host = await team.start();
      await issue(host, 'one');
      const seq = await team.forge(mac);
      await waitFor(() => expect(team.said.join('\n')).toContain(notByHost));
      expect(team.said.join('\n')).toContain(`${seq}`);
      expect((await ask(host, 'GET', '/portal/tokens')).status).toBeGreaterThanOrEqual(500);
      await host.close();
      await team.refuses(notByHost);
    },
  );

it(
  'finds a line that was changed together with its hash and all that follow',
  { tags: ['long'] },
  async () => {
    const team = await attacked();
    const host = await team.start();
    await issue(host, 'one');
    await issue(host, 'two');
    const rows = await team.sql<{ seq: number; line: string }>(
      'select seq::int, line from rotavox.journal order by seq',
    );
    let prev = '0'.repeat(43);
    for (const { seq, line } of rows) {
      const event = decodeLine(line);
      const changed = encodeLine({ ...event, actor: { kind: 'owner', name: 'mallory' } }, event.batch, prev);
      prev = changed.head;
      await team.sql(
        `update rotavox.journal set line = $line$${changed.line.trimEnd()}$line$ where seq = ${seq}`,
      );
    }
    expect(await verify(host)).toMatchObject({ status: 'damaged', verified_to: 0, line: 1 });
  },
);

it('shows no copy of a line in the place of another one', async () => {
  const team = await attacked();
  const host = await team.start();
  await issue(host, 'one');
  await issue(host, 'two');
  await team.sql(
    `update rotavox.journal as hidden set line = shown.line, mac = shown.mac from rotavox.journal as shown
      where shown.seq = 1 and hidden.seq = 2`,
  );
  expect(await verify(host)).toMatchObject({ status: 'damaged', verified_to: 1, line: 2 });
  expect((await ask(host, 'GET', '/portal/history')).status).toBe(503);
});

it('reads no stored state that no host wrote', { tags: ['long'] }, async () => {
  const team = await attacked();
  const host = await team.start();
  await issue(host, 'one');
  await host.close();
  const [end] = await team.sql<{ seq: number; head: string }>(
    'select head_seq::int as seq, head from rotavox.leadership',
  );
  await team.sql(
    `insert into rotavox.checkpoint values ('forged', 99, ${end!.seq}, '${end!.head}', 1, '${'A'.repeat(43)}');
    insert into rotavox.checkpoint_piece values ('forged', 0, 'not even read')`,
  );
  const again = await team.start();
  expect(await (await ask(again, 'GET', '/portal/tokens')).text()).toContain('"one"');
});

/** As an older version left it: without marks, and with a vault that says nothing of them. */
async function asBefore(team: Attacked): Promise<void> {
  await team.sql('update rotavox.journal set mac = null; update rotavox.checkpoint set mac = null');
  const [row] = await team.sql<{ value: string }>(
    `select value from rotavox.entry where place = 'vault' and name = 'key'`,
  );
  const head = JSON.parse(row!.value) as VaultHead;
  const key = await VaultKey.derive(passphrase, Buffer.from(head.key.salt, 'base64'), cheapScrypt);
  const older = JSON.stringify(withCheck(key, head, 'rotavox'));
  await team.sql(
    `update rotavox.entry set value = $value$${older}$value$ where place = 'vault' and name = 'key'`,
  );
}

it(
  'seals a journal of an older version once, says so in its history, and needs marks from then on',
  { tags: ['long'] },
  async () => {
    const team = await attacked();
    const first = await team.start();
    await issue(first, 'one');
    await first.close();
    await asBefore(team);
    const [end] = await team.sql<{ seq: number }>('select head_seq::int as seq from rotavox.leadership');

    const second = await team.start();
    expect(await verify(second)).toMatchObject({ status: 'intact', marked_from: end!.seq + 1 });
    await issue(second, 'two');
    await second.close();
    const third = await team.start();
    expect((await namesIn(third)).filter((kind) => kind === 'journal.sealed')).toHaveLength(1);
    expect(await verify(third)).toMatchObject({ status: 'intact', marked_from: end!.seq + 1 });
    await third.close();

    await team.forge();
    await team.refuses(notByHost);
  },
);

/** Sealed by a host of this folder, which has ended; `setBack` gives the database what its vault said before. */
async function sealedBy(folder: string) {
  const team = await attacked();
  const first = await team.start();
  await issue(first, 'one');
  await first.close();
  await asBefore(team);
  const [before] = await team.sql<{ value: string }>(
    `select value from rotavox.entry where place = 'vault' and name = 'key'`,
  );
  const second = await team.start(passphrase, folder);
  await issue(second, 'two');
  await second.close();
  const setBack = () =>
    team.sql(
      `update rotavox.entry set value = $value$${before!.value}$value$ where place = 'vault' and name = 'key'`,
    );
  return { team, setBack };
}

it(
  'needs marks where this host has seen the seal, also when the database says that there never was one',
  { tags: ['long'] },
  async () => {
    const folder = makeFolder();
    const { team, setBack } = await sealedBy(folder);
    await setBack();
    await team.sql('update rotavox.journal set mac = null; update rotavox.checkpoint set mac = null');
    await team.forge();
    await team.refuses(notByHost, passphrase, folder);
  },
);

it(
  'says again for all hosts what it has seen, where only that was set back',
  { tags: ['long'] },
  async () => {
    const folder = makeFolder();
    const { team, setBack } = await sealedBy(folder);
    await setBack();
    const host = await team.start(passphrase, folder);
    const { marked_from: from } = (await verify(host)) as { marked_from: number };
    expect((await namesIn(host)).filter((kind) => kind === 'journal.sealed')).toHaveLength(1);
    await host.close();
    const other = await team.start();
    expect(await verify(other)).toMatchObject({ status: 'intact', marked_from: from });
  },
);

it(
  'does not start with a record of the seal that cannot be read, and takes that of another team for none',
  { tags: ['long'] },
  async () => {
    const folder = makeFolder();
    const { team } = await sealedBy(folder);
    const path = join(folder, 'team-seal.json');
    const record = readFileSync(path, 'utf8');
    writeFileSync(path, 'half of it');
    await expect(team.start(passphrase, folder)).rejects.toThrow(path);
    writeFileSync(path, record);
    const elsewhere = await (await attacked()).start(passphrase, folder);
    expect(await verify(elsewhere)).toMatchObject({ status: 'intact', marked_from: 1 });
  },
);

it(
  'does not take a sealed journal for an older one that ends before the seal',
  { tags: ['long'] },
  async () => {
    const team = await attacked();
    const first = await team.start();
    await issue(first, 'one');
    await issue(first, 'two');
    await issue(first, 'three');
    await first.close();
    await asBefore(team);
    await (await team.start()).close();
    await team.sql(
      `delete from rotavox.journal where seq > 1; update rotavox.leadership set head_seq = 1,
      head = (select substring(line from '"hash":"([^"]*)"') from rotavox.journal where seq = 1)`,
    );
    await team.forge();
    await team.refuses(/are missing/);
  },
);

it(
  'goes on with another passphrase from the end that the old one vouches for, and changes none over a forged line',
  { tags: ['long'] },
  async () => {
    const team = await attacked();
    const first = await team.start();
    await issue(first, 'one');
    await first.close();
    const words = 'another passphrase of the team';
    const order = {
      place: { kind: 'postgres', url: team.url },
      old: { passphrase, cost: cheapScrypt },
      changed: { passphrase: words },
    } as const;
    await changePassphrase(order);
    const second = await team.start(words);
    await issue(second, 'two');
    expect(await verify(second)).toMatchObject({ status: 'intact' });
    await second.close();

    await team.forge();
    const back = { ...order, old: { passphrase: words, cost: cheapScrypt }, changed: { passphrase } };
    await expect(changePassphrase(back)).rejects.toThrow(notByHost);
    await team.refuses(notByHost, words);
  },
);
