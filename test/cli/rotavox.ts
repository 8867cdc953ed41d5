import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Ending, ExitCode } from '../../src/cli/command-failure.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { ReadyLine, RuntimeFile } from '../../src/contract/service/portal.ts';
import { builtFile } from '../../src/launcher/ensure-built.ts';
import { compileCache } from '../tools/root.ts';

/** The built command line. */
const cli = builtFile('cli/index.js');

export type CliProcess = ChildProcessByStdio<Writable, Readable, Readable>;

export interface CliOptions {
  readonly dataDir?: string;
  readonly stdin?: string | Uint8Array;
  readonly env?: NodeJS.ProcessEnv;
}

export interface CliResult {
  /** Null: it ended by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

// Commands in this process read these two from the process itself.
process.env['TZ'] = 'UTC';
process.env['HOME'] = tmpdir();

/** The environment of a command on a machine without a desktop and without settings of ours. */
function environmentOf({ dataDir, env }: CliOptions): NodeJS.ProcessEnv {
  const { PATH, TZ, HOME } = process.env;
  return { PATH, TZ, HOME, ...(dataDir === undefined ? {} : { ROTAVOX_DATA_DIR: dataDir }), ...env };
}

/**
 * Runs a command in this process until it ends, through pipes.
 *
 * A `serve` that starts, a signal to a command, and what `exec` gives its command as stdin need a process: see `builtRotavox` and
 * `spawnRotavox`.
 */
export async function rotavox(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { end, stdout, stderr } = await rotavoxHere(args, options);
  return { code: codeOf(end), stdout, stderr };
}

/** As `rotavox`, with how the program ended that `exec` ran, and with stdout byte by byte. */
export async function rotavoxHere(
  args: readonly string[],
  options: CliOptions = {},
): Promise<{ end: ExitCode | Ending; stdout: string; stderr: string; bytes: Buffer }> {
  const stdout = new Collected();
  const stderr = new Collected();
  const end = await runCli(args, {
    env: environmentOf(options),
    stdin: Readable.from([bytesOf(options.stdin)]),
    stdout,
    stderr,
  });
  return { end, stdout: stdout.text(), stderr: stderr.text(), bytes: stdout.bytes() };
}

function codeOf(end: ExitCode | Ending): number | null {
  if (typeof end === 'number') return end;
  return end.kind === 'exited' ? end.code : null;
}

/** Runs a command in this process as in a terminal: stdout and stderr share a screen. Stdin is a pipe. */
export async function rotavoxOnScreen(
  args: readonly string[],
  options: CliOptions = {},
): Promise<{ code: number | null; screen: string }> {
  const screen = Object.assign(new Collected(), { isTTY: true });
  const end = await runCli(args, {
    env: environmentOf(options),
    stdin: Readable.from([bytesOf(options.stdin)]),
    stdout: screen,
    stderr: screen,
  });
  return { code: codeOf(end), screen: screen.text() };
}

/** Collects what is written to it. */
class Collected extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  text(): string {
    return this.bytes().toString();
  }
}

/** Starts the built command line as a separate process. */
export function spawnRotavox(args: readonly string[], options: CliOptions = {}): CliProcess {
  return spawn(process.execPath, [cli, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { NODE_COMPILE_CACHE: compileCache, ...environmentOf(options) },
  });
}

/** Runs a built command in a separate process until it ends. */
export async function builtRotavox(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = spawnRotavox(args, options);
  child.stdin.on('error', () => undefined); // a command that does not read its stdin may end before it is written
  child.stdin.end(options.stdin ?? '');
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    exitCodeOf(child),
  ]);
  return { code, stdout, stderr };
}

/** The exit code, or null when a signal ended it. */
export async function exitCodeOf(child: CliProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** A data folder that is removed after the test. */
export async function freshDataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rotavox-cli-'));
  return join(folder, 'data');
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(join(dataDir, '..'), { recursive: true, force: true });
}

/** A service that runs, for commands to call. */
export abstract class CalledService {
  abstract readonly baseUrl: string;
  readonly dataDir: string;

  constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  /** Runs a command against it. */
  cli(...args: string[]): Promise<CliResult> {
    return rotavox(args, { dataDir: this.dataDir });
  }

  /** Runs a command that has to succeed and parses the JSON that it prints. */
  async json(...args: string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.cli(...args, '--json');
    if (code !== 0) throw new Error(`rotavox ${args.join(' ')} ended with ${String(code)}: ${stderr}`);
    return JSON.parse(stdout) as unknown;
  }

  async portalKey(): Promise<string> {
    return RuntimeFile.parse(JSON.parse(await readFile(join(this.dataDir, 'runtime.json'), 'utf8')))
      .portal_key;
  }
}

/** A running `rotavox serve --json`: a process, for tests of `serve` itself, of its death and of its restart. Others take `service-here.ts`. */
export class RunningService extends CalledService {
  readonly child: CliProcess;
  readonly ready: ReadyLine;
  readonly #stdout: string[];
  readonly #stderr: string[];

  private constructor(
    child: CliProcess,
    ready: ReadyLine,
    dataDir: string,
    stdout: string[],
    stderr: string[],
  ) {
    super(dataDir);
    this.child = child;
    this.ready = ready;
    this.#stdout = stdout;
    this.#stderr = stderr;
  }

  /** Starts it on a free port and waits until it says that it is ready. */
  static async start(dataDir: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
    const child = spawnRotavox(['serve', '--port', '0', '--json', ...args], { dataDir, env });
    const stdout: string[] = [];
    const stderr: string[] = [];
    const said = createInterface({ input: child.stderr });
    said.on('line', (line) => stderr.push(line));
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => stdout.push(line));
    const first = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
    if (typeof first[0] !== 'string')
      throw new Error(`serve ended before it was ready: ${stderr.join('\n')}`);
    const ready = ReadyLine.parse(JSON.parse(first[0]));
    return new RunningService(child, ready, dataDir, stdout, stderr);
  }

  get baseUrl(): string {
    return this.ready.base_url;
  }

  /** Its output on stdout so far, line by line. */
  get stdout(): readonly string[] {
    return this.#stdout;
  }

  get stderr(): readonly string[] {
    return this.#stderr;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return exitCodeOf(this.child);
  }
}

/** A service for one test, ended with it. */
export async function serviceForTest(
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningService> {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  return serviceOn(dataDir, args, env);
}

/** A service on an existing folder, ended with the test. */
export async function serviceOn(
  dataDir: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<RunningService> {
  const service = await RunningService.start(dataDir, args, env);
  onTestFinished(async () => {
    await service.stop('SIGKILL');
  });
  return service;
}

function bytesOf(input: string | Uint8Array = ''): Buffer {
  return typeof input === 'string' ? Buffer.from(input) : Buffer.from(input);
}
