import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endCommands } from './run-command.ts';

/** One run of the test command: what it starts and writes is gone when it ends, also by Ctrl-C. */
export interface ScratchRun {
  /** For its files; temporary files of what it starts are below it too. */
  readonly folder: string;
  /**
   * Waits until nothing is left of what the run started, ends what is still there, and removes the folder.
   *
   * `waitMs`: how long it waits. Answers what it ended, as command lines; on Linux only, elsewhere nothing.
   */
  end(waitMs?: number): Promise<string[]>;
}

/** In the environment of everything that the run starts, with its folder as the value. */
const variable = 'ROTAVOX_TEST_RUN';

export function beginRun(): ScratchRun {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-tests-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  // A server of PostgreSQL does not run as root, and its account has to reach its files.
  for (const one of [folder, temporary]) chmodSync(one, 0o711);
  process.env[variable] = folder;
  process.env['TMPDIR'] = temporary;

  const run: ScratchRun = {
    folder,
    end: async (waitMs = patienceMs) => {
      const ended = await endLeftovers(folder, waitMs);
      // Retried: what was just ended may still write its last.
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
      return ended;
    },
  };
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => {
      // Process groups of their own do not hear Ctrl-C.
      endCommands();
      void run.end(patienceOfPersonMs).finally(() => process.exit(exitCode));
    });
  }
  return run;
}

/** How long what was started may take to end by itself: databases stop and remove their files, on a busy machine too. */
const patienceMs = 60_000;
/** The same after Ctrl-C, where a person waits. */
const patienceOfPersonMs = 5_000;

async function endLeftovers(run: string, waitMs: number): Promise<string[]> {
  let left = leftovers(run, []);
  const deadline = performance.now() + waitMs;
  while (left.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    left = leftovers(run, left);
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // Gone already is what we wanted.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  return left.map(({ command }) => command);
}

interface LinuxProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly isMarked: boolean;
}

/**
 * What has the mark of the run, and what was started by that or by us: a test may give its program an environment of its own.
 *
 * `before` are those of the last look, because what they have started gets another parent when they end.
 */
function leftovers(run: string, before: readonly LinuxProcess[]): readonly LinuxProcess[] {
  if (process.platform !== 'linux') return [];
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name) && Number(name) !== process.pid)
    .flatMap((name) => readProcess(Number(name), run) ?? []);
  const found = new Set([process.pid, ...before.map(({ pid }) => pid)]);
  let size: number;
  do {
    size = found.size;
    for (const { pid, parent, isMarked } of all) if (isMarked || found.has(parent)) found.add(pid);
  } while (found.size > size);
  return all.filter(({ pid }) => found.has(pid));
}

/** Null for one that has ended, also while nobody has asked for its exit code. */
function readProcess(pid: number, run: string): LinuxProcess | null {
  try {
    const [, state, parent] = /\) (\S) (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    if (state === undefined || state === 'Z') return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    const isMarked = readEnvironment(pid).includes(`${variable}=${run}`);
    return { pid, parent: Number(parent), command, isMarked };
  } catch {
    return null;
  }
}

/** Only root may read that of another account's process. */
function readEnvironment(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
