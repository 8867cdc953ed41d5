/**
 * Hosts of a team as child processes over a real PostgreSQL: each with a port of its own, and a proxy between it and the database.
 *
 * A host that ends by itself, or cannot start yet, is started again, as a service manager does it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { RuntimeFile } from '../../src/contract/service/portal.ts';
import { HostHealth } from '../../src/contract/service/team.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { startTcpProxy, type TcpProxy } from '../fakes/tcp-proxy.ts';
import { type CertificateFilePaths, makeCertificate } from '../fixtures/make-authority.ts';
import { type Answer, type Call, sendCall } from '../fixtures/send-call.ts';
import { freePort } from '../tools/free-port.ts';
import { type Postgres, type PostgresOptions, startPostgres } from '../tools/postgres.ts';
import { watchDatabase } from './watched-database.ts';

/** How long a client of the team waits for an answer. */
const callTimeoutMs = 1_500;
const startTimeoutMs = 180_000;
/** How long a service manager waits before it starts a host again that ended by itself. */
const restartMs = 200;

export interface TeamOptions {
  readonly hosts: number;
  readonly postgres?: PostgresOptions;
  /** Whether other machines reach each host over TLS, with a certificate of its own. */
  readonly isOverTls?: boolean;
  /** Calls back when the test is over. Default: as Vitest does. */
  readonly atEnd?: (close: () => Promise<void>) => void;
}

