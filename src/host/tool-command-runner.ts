import type { ChildProcessByStdio, StdioOptions } from 'node:child_process';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import {
  CheckedToolAnswer,
  ConnectedToolAnswer,
  type ConnectTool,
  DisconnectedToolAnswer,
  type ToolObstacle,
} from '../contract/credential/tool-command.ts';
import type { ConnectionId } from '../contract/credential/tool-connection.ts';
import { done, refused, type Result } from '../core/result.ts';
import type { ToolCommands } from '../service/service-context.ts';
import { asTree, isStartFailure, signalTree, startProgram } from '../system/start-program.ts';
import { toolCommandText } from '../text/credential/connection-text.ts';

interface RunnerOptions {
  readonly dataDir: string;
  /** The command line of this program, with absolute paths; null: there is none. */
  readonly program: readonly string[] | null;
  /** Of this process; undefined where the system has no such numbers. */
  readonly uid?: number | undefined;
  readonly platform?: NodeJS.Platform;
  /** How long a command may take, in milliseconds. */
  readonly limitMs?: number;
  /** What it gets to finish when the program ends, in milliseconds: killed while it changes a file, it would leave that locked. */
  readonly closingMs?: number;
}

/** Longer than the tools that a command runs may take together; the test of a token waits for another service. */
const usualLimitMs = 120_000;
const usualClosingMs = 5_000;
/** The longest output that is read, in bytes. */
const mostOutput = 256 * 1024;
/** The longest sentence that is passed on, in characters. */
const mostSaid = 1_500;

/** What `rotavox connect … --json` prints; `connection` is left out by a dry run. */
const ConnectOutput = ConnectedToolAnswer.extend({
  other_helpers: z.array(z.object({ value: z.string(), file: z.string() })),
  connection: ConnectedToolAnswer.shape.connection.default(null),
  checks: ConnectedToolAnswer.shape.checks.default([]),
});
const CheckOutput = z.object({ connections: z.tuple([CheckedToolAnswer]) });

const outputOnly: StdioOptions = ['ignore', 'pipe', 'pipe'];
type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs `rotavox connect`, `connect check` and `disconnect` of this very program for a window, without a shell: what changes files of tools
 * exists once. It has the environment of the service.
 *
 * Which words it is called with is decided here alone. What somebody typed stands behind `=` or `--`, so that none of it is an option.
 */
// see decisions/connections.md
export class ToolCommandRunner implements ToolCommands {
  readonly obstacle: ToolObstacle | null;
  readonly #options: RunnerOptions;
  readonly #running = new Map<Child, () => void>();
  #isEnding = false;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.obstacle = obstacleOf(options);
  }

  async connect(wanted: ConnectTool): Promise<Result<ConnectedToolAnswer, string>> {
    const { credential, tool, url, username, replace, dry_run: isDryRun } = wanted;
    const options = [
      `--url=${url}`,
      ...(username === undefined ? [] : [`--username=${username}`]),
      ...(replace ? ['--replace'] : []),
      ...(isDryRun ? ['--dry-run'] : []),
    ];
    const ended = await this.#run(['connect', tool, ...options, '--json', '--', credential], ConnectOutput);
    if (!ended.ok) return ended;
    const helpers = ended.value.other_helpers
      .filter(({ value }) => value !== '')
      .map(({ value, file }) => ({ name: helperName(value), file }));
    return done({ ...ended.value, other_helpers: helpers });
  }

  async check(id: ConnectionId): Promise<Result<CheckedToolAnswer, string>> {
    const ended = await this.#run(['connect', 'check', '--json', '--', id], CheckOutput);
    return ended.ok ? done(ended.value.connections[0]) : ended;
  }

  disconnect(
    id: ConnectionId,
    { isDryRun }: { readonly isDryRun: boolean },
  ): Promise<Result<DisconnectedToolAnswer, string>> {
    const words = ['disconnect', ...(isDryRun ? ['--dry-run'] : []), '--json', '--', id];
    return this.#run(words, DisconnectedToolAnswer);
  }

  end(): void {
    this.#isEnding = true;
    const { closingMs = usualClosingMs } = this.#options;
    // One that has ended by then is left: another process may have its id.
    for (const child of this.#running.keys())
      setTimeout(() => this.#running.get(child)?.(), closingMs).unref();
  }

  /** What a command printed, also if it says by its code that a check failed; otherwise why it failed, in its own words. */
  async #run<T>(words: readonly string[], output: z.ZodType<T>): Promise<Result<T, string>> {
    if (this.#isEnding) return refused(toolCommandText.closing);
    const { end, stdout, stderr } = await this.#toItsEnd(words);
    if (end === 'not_started') return refused(toolCommandText.notStarted);
    if (end === 'closing') return refused(toolCommandText.closing);
    if (end === 'late') return refused(toolCommandText.late(Math.ceil(this.#limitMs / 1000)));
    const printed = output.safeParse(parsed(stdout));
    if (printed.success) return done(printed.data);
    const said = stderr
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, mostSaid);
    return refused(said === '' ? toolCommandText.noReason : said);
  }

  get #limitMs(): number {
    return this.#options.limitMs ?? usualLimitMs;
  }

  #toItsEnd(words: readonly string[]): Promise<Ended> {
    const { promise, resolve } = Promise.withResolvers<Ended>();
    const { dataDir, program } = this.#options;
    const [file, ...args] = program ?? [];
    if (file === undefined) return Promise.resolve(notStarted);
    let child: Child;
    try {
      // A folder that is there, whatever the program was started in: tools read what a project brings.
      const options = { cwd: dataDir, stdio: outputOnly, ...asTree };
      child = startProgram(file, [...args, '--data-dir', dataDir, ...words], options) as Child;
    } catch {
      return Promise.resolve(notStarted);
    }
    const stdout = new Output();
    const stderr = new Output();
    const settle = (end: Ended['end']): void => {
      clearTimeout(limit);
      this.#running.delete(child);
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ end, stdout: stdout.text, stderr: stderr.text });
    };
    const cut = (end: 'late' | 'closing'): void => {
      signalTree(child, 'SIGKILL');
      settle(end);
    };
    const limit = setTimeout(cut, this.#limitMs, 'late');
    this.#running.set(child, () => cut('closing'));
    child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
    child.on('error', (error) => {
      if (isStartFailure(child, error)) settle('not_started');
    });
    child.on('close', () => settle('done'));
    return promise;
  }
}

interface Ended {
  readonly end: 'done' | 'late' | 'closing' | 'not_started';
  readonly stdout: string;
  readonly stderr: string;
}

const notStarted: Ended = { end: 'not_started', stdout: '', stderr: '' };

/** The beginning of what a program prints. */
class Output {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  add(chunk: Buffer): void {
    const kept = chunk.subarray(0, mostOutput - this.#length);
    this.#length += kept.length;
    this.#chunks.push(kept);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Accounts of the system have lower numbers than those of people, apart from root, by which some people work. */
function obstacleOf({
  program,
  uid = process.getuid?.(),
  platform = process.platform,
}: RunnerOptions): ToolObstacle | null {
  const firstOfPeople = platform === 'darwin' ? 500 : 1000;
  if (uid !== undefined && uid > 0 && uid < firstOfPeople) return 'system_account';
  return program === null ? 'no_command_line' : null;
}

/** The program that a helper of git is, by its name or path; null for what is a line of a shell. */
function helperName(value: string): string | null {
  const [, name = null] = /^!?\s*([\w./~+-]+)(?:\s|$)/.exec(value) ?? [];
  return name;
}
