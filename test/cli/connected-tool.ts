import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type CliResult, rotavox } from './rotavox.ts';
import { fileVault, ServiceHere } from './service-here.ts';

/** What a server replies to a caller that it has admitted. */
type Serve = (request: IncomingMessage, response: ServerResponse) => void;

type Certificate = Readonly<Record<'cert' | 'key', Buffer>>;

/** A tool with a home of its own, a service with one credential for it, and a server that takes the token that works now. */
export class ConnectedTool {
  readonly folder = mkdtempSync(join(tmpdir(), 'rotavox-tool-'));
  readonly home = join(this.folder, 'home');
  readonly dataDir = join(this.folder, "dä ta's $(folder)");
  /** The `Authorization` of each call that had one, oldest first. */
  readonly authorizations: string[] = [];
  /** How many calls had none. */
  bareCalls = 0;
  /** What the tool is started with. */
  readonly env: Readonly<Record<string, string>>;
  readonly #server: Server;
  readonly #scheme: string;
  #service: ServiceHere | null = null;

  private constructor(
    env: (folder: string) => Readonly<Record<string, string>>,
    serve: Serve,
    certificate: Certificate | null,
  ) {
    mkdirSync(this.home);
    this.env = { HOME: this.home, PATH: '/usr/bin:/bin', ...env(this.folder) };
    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      const { authorization } = request.headers;
      if (authorization === undefined) this.bareCalls += 1;
      else this.authorizations.push(authorization);
      void this.#admits(authorization ?? '').then((isAdmitted) => {
        if (isAdmitted) serve(request, response);
        else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      });
    };
    this.#scheme = certificate === null ? 'http' : 'https';
    this.#server = certificate === null ? createServer(answer) : createSecureServer(certificate, answer);
  }

  /** `env`: more than a home and a short path, of the folder of the test. */
  static async start(
    env: (folder: string) => Readonly<Record<string, string>>,
    serve: Serve,
    certificate: Certificate | null = null,
  ): Promise<ConnectedTool> {
    const tool = new ConnectedTool(env, serve, certificate);
    tool.#server.listen(0, '127.0.0.1');
    await once(tool.#server, 'listening');
    await tool.startService();
    await tool.run('token', 'issue', '--name', 'nightly', '--validity', '7', '--keep-as', 'nightly');
    return tool;
  }

  async startService(): Promise<void> {
    this.#service = await ServiceHere.start(this.dataDir, fileVault);
  }

  async stopService(): Promise<void> {
    await this.#service?.stop();
    this.#service = null;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await this.stopService();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get origin(): string {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('It does not listen');
    return `${this.#scheme}://127.0.0.1:${address.port}`;
  }

  async #admits(authorization: string): Promise<boolean> {
    const token = sentToken(authorization);
    return token !== '' && token === (await this.token());
  }

  run(...args: string[]): Promise<CliResult> {
    return rotavox(args, { dataDir: this.dataDir, env: this.env });
  }

  async token(): Promise<string> {
    return (await this.run('get', 'nightly')).stdout.trim();
  }

  async ids(): Promise<string[]> {
    const { connections } = JSON.parse((await this.run('connect', 'list', '--json')).stdout) as {
      connections: { id: string }[];
    };
    return connections.map(({ id }) => id);
  }

  /** Of the only connection. */
  async launcher(): Promise<string> {
    const [id, ...others] = await this.ids();
    if (id === undefined || others.length > 0) throw new Error('There is not one connection');
    return join(this.dataDir, 'tools', id);
  }

  async disconnectAll(): Promise<void> {
    for (const id of await this.ids()) await this.run('disconnect', id);
    this.authorizations.length = 0;
    this.bareCalls = 0;
  }

  write(file: string, content: string): void {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }

  /** A program on the path of the tool's tests that answers as the real one does, where only that is asked. */
  writeProgram(file: string, line: string): void {
    this.write(file, '');
    rmSync(file);
    writeFileSync(file, `#!/bin/sh\necho '${line}'\n`, { mode: 0o755 });
  }

  /** Runs a program as one that a desktop has started: with a short path and no terminal. */
  async program(
    file: string,
    args: readonly string[],
    {
      cwd = this.folder,
      input = '',
      env = {},
    }: { cwd?: string; input?: string; env?: NodeJS.ProcessEnv } = {},
  ): Promise<CliResult> {
    const child = spawn(file, [...args], {
      cwd,
      env: { ...this.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const code = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await code, stdout, stderr };
  }

  /** The files of the test that have a text in them. */
  filesWith(secret: string): string[] {
    return readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(this.folder, name))
      .filter((file) => statSync(file).isFile() && readFileSync(file, 'latin1').includes(secret));
  }
}

/** The password or the token of a header. */
function sentToken(authorization: string): string {
  const [, basic] = /^Basic (.+)$/.exec(authorization) ?? [];
  if (basic === undefined) return authorization.replace(/^Bearer /, '');
  return Buffer.from(basic, 'base64').toString().split(':').slice(1).join(':');
}
