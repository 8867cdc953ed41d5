import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';

/** How to start an app on the desktop for measurements. */
export interface Launch {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly env: NodeJS.ProcessEnv;
}

/** A running Electron app, seen from outside. */
export class DesktopApp {
  readonly launchedAtMs = Date.now();
  readonly #name: string;
  readonly #leader: GroupLeader;
  #words = '';

  constructor({ name, argv, env }: Launch, ...moreArgs: readonly string[]) {
    this.#name = name;
    this.#leader = spawnGroup([...argv, ...moreArgs], env);
    for (const stream of [this.#leader.stdout, this.#leader.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (this.#words += chunk));
  }

  usage(): GroupUsage {
    return usageOfGroup(this.#leader.pid);
  }

  /** The address of Chromium's developer tools, for an app started with `--remote-debugging-port=0`. */
  async debuggingAddress(): Promise<string> {
    const search = async (): Promise<string> => {
      for (;;) {
        const address = /^DevTools listening on (\S+)$/m.exec(this.#words)?.[1];
        if (address !== undefined) return address;
        await once(this.#leader.stderr, 'data');
      }
    };
    return await within(30_000, `the debugging address of ${this.#name}`, this.whileUp(search()));
  }

  /** The promise, unless the app ends before: then an Error with its output. */
  async whileUp<T>(promise: Promise<T>): Promise<T> {
    const gone = once(this.#leader, 'exit').then((): never => {
      throw new Error(`${this.#name} ended too early: ${this.#words.slice(-4000)}`);
    });
    gone.catch(() => undefined); // its normal end, when it is no longer awaited
    return await Promise.race([promise, gone]);
  }

  /** Waits for an app to end without being asked. */
  async ended(): Promise<void> {
    if (!hasEnded(this.#leader)) await once(this.#leader, 'exit');
  }

  async end(): Promise<void> {
    await endGroup(this.#leader);
  }
}

export type GroupLeader = ChildProcessWithoutNullStreams & { readonly pid: number };

/** Those that still run. */
const leaders = new Set<GroupLeader>();

process.on('exit', () => {
  for (const leader of leaders) signalGroup(leader, 'SIGTERM');
});

/**
 * Starts a program as the leader of a process group, so that everything it starts can be counted and ended.
 *
 * When the leader or this process ends, the rest of the group is asked to end by the group's id: a
 * screen that is killed leaves its lock behind.
 */
export function spawnGroup(
  [file, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): GroupLeader {
  const child = spawn(file, args, { env, detached: true });
  const { pid } = child;
  child.on('error', () => undefined); // reported later; the missing id says the same at once
  if (pid === undefined) throw new Error(`${file} could not be started. Is it installed?`);
  const leader = Object.assign(child, { pid });
  leaders.add(leader);
  leader.once('exit', () => {
    signalGroup(leader, 'SIGTERM');
    leaders.delete(leader);
  });
  return leader;
}

/** Asks the leader to end, and kills the group if it has not ended after `graceMs`. */
export async function endGroup(leader: GroupLeader, graceMs = 10_000): Promise<void> {
  if (hasEnded(leader)) return;
  const exited = once(leader, 'exit');
  leader.kill('SIGTERM');
  const timer = setTimeout(() => {
    signalGroup(leader, 'SIGKILL');
  }, graceMs);
  await exited;
  clearTimeout(timer);
}

function hasEnded({ exitCode, signalCode }: GroupLeader): boolean {
  return exitCode !== null || signalCode !== null;
}

function signalGroup({ pid }: GroupLeader, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // It has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The promise, or an Error that says what did not happen in time. */
export async function within<T>(limitMs: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${what}: not within ${limitMs / 1000} s`));
    }, limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the processes of a group use, as far as the system reports it at one moment. */
interface GroupUsage {
  readonly processes: number;
  /** Proportional set size: shared memory counts for each process by its share. */
  readonly pssBytes: number;
}

/** Reads it for the group with this id; a process that ends meanwhile is left out. */
function usageOfGroup(group: number): GroupUsage {
  let pssBytes = 0;
  let processes = 0;
  for (const pid of pidsOfGroup(group)) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      pssBytes += Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? NaN) * 1024;
      processes += 1;
    } catch (error) {
      if (!hasGone(error)) throw error;
    }
  }
  return { processes, pssBytes };
}

function pidsOfGroup(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => groupOf(pid) === group);
}

function groupOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // After the name, which may contain anything: state, parent, group.
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : Number(group);
  } catch (error) {
    if (!hasGone(error)) throw error;
    return undefined;
  }
}

function hasGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ESRCH';
}
