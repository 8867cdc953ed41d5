import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

export type GroupLeader = ChildProcessWithoutNullStreams & { readonly pid: number };

/** Those that are still there. */
const leaders = new Set<GroupLeader>();

process.on('exit', () => {
  for (const leader of leaders) signalGroup(leader, 'SIGTERM');
});

/**
 * Starts a program as the leader of a process group, by which all that it starts can be counted and ended.
 *
 * Whatever is left of the group when the leader ends, or when this process does, is asked to end by the group's id: a
 * screen that is killed leaves its lock behind.
 */
export function spawnGroup(
  [file, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): GroupLeader {
  const child = spawn(file, args, { env, detached: true });
  const { pid } = child;
  child.on('error', () => undefined); // comes later; that it has no id says the same at once
  if (pid === undefined) throw new Error(`${file} could not be started. Is it installed?`);
  const leader = Object.assign(child, { pid });
  leaders.add(leader);
  leader.once('exit', () => {
    signalGroup(leader, 'SIGTERM');
    leaders.delete(leader);
  });
  return leader;
}

/** Asks the leader to end, and kills the group when it has not gone after `graceMs`. */
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
    // Gone already is what we wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
