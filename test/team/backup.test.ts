/** @module-tag long */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { IssuedToken, RotateReply } from '../../src/contract/token/token.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { startTcpProxy } from '../fakes/tcp-proxy.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { freePort } from '../tools/free-port.ts';
import { type Postgres, startPostgres } from '../tools/postgres.ts';
import { postgresPrograms } from '../tools/postgres-programs.ts';
import { Team, TeamHost } from './team.ts';

const scripts = join(import.meta.dirname, '../../resources/team');

let postgres: Postgres;
let passphraseFile = '';
beforeAll(async () => {
  postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-backup-'));
  passphraseFile = join(folder, 'passphrase');
  writeFileSync(passphraseFile, 'known to the hosts only', { mode: 0o600 });
  return async () => {
    await postgres.close();
    rmSync(folder, { recursive: true });
  };
});

interface Done {
  readonly code: number;
  readonly output: string;
}

const PATH = [postgresPrograms().folder, process.env['PATH'] ?? ''].join(delimiter);

async function run(command: string, args: readonly string[]): Promise<Done> {
  const environment = { ...process.env, PATH, PGPASSWORD: postgres.password };
  const done = await promisify(execFile)(command, args, { env: environment }).then(
    (ended) => ({ ...ended, code: 0 }),
    (error: unknown) => error as { code: number; stdout: string; stderr: string },
  );
  return { code: done.code, output: done.stdout + done.stderr };
}

const script = (name: 'backup.sh' | 'restore.sh', ...args: string[]) =>
  run('sh', [join(scripts, name), ...args]);
const rotavox = (...args: string[]) => run(process.execPath, [builtFile('cli/index.js'), ...args]);

/** As in a configuration: the password comes from the environment. */
const urlOf = (database: string) => `postgres://rotavox@127.0.0.1:${postgres.port}/${database}`;

/** A host that leads. */
async function hostOn(database: string): Promise<{ host: TeamHost; team: Team; dataDir: string }> {
  const proxy = await startTcpProxy(postgres.port, '127.0.0.1');
  const journal = postgres.url({ role: 'rotavox', database, port: proxy.port });
  const dataDir = join(makeFolder(), 'data');
  mkdirSync(dataDir);
  const port = await freePort();
  const host = new TeamHost(database, {
    proxy,
    address: '127.0.0.1',
    journal,
    dataDir,
    passphraseFile,
    port,
  });
  onTestFinished(() => host.close());
  await host.start();
  return { host, team: new Team(postgres, database, [host]), dataDir };
}

const rotate = async (host: TeamHost, bearer: string): Promise<string> => {
  const { status, text } = await host.call({ method: 'POST', path: '/v1/auth/rotate', bearer });
  expect(status, text).toBe(200);
  return RotateReply.parse(JSON.parse(text)).access_token;
};

it('backs a team up while it rotates, and goes on from that in another database', async () => {
  const database = await postgres.database();
  const { host, team } = await hostOn(database);
  const issued = IssuedToken.parse(
    await team.owner('POST', '/portal/tokens', { name: 'a chain', validity_days: 30 }),
  );
  const value = IssuedToken.parse(
    await team.owner('POST', '/portal/tokens', { name: 'nightly', validity_days: 30 }),
  );
  await team.owner('POST', '/portal/credentials', { name: 'nightly', value: value.access_token });

  const chain = [issued.access_token];
  for (let count = 0; count < 20; count += 1) chain.push(await rotate(host, chain.at(-1) ?? ''));
  const least = chain.length - 1;
  const file = join(makeFolder(), 'rotavox.dump');
  const progress = { isOver: false };
  const backup = script('backup.sh', urlOf(database), file).finally(() => {
    progress.isOver = true;
  });
  while (!progress.isOver) chain.push(await rotate(host, chain.at(-1) ?? ''));
  expect(await backup).toEqual({ code: 0, output: `Backup written: ${file}\n` });
  expect(chain.length - 1).toBeGreaterThan(least);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await host.kill();

  const other = await postgres.database();
  expect(await script('restore.sh', file, urlOf(other))).toEqual({
    code: 0,
    output: 'Restored. Start a host with this database, then run: rotavox history --verify\n',
  });
  const restored = await hostOn(other);
  const verified = await rotavox('history', '--verify', '--data-dir', restored.dataDir);
  expect(verified.output).toMatch(/^The journal is intact: \d+ events in the database/);

  // Hosts of a team are many machines: what waits in a copied folder waits in none of them.
  expect(existsSync(join(restored.dataDir, 'machine.json'))).toBe(false);
  expect(await restored.team.owner('GET', '/portal/status')).toMatchObject({ moved_from: null });

  const self = (bearer: string) => restored.host.call({ method: 'GET', path: '/v1/auth/token', bearer });
  const active: number[] = [];
  for (const [place, token] of chain.entries()) if ((await self(token)).status === 200) active.push(place);
  expect(active).toHaveLength(1);
  expect(active[0]).toBeGreaterThanOrEqual(least);
  await rotate(restored.host, chain[active[0] ?? 0] ?? '');
  expect(await restored.team.owner('GET', '/portal/credentials/nightly/value')).toMatchObject({
    value: value.access_token,
  });
});

it('refuses a second restore, a backup that was cut short, and a host with another passphrase', async () => {
  const database = await postgres.database();
  const { host } = await hostOn(database);
  await host.kill();
  const folder = makeFolder();
  const file = join(folder, 'rotavox.dump');
  await script('backup.sh', urlOf(database), file);

  const again = await script('restore.sh', file, urlOf(database));
  expect(again).toEqual({
    code: 1,
    output: 'The database has a schema rotavox already. Nothing was changed. Restore into a new database.\n',
  });

  const other = await postgres.database();
  const broken = join(folder, 'broken.dump');
  await run('sh', ['-c', `head -c $(($(wc -c < "$1") / 2)) "$1" > "$2"`, 'sh', file, broken]);
  expect((await script('restore.sh', broken, urlOf(other))).code).not.toBe(0);
  const schemas = await postgres.query(`select from pg_namespace where nspname = 'rotavox'`, {
    database: other,
  });
  expect(schemas).toEqual([]);

  const wrong = join(folder, 'passphrase');
  writeFileSync(wrong, 'another one', { mode: 0o600 });
  const options = ['--vault-passphrase-file', wrong, '--data-dir', join(folder, 'data'), '--port', '0'];
  const started = await rotavox('serve', '--journal', urlOf(database), ...options);
  expect(started.code).not.toBe(0);
  expect(started.output).toContain('passphrase');
});
