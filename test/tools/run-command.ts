import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { delimiter, join } from 'node:path';
import { root } from './root.ts';

export interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** How long it may tidy up once its time is over. */
  readonly graceMs?: number;
  /** Show what it prints when it has failed (steps side by side), and not as it comes. */
  readonly quiet?: boolean;
  /** Whether others come first, where there are not cores enough for all. */
  readonly isLowPriority?: boolean;
}

export interface CommandEnd {
  readonly ok: boolean;
  /** Why it is not ok: `exit code 1`, `no end after 10 min`… */
  readonly reason: string;
  /** Processor time of it and of what it started; null where the system does not tell. */
  readonly cpuMs: number | null;
}

/** The project's own tools first, its Node among them. */
const toolPath = [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter);

const running = new Set<ChildProcess>();

/** Runs a command to its end, or ends it with everything it started once its time is over. Never throws. */
export function runCommand({
  argv,
  env,
  timeoutMs,
  quiet = false,
  isLowPriority = false,
  graceMs = 5_000,
}: Command): Promise<CommandEnd> {
  const [file, ...args] = argv;
  return new Promise((resolve) => {
    // What ran before, like the installation of packages, is not its time.
    if (running.size === 0) cpuOfEnded();
    // A process group of its own, so that one signal also ends what it started.
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, PATH: toolPath, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      // npm's commands are .cmd files on Windows, which only a shell can start.
      shell: process.platform === 'win32',
    });
    running.add(child);
    let cpuMs: number | null = null;
    // What it starts inherits it.
    if (isLowPriority && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    const chunks: Buffer[] = [];
    const keep = (chunk: Buffer): void => {
      if (quiet) chunks.push(chunk);
      else process.stdout.write(chunk);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);

    let timedOut = false;
    let force: NodeJS.Timeout | undefined;
    const timer = setTimeout(() => {
      timedOut = true;
      // Asked first, so that it can tidy up; forced when it is deaf.
      endGroup(child, 'SIGTERM');
      force = setTimeout(() => {
        endGroup(child, 'SIGKILL');
        // What it started in groups of their own may hold its output open for ever.
        child.stdout.destroy();
        child.stderr.destroy();
      }, graceMs);
    }, timeoutMs);
    const end = (reason: string): void => {
      clearTimeout(timer);
      clearTimeout(force);
      running.delete(child);
      if (reason !== '' && chunks.length > 0)
        process.stdout.write(Buffer.concat([Buffer.from(`\n▸ ${argv.join(' ')}\n`), ...chunks]));
      resolve({ ok: reason === '', reason, cpuMs });
    };
    child.on('error', (error) => {
      end(`cannot start ${file}: ${error.message}`);
    });
    child.on('exit', () => (cpuMs = cpuOfEnded()));
    child.on('close', (code, signal) => {
      if (timedOut) end(`no end after ${String(Math.round(timeoutMs / 60_000))} min`);
      else if (signal !== null) end(`ended by ${signal}`);
      else end(code === 0 ? '' : `exit code ${String(code)}`);
    });
  });
}

/** Asks everything that runs to end. */
export function endCommands(): void {
  for (const child of running) endGroup(child, 'SIGTERM');
}

let cpuTicksBefore = 0;

/** What a child that has just ended used, with everything that it started and waited for. */
function cpuOfEnded(): number | null {
  if (process.platform !== 'linux') return null;
  // After the name in brackets, which may have spaces: field 3 and on; 16 and 17 are the time of our children.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = Number(fields[13]) + Number(fields[14]);
  const used = ticks - cpuTicksBefore;
  cpuTicksBefore = ticks;
  // A tick is a hundredth of a second on every Linux that Node runs on.
  return used * 10;
}

function endGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // Gone already is what we wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
