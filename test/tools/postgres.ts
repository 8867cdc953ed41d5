/**
 * A real PostgreSQL for tests: a server with a folder of its own, on the loopback interface, on a free port.
 *
 * Many can run side by side. It ends with the process that started it, also when that is killed; `close` removes its folder. It
 * syncs what it commits. As root it runs as another account, because it refuses to run as root. Where its programs come
 * from: `postgres-programs.ts`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { canMount, limitFileSize, type SmallDisk, smallDiskAt } from '../chaos/full-disk.ts';
import { freePort } from './free-port.ts';
import { type PostgresPrograms, postgresPrograms, postgresTemplate } from './postgres-programs.ts';

export interface PostgresOptions {
  /** The size in bytes of a disk of its own, for `fillDisk`. It is in memory: there a sync costs nothing. */
  readonly diskSize?: number;
  /** More settings of the server, such as `{ log_statement: 'all' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** What `restart` and `stop` mean by it: see `pg_ctl`. `immediate` aborts without a checkpoint, so that the next start recovers. */
export type StopMode = 'fast' | 'immediate';

const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const satisfies Record<
  StopMode,
  NodeJS.Signals
>;

/**
 * Waits for the end of the process that started it; then ends the server and removes its folder. `$1`: the folder. Processes that
 * outlive the main one end by themselves, unless they are stopped.
 */
const cleaner = `
cat >/dev/null
main=$(head -n 1 "$1/data/postmaster.pid" 2>/dev/null)
if [ -n "$main" ]; then kill -KILL $(ps -A -o pid= -o ppid= | awk -v main="$main" '$1 == main || $2 == main { print $1 }'); fi
umount --lazy "$1/data" 2>/dev/null
for attempt in 1 2 3 4 5 6 7 8 9; do rm -rf "$1" && break; sleep 1; done
`;

const startTimeoutMs = 30_000;

export function startPostgres(options?: PostgresOptions): Promise<Postgres> {
  return Postgres.start(options);
}

let common: Promise<Postgres> | null = null;

/** The one of this process, for tests that need no more than databases of their own. It ends with the process. */
export function commonPostgres(): Promise<Postgres> {
  return (common ??= startPostgres());
}

export class Postgres {
  /** Where its socket and its data are. */
  readonly folder: string;
  readonly port: number;
  /** Of both roles: `rotavox`, which owns the databases and nothing else, and `postgres`, which may do everything. */
  readonly password: string;
  readonly #programs: PostgresPrograms;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #cleaner: ChildProcess;
  readonly #disk: SmallDisk | null;
  readonly #hasLimit: boolean;
  #child: ChildProcess | undefined;
  /** What it has said since the first start. */
  log = '';

  private constructor(
    folder: string,
    port: number,
    programs: PostgresPrograms,
    { password, options }: { password: string; options: PostgresOptions },
  ) {
    this.folder = folder;
    this.port = port;
    this.password = password;
    this.#programs = programs;
    const { diskSize, settings = {} } = options;
    const hasDisk = diskSize !== undefined && canMount;
    this.#settings = hasDisk ? { max_wal_size: '16MB', ...settings } : settings;
    this.#hasLimit = diskSize !== undefined && !canMount;
    this.#cleaner = spawn('sh', ['-c', cleaner, 'sh', folder], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    this.#cleaner.unref();
    this.#disk = hasDisk ? smallDiskAt(this.#data, diskSize) : null;
  }

