import { readFileSync } from 'node:fs';

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
