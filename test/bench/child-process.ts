/**
 * Children of a benchmark: servers under test and the load client, each a separate Node process running TypeScript.
 *
 * Every child started here is recorded and ended by its id: in `close()`, or when this process exits, for whatever
 * reason. No process is ended by name.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { removeAllScratchFolders } from './scratch-folder.ts';

const alive = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
  removeAllScratchFolders();
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    console.error(`Stopped by ${signal}.`);
    process.exit(130);
  });
}

export interface StartedServer {
  readonly pid: number;
  /** The line it printed when ready, parsed. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** Milliseconds from spawn to the ready line. */
  readonly readyMs: number;
  /** SIGTERM, then SIGKILL to the same id if it has not ended after `graceMs`. */
  close(graceMs?: number): Promise<void>;
}

export interface ServerCommand {
  /** The file Node runs, then its arguments. */
  readonly args: readonly string[];
  /** Options of Node itself, before the file. */
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly readyWithinMs?: number;
}

/** Starts a server that reports with its first line of stdout, one JSON object, that it is ready. */
export async function startServerProcess(command: ServerCommand): Promise<StartedServer> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...(command.nodeOptions ?? []), ...command.args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...command.env },
  });
  remember(child);
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4000);
  });
  const lines = createInterface({ input: child.stdout });
  const gone = once(child, 'exit').then(([code, signal]: unknown[]) => {
    throw new Error(
      `${command.args.join(' ')} ended before it was ready (${String(code ?? signal)}): ${complaints.trim()}`,
    );
  });
  const readyWithinMs = command.readyWithinMs ?? 60_000;
  const timer = timeLimit(
    readyWithinMs,
    `${command.args.join(' ')} was not ready within ${String(readyWithinMs)} ms`,
  );
  try {
    const [line] = (await Promise.race([once(lines, 'line'), gone, timer.expired])) as [string];
    const readyMs = performance.now() - startedAt;
    return {
      pid: child.pid ?? 0,
      ready: JSON.parse(line) as Record<string, unknown>,
      readyMs,
      close: (graceMs = 30_000) => endChild(child, graceMs),
    };
  } catch (error) {
    await endChild(child, 0);
    throw error;
  } finally {
    timer.cancel();
    gone.catch(() => undefined); // it also happens at a normal end, when it is no longer awaited
  }
}

/** Runs a script until it ends and returns the one JSON value that it printed. */
export async function runScript(
  command: Omit<ServerCommand, 'readyWithinMs'>,
  withinMs: number,
): Promise<unknown> {
  const child = spawn(process.execPath, [...(command.nodeOptions ?? []), ...command.args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...command.env },
  });
  remember(child);
  let output = '';
  let complaints = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-4000)));
  const timer = timeLimit(withinMs, `${command.args.join(' ')} did not end within ${String(withinMs)} ms`);
  try {
    const [code] = (await Promise.race([once(child, 'close'), timer.expired])) as [number | null];
    if (code !== 0)
      throw new Error(`${command.args.join(' ')} failed (${String(code)}): ${complaints.trim()}`);
    return JSON.parse(output);
  } finally {
    timer.cancel();
    await endChild(child, 0);
  }
}

/** Starts a child that communicates over Node's own message channel, and ends when the channel closes. */
export function startMessageProcess(file: string): ChildProcess {
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  remember(child);
  return child;
}

export async function endChild(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  if (graceMs > 0) {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await exited;
    clearTimeout(timer);
    return;
  }
  child.kill('SIGKILL');
  await exited;
}

function remember(child: ChildProcess): void {
  alive.add(child);
  child.once('exit', () => alive.delete(child));
}

function timeLimit(ms: number, message: string): { expired: Promise<never>; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(message));
    }, ms);
  });
  return {
    expired,
    cancel: () => {
      clearTimeout(timer);
    },
  };
}

/** Clock ticks per second of /proc: 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** CPU seconds a process has used so far, in all its threads; undefined without /proc. */
export function cpuSecondsOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    return undefined; // not Linux, or the process has ended
  }
}

/** Resident bytes of a process; undefined without /proc. */
export function residentBytesOf(pid: number): number | undefined {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? undefined : Number(line[1]) * 1024;
  } catch {
    return undefined;
  }
}
