import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import type { ConnectedTool } from '../../contract/credential/connected-tools.ts';
import { type ProcessStat, readProcessStat } from '../../contract/credential/process-stat.ts';
import type { AskingProcess } from '../../contract/credential/tool-connection.ts';
import { programName } from '../../contract/credential/use-header.ts';
import { threadName } from '../parent-program.ts';

const shells: ReadonlySet<string> = new Set(['sh', 'dash', 'bash', 'zsh', 'ksh', 'mksh', 'fish', 'busybox']);
/** Tools start a program by one or two shells. */
const mostShells = 8;

/**
 * The process that uses the token: the nearest of those that started this one that is no shell, such as git-remote-https. Undefined
 * where the system does not tell it cheaply, which only Linux does. `first`: the pid to begin with.
 */
export function askingProcess(tool: ConnectedTool, first = process.ppid): AskingProcess | undefined {
  if (process.platform !== 'linux') return undefined;
  let one = processAt(first);
  for (let shell = 0; one?.isShell === true && shell < mostShells; shell += 1) one = processAt(one.parent);
  if (one === null || one.isShell) return undefined;
  // `git credential` ends at once: it asks for the program that called it, such as git-lfs.
  const caller = one.name === 'git' ? processAt(one.parent) : null;
  const { pid, started, name } = caller === null || caller.isShell ? one : caller;
  return { pid, started, name: nameOf(name, tool) };
}

/** Null for one that has ended, is of another account, or is the first of the system. */
function processAt(pid: number): (ProcessStat & { readonly pid: number; readonly isShell: boolean }) | null {
  if (pid <= 1) return null;
  try {
    const stat = readProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    if (stat === null) return null;
    // By its file: a script is called by its own name.
    const program = basename(readlinkSync(`/proc/${pid}/exe`)).replace(/ \(deleted\)$/, '');
    return { ...stat, pid, isShell: shells.has(program) };
  } catch {
    return null;
  }
}

/** What a person calls it: a part of a tool, such as git-remote-https, and a script of Node by the name of the tool. */
function nameOf(name: string, tool: ConnectedTool): string {
  if (name.startsWith(tool) || name === threadName || name === 'node') return tool;
  return programName(name) ?? tool;
}
