/*
 * What Linux says of a process, apart from the schemas: `rotavox helper` loads none.
 */

export interface ProcessStat {
  /** The name of its program, of 15 characters at most. */
  readonly name: string;
  /** It has ended, and whoever started it has not taken note of that. */
  readonly hasEnded: boolean;
  /** The pid of the process that started it. */
  readonly parent: number;
  /** When it was started, in ticks since the start of the machine: a pid is given to another process again, and this tells them apart. */
  readonly started: number;
}

/** Reads `/proc/PID/stat` (proc_pid_stat(5)); null for anything else. A name may have blanks and brackets. */
export function readProcessStat(text: string): ProcessStat | null {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const [state, parent, started] = [fields[0] ?? '', Number(fields[1]), Number(fields[19])];
  if (end === -1 || !Number.isSafeInteger(parent) || !Number.isSafeInteger(started)) return null;
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    hasEnded: state === 'Z' || state === 'X',
    parent,
    started,
  };
}