  static async start(options: PostgresOptions = {}): Promise<Postgres> {
    const programs = postgresPrograms();
    const template = await postgresTemplate(programs);
    const folder = mkdtempSync(join(tmpdir(), 'rotavox-postgres-'));
    if (programs.account !== null) chownSync(folder, programs.account.uid, programs.account.gid);
    mkdirSync(join(folder, 'data'));
    const { password } = template;
    const postgres = new Postgres(folder, await freePort(), programs, { password, options });
    try {
      execFileSync('cp', ['-a', `${template.folder}/.`, postgres.#data]);
      // Its owner stays. Connections come from the whole loopback network: an address for each host tells them apart.
      writeFileSync(join(postgres.#data, 'pg_hba.conf'), 'host all all 127.0.0.0/8 scram-sha-256\n');
      await postgres.run();
      return postgres;
    } catch (error) {
      await postgres.close();
      throw error;
    }
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  /** For a role on the database `postgres`, or on another one. Another port: that of a proxy. */
  url({ role = 'postgres', database = 'postgres', port = this.port } = {}): string {
    return `postgres://${role}:${this.password}@127.0.0.1:${port}/${database}`;
  }

  /** Makes an empty database, which belongs to `rotavox`, and returns its name. */
  async database(): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    await this.query(`create database ${name} owner rotavox`);
    return name;
  }

  /** What statements return, carried out on a connection of their own by the role that may do everything. */
  async query<Row>(sql: string, { database = 'postgres' } = {}): Promise<Row[]> {
    const client = new Client({ connectionString: this.url({ database }), connectionTimeoutMillis: 5_000 });
    // An error of the connection comes with the statement, too.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** Starts it on the same data and port, after `stop`, `kill` or its own end. Recovers first if it has to. */
  async run(): Promise<void> {
    const settings = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: this.folder,
      shared_buffers: '16MB',
      max_wal_size: '128MB',
      min_wal_size: '2MB',
      log_line_prefix: '%m [%p] ',
      ...this.#settings,
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const child = spawn(join(this.#programs.folder, 'postgres'), ['-D', this.#data, ...args], {
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      // Not reached by the keys of a terminal: the process that started it ends it.
      detached: true,
      ...this.#programs.account,
    });
    // Not a file: that could be the one that cannot grow on a full disk.
    child.stderr.on('data', (bytes: Buffer) => (this.log += bytes.toString()));
    this.#child = child;
    if (!(await this.#isReady())) throw new Error(`PostgreSQL does not start:\n${this.log.slice(-4_000)}`);
  }

  /** Waits until it answers, or has ended. */
  async #isReady(): Promise<boolean> {
    const until = Date.now() + startTimeoutMs;
    while (!(await this.#answers())) {
      if (!this.isRunning || Date.now() > until) return false;
      await wait(10);
    }
    return true;
  }

  async #answers(): Promise<boolean> {
    return this.query('select 1').then(
      () => true,
      () => false,
    );
  }

  get isRunning(): boolean {
    const child = this.#child;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    await this.#end(stopSignals[mode]);
  }

  async restart(mode: StopMode): Promise<void> {
    await this.stop(mode);
    await this.run();
  }

  /** SIGKILL of the main process. Its sessions notice that it has ended, and end. `run` recovers. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** No process of it does anything until `resume`. Connections stay, and new ones get no answer. */
  pause(): void {
    this.#signalAll('SIGSTOP');
  }

  resume(): void {
    this.#signalAll('SIGCONT');
  }

  /** From now on it can write nothing more. With a disk of its own there is no space; elsewhere its files cannot grow. */
  fillDisk(): void {
    if (this.#disk !== null) this.#disk.fill(0);
    else if (this.#hasLimit) this.#limitFiles(0);
    else throw new Error('Needs the option diskSize');
  }

  /** It can write again. Starts it if the full disk ended it, as an operator would, and waits until it answers. */
  async freeDisk(): Promise<void> {
    this.#disk?.free();
    if (this.#hasLimit && this.isRunning) this.#limitFiles('unlimited');
    if (!(await this.#isReady())) await this.run();
  }

  async close(): Promise<void> {
    if (this.isRunning) {
      this.resume();
      await this.kill();
    }
    this.#disk?.unmount();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    this.#cleaner.stdin?.end();
  }

  /** Sessions that it started hold its data until they have ended, too. */
  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.isRunning) return;
    const sessions = this.#processes().slice(1);
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    const until = Date.now() + startTimeoutMs;
    while (anyRuns(sessions)) {
      if (Date.now() > until) throw new Error('Sessions of PostgreSQL do not end');
      await wait(5);
    }
  }

  /** The main process first. */
  #processes(): number[] {
    const main = this.#child?.pid;
    if (main === undefined || !this.isRunning) return [];
    return [main, ...processes().flatMap(({ pid, parent }) => (parent === main ? [pid] : []))];
  }

  #signalAll(signal: NodeJS.Signals): void {
    for (const pid of this.#processes()) ifThere(() => process.kill(pid, signal));
  }

  #limitFiles(bytes: number | 'unlimited'): void {
    for (const pid of this.#processes()) limitFileSize(pid, bytes);
  }
}

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
}

/** Those that have not ended. One that ended may stay in the table until its parent asks for its exit code. */
function processes(): ProcessRow[] {
  const columns = ['pid', 'ppid', 'stat'].flatMap((name) => ['-o', `${name}=`]);
  return execFileSync('ps', ['-A', ...columns], { encoding: 'utf8' })
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , state = 'Z']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

function anyRuns(pids: readonly number[]): boolean {
  return processes().some(({ pid }) => pids.includes(pid));
}

/** Nothing when the process has ended meanwhile. */
function ifThere(signal: () => void): void {
  try {
    signal();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
