import { readFileSync, readlinkSync } from 'node:fs';
import { programName } from '../contract/credential/use-header.ts';

/** What threads of Node call themselves, whatever script runs. */
export const threadName = 'MainThread';
/** The kernel keeps this many characters of a name. */
const keptCharacters = 15;

/**
 * The name of the program that called us, such as `backup.sh`; null where the system does not tell it cheaply.
 *
 * Never its arguments, which may contain secrets. Linux only: elsewhere another program would have to be started.
 */
export function parentProgram(): string | null {
  if (process.platform !== 'linux') return null;
  try {
    const folder = `/proc/${process.ppid}`;
    // proc_pid_comm(5): of a script that was called by its path, the script's name and not that of its interpreter.
    const name = readFileSync(`${folder}/comm`, 'utf8').trim();
    if (name !== threadName && name.length < keptCharacters) return programName(name);
    const file = programName(readlinkSync(`${folder}/exe`));
    return name === threadName || file?.startsWith(name) === true ? file : programName(name);
  } catch {
    return null; // it has ended, or belongs to another user
  }
}