/** Ended and removed when the test is over. */
export async function startTeam({
  hosts: count,
  postgres: options,
  isOverTls = false,
  atEnd = onTestFinished,
}: TeamOptions): Promise<Team> {
  const postgres = await startPostgres(options);
  atEnd(() => postgres.close());
  const database = await postgres.database();
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-team-'));
  const passphraseFile = join(folder, 'passphrase');
  writeFileSync(passphraseFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  const hosts: TeamHost[] = [];
  atEnd(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (let place = 1; place <= count; place += 1) {
    const address = `127.0.0.${place + 1}`;
    const proxy = await startTcpProxy(postgres.port, address);
    const journal = postgres.url({ role: 'rotavox', database, port: proxy.port });
    const dataDir = join(folder, `host-${place}`);
    mkdirSync(dataDir);
    const host = new TeamHost(`host ${place}`, {
      proxy,
      address,
      journal,
      dataDir,
      passphraseFile,
      port: await freePort(),
      network: isOverTls ? { port: await freePort(), ...makeCertificate(dataDir) } : null,
    });
    hosts.push(host);
    await host.start();
    if (place > 1) continue;
    await new Team(postgres, database, hosts).leader();
    await watchDatabase(postgres, database, address);
  }
  return new Team(postgres, database, hosts);
}

export class Team {
  readonly postgres: Postgres;
  readonly database: string;
  readonly hosts: readonly TeamHost[];

  constructor(postgres: Postgres, database: string, hosts: readonly TeamHost[]) {
    this.postgres = postgres;
    this.database = database;
    this.hosts = hosts;
  }

  /** The host that says that it leads; of several, the one with the highest epoch. */
  async leader(): Promise<TeamHost> {
    const until = Date.now() + 30_000;
    while (Date.now() < until) {
      const said = await Promise.all(this.hosts.map(async (host) => ({ host, health: await host.health() })));
      const leading = said.filter(({ health }) => health?.role === 'leader');
      const [first] = leading.sort((a, b) => (b.health?.epoch ?? 0) - (a.health?.epoch ?? 0));
      if (first !== undefined) return first.host;
      await wait(50);
    }
    throw new Error(`No host leads:\n${this.said()}`);
  }

  /** A call as the owner, at one host after the other until one answers it with 200. Only for calls that may be carried out twice. */
  async owner(method: string, path: string, body?: unknown, { timeoutMs = 30_000 } = {}): Promise<unknown> {
    const until = Date.now() + timeoutMs;
    let last = '';
    for (let turn = 0; Date.now() < until; turn += 1) {
      const host = this.hosts[turn % this.hosts.length];
      const answer = await host
        ?.owner({ method, path, body, timeoutMs })
        .catch((error: unknown) => String(error));
      if (typeof answer === 'object' && answer.status === 200) return JSON.parse(answer.text);
      last = typeof answer === 'object' ? `${answer.status} ${answer.text}` : String(answer);
      await wait(100);
    }
    throw new Error(`${method} ${path}: ${last}\n${this.said()}`);
  }

  said(): string {
    return this.hosts.map((host) => host.tail()).join('\n');
  }
}

interface HostParts {
  readonly proxy: TcpProxy;
  /** From which the database sees it connect. */
  readonly address: string;
  readonly journal: string;
  readonly dataDir: string;
  readonly passphraseFile: string;
  readonly port: number;
  /** Where other machines reach it. */
  readonly network?: (CertificateFilePaths & { readonly port: number }) | null;
}

export class TeamHost {
  readonly name: string;
  readonly proxy: TcpProxy;
  readonly address: string;
  readonly port: number;
  readonly #parts: HostParts;
  #agent = new Agent({ keepAlive: true });
  #child: ChildProcess | undefined;
  #isWanted = false;
  #supervised: Promise<void> = Promise.resolve();
  /** Its output since the first start. */
  said = '';
  /** How often it ended although nobody asked it to. */
  unasked = 0;

  constructor(name: string, parts: HostParts) {
    this.name = name;
    this.#parts = parts;
    this.proxy = parts.proxy;
    this.address = parts.address;
    this.port = parts.port;
  }

  get dataDir(): string {
    return this.#parts.dataDir;
  }

  /** For people, on other machines too. */
  get url(): string {
    const { network, port } = this.#parts;
    return network ? `https://127.0.0.1:${network.port}` : `http://127.0.0.1:${port}`;
  }

  /** Which certificate it shows there. */
  get certificateFile(): string | undefined {
    return this.#parts.network?.certFile;
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    this.#isWanted = true;
    const ready = Promise.withResolvers<undefined>();
    this.#supervised = this.#supervise(() => ready.resolve(undefined));
    const late = wait(startTimeoutMs, 'late', { ref: false });
    if ((await Promise.race([ready.promise, late])) === 'late')
      throw new Error(
        `${this.name} does not start. Its last lines:\n${this.said.split('\n').slice(-9).join('\n')}`,
      );
  }

  async #supervise(onReady: () => void): Promise<void> {
    for (;;) {
      await this.#run(onReady);
      if (!this.#isWanted) return;
      this.unasked += 1;
      await wait(restartMs);
    }
  }

  /** Until it ends. */
  async #run(onReady: () => void): Promise<void> {
    const { journal, dataDir, passphraseFile, port, network } = this.#parts;
    const shared = ['--vault-passphrase-file', passphraseFile];
    const own = ['--port', String(port), '--data-dir', dataDir, '--json'];
    const tls = network
      ? [
          '--listen',
          `127.0.0.1:${network.port}`,
          '--tls-cert',
          network.certFile,
          '--tls-key',
          network.keyFile,
        ]
      : [];
    const child = spawn(process.execPath, [builtFile('cli/index.js'), 'serve', ...shared, ...own, ...tls], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Other accounts can see arguments; it has a password in it.
      env: { ...process.env, ROTAVOX_JOURNAL: journal },
    });
    this.#child = child;
    child.stderr.on('data', (bytes: Buffer) => (this.said += bytes.toString()));
    child.stdout.on('data', (bytes: Buffer) => {
      this.said += bytes.toString();
      if (bytes.toString().includes('"event":"ready"')) onReady();
    });
    await once(child, 'close');
    this.said += `(ended with ${child.exitCode ?? child.signalCode})\n`;
  }

  /** Its output since the first start, the end of it. */
  tail(): string {
    return `${this.name}:\n${this.said.slice(-4_000)}`;
  }

  call(call: Call): Promise<Answer> {
    return sendCall(this.port, { agent: this.#agent, timeoutMs: callTimeoutMs, ...call });
  }

  /** As the owner, with the key of this host. */
  async owner(call: Call): Promise<Answer> {
    return this.call({ bearer: this.ownKey, ...call });
  }

  get ownKey(): string {
    const runtime = readFileSync(join(this.#parts.dataDir, 'runtime.json'), 'utf8');
    return RuntimeFile.parse(JSON.parse(runtime)).portal_key;
  }

  /** Null: no answer. */
  async health(): Promise<HostHealth | null> {
    try {
      const { text } = await this.call({ method: 'GET', path: '/v1/health', timeoutMs: 500 });
      return HostHealth.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** SIGTERM: it hands the lead over. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async close(): Promise<void> {
    this.resume();
    await this.kill();
    await this.proxy.close();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#isWanted = false;
    this.#child?.kill(signal);
    await this.#supervised;
    this.#agent.destroy();
    this.#agent = new Agent({ keepAlive: true });
  }
}
