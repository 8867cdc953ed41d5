import type { ChildProcess } from 'node:child_process';

/** Whether a child can get a process group of its own; elsewhere (Windows) a signal reaches the child only. */
export const hasProcessGroups = process.platform !== 'win32';

/** Sends a signal to a child that leads its group and to everything it started; nobody left is fine. */
export function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (hasProcessGroups) reachGroup(child, signal);
  else child.kill(signal);
}

/** Whether anything of a child's group still runs, also after the child itself has ended. */
export function isGroupAlive(child: ChildProcess): boolean {
  return hasProcessGroups && reachGroup(child, 0);
}

function reachGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    // ESRCH: nobody is left. EPERM: only what is dead already (macOS), or runs as somebody else, out of our reach.
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}
