/**
 * Where the PostgreSQL of the tests comes from: the programs that are installed here, or Debian's package; and an empty set of
 * data files, made once and then copied, because `initdb` takes longer than a test.
 */
import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { launcherCacheDir } from '../../src/launcher/checkout.ts';
import { ensurePackages } from './debian-packages.ts';

const execute = promisify(execFile);
const debianFolder = '/usr/lib/postgresql';
const commonConfiguration = '/etc/postgresql-common/createcluster.d';

export interface PostgresPrograms {
  readonly folder: string;
  /** The account that it runs as; null: the present one. */
  readonly account: { readonly uid: number; readonly gid: number } | null;
}

/** `null` when it is installed now; otherwise what to do, in one line. */
export async function ensurePostgres(say: (line: string) => void): Promise<string | null> {
  if (programsFolder() !== null) return null;
  const lack = await withoutCluster(() => ensurePackages([['postgresql'], ['procps']], say));
  if (lack !== null) return lack;
  return programsFolder() === null
    ? 'install PostgreSQL, and name the folder of its programs in ROTAVOX_TEST_POSTGRES'
    : null;
}

/** Debian's package makes and starts a server of its own, unless it is told not to. */
async function withoutCluster<Value>(install: () => Promise<Value>): Promise<Value> {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return install();
  const file = join(commonConfiguration, 'rotavox-tests.conf');
  mkdirSync(commonConfiguration, { recursive: true });
  writeFileSync(file, 'create_main_cluster = false\n');
  try {
    return await install();
  } finally {
    rmSync(file);
  }
}

export function postgresPrograms(): PostgresPrograms {
  const folder = programsFolder();
  if (folder === null) throw new Error('There is no PostgreSQL; run: npm test -- team');
  return { folder, account: process.getuid?.() === 0 ? accountOfServer() : null };
}

/** The newest of Debian's, unless one is named. */
function programsFolder(): string | null {
  const named = process.env['ROTAVOX_TEST_POSTGRES'];
  const debian = existsSync(debianFolder) ? readdirSync(debianFolder) : [];
  const newestFirst = debian.toSorted((a, b) => Number(b) - Number(a));
  const folders = [
    ...(named === undefined ? [] : [named]),
    ...newestFirst.map((version) => join(debianFolder, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return (
    folders.find((folder) => ['postgres', 'initdb'].every((name) => existsSync(join(folder, name)))) ?? null
  );
}

function accountOfServer(): { uid: number; gid: number } {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = ['postgres', 'nobody'].flatMap((name) =>
    accounts.filter((account) => account[0] === name),
  )[0];
  if (found === undefined)
    throw new Error('PostgreSQL does not run as root, and there is no account postgres');
  return { uid: Number(found[2]), gid: Number(found[3]) };
}

/** Data files with the roles `postgres` and `rotavox`; takes seconds the first time. */
export async function postgresTemplate({
  folder: programs,
  account,
}: PostgresPrograms): Promise<{ folder: string; password: string }> {
  const { stdout } = await execute(join(programs, 'postgres'), ['--version'], { ...account });
  const version = stdout.trim().replaceAll(/[^\d.]+/g, '-');
  const template = join(launcherCacheDir(), `postgres${version}-${account?.uid ?? process.getuid?.() ?? 0}`);
  if (!existsSync(template)) await makeTemplate(template, { folder: programs, account });
  return { folder: join(template, 'data'), password: readFileSync(join(template, 'password'), 'utf8') };
}

async function makeTemplate(
  template: string,
  { folder: programs, account }: PostgresPrograms,
): Promise<void> {
  mkdirSync(launcherCacheDir(), { recursive: true });
  // The account of the server may not enter the cache folder.
  const made = await mkdtemp(join(tmpdir(), 'rotavox-postgres-'));
  const work = await mkdtemp(join(launcherCacheDir(), 'unpack-'));
  try {
    if (account !== null) chownSync(made, account.uid, account.gid);
    const password = randomBytes(12).toString('hex');
    writeFileSync(join(made, 'password'), password);
    const data = join(made, 'data');
    const roles = ['--username=postgres', `--pwfile=${join(made, 'password')}`, '--auth=scram-sha-256'];
    // Small segments of the log, so that a copy takes little time; nobody needs the template after a power failure.
    const files = ['--wal-segsize=1', '--no-sync', '--encoding=UTF8', '--locale=C', '-D', data];
    const options = { cwd: made, ...account };
    await execute(join(programs, 'initdb'), [...roles, ...files], options);
    execFileSync(join(programs, 'postgres'), ['--single', '-D', data, 'postgres'], {
      ...options,
      input: `create role rotavox login password '${password}'\n`,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    await execute('cp', ['-a', `${made}/.`, work]);
    // Another process may have been faster.
    await rename(work, template).catch((error: unknown) => {
      if (!existsSync(template)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
    await rm(work, { recursive: true, force: true });
  }
}
