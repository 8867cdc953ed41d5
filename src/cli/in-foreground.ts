import { readFileSync } from 'node:fs';
import { isatty } from 'node:tty';

/**
 * Whether our process group is the one in the foreground of its terminal, the one that its keys reach.
 *
 * Linux says so exactly. Elsewhere having a terminal at any of the three standard streams has to do.
 */
export function isInForeground(): boolean {
  if (process.platform !== 'linux') return [0, 1, 2].some((fd) => isatty(fd));
  // proc_pid_stat(5): pid (name) state ppid pgrp session tty_nr tpgid …; the name may hold anything, also brackets.
  const [, , group, , , foreground] = afterName(readFileSync('/proc/self/stat', 'utf8'));
  return group === foreground;
}

function afterName(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
