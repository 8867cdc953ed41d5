import { readdirSync, readFileSync } from 'node:fs';

/** What the processes of a group have used, as far as the system reports it at one moment. */
export interface GroupUsage {
  readonly processes: number;
  /** Proportional set size: shared memory counts for each process by its share. */
  readonly pssBytes: number;
  readonly threads: ReadonlyMap<number, ThreadUsage>;
}

interface ThreadUsage {
  readonly cpuNs: number;
  /** How often it slept and was woken. */
  readonly wakeUps: number;
}

export interface Spent {
  readonly cpuMs: number;
  readonly wakeUps: number;
}

/** Reads it for the group with this id; a process that ends meanwhile is left out. */
export function usageOfGroup(group: number): GroupUsage {
  const threads = new Map<number, ThreadUsage>();
  let pssBytes = 0;
  let processes = 0;
  for (const pid of pidsOfGroup(group)) {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      pssBytes += Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? NaN) * 1024;
      for (const [thread, usage] of threadsOf(pid)) threads.set(thread, usage);
      processes += 1;
    } catch (error) {
      if (!hasGone(error)) throw error;
    }
  }
  return { processes, pssBytes, threads };
}

/**
 * The difference between two readings.
 *
 * Counted thread by thread, because a process includes the figures of its ended threads: what a thread used after the
 * first reading, if it ended before the second, is missed.
 */
export function spentBetween(before: GroupUsage, after: GroupUsage): Spent {
  let cpuNs = 0;
  let wakeUps = 0;
  for (const [thread, now] of after.threads) {
    const then = before.threads.get(thread);
    cpuNs += now.cpuNs - (then?.cpuNs ?? 0);
    wakeUps += now.wakeUps - (then?.wakeUps ?? 0);
  }
  return { cpuMs: cpuNs / 1e6, wakeUps };
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

function threadsOf(pid: number): [number, ThreadUsage][] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const folder = `/proc/${pid}/task/${thread}`;
    try {
      const cpuNs = Number(readFileSync(`${folder}/schedstat`, 'utf8').split(' ')[0]);
      const status = readFileSync(`${folder}/status`, 'utf8');
      const wakeUps = Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1] ?? NaN);
      return [[Number(thread), { cpuNs, wakeUps }]];
    } catch (error) {
      if (!hasGone(error)) throw error;
      return [];
    }
  });
}

function hasGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ESRCH';
}
