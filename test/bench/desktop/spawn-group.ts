import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

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

export function hasEnded({ exitCode, signalCode }: GroupLeader): boolean {
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
