import { execFileSync } from 'node:child_process';
import { windowsProgram } from './start-program.ts';

const limitMs = 10_000;

/** Runs a program of Windows and answers what it prints. Throws as `execFileSync` where it cannot be run or ends with another code than 0. */
export type RunProgram = (program: string, args: readonly string[]) => string;

export const runProgramOfWindows: RunProgram = (program, args) =>
  execFileSync(program, args, {
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
    timeout: limitMs, // the start of the service waits for it
  });

/**
 * The number of the account of this process, such as S-1-5-21-…-1013; null where it is not found in what is printed. Throws as `run`.
 *
 * A number, because names are translated.
 */
export function accountSid(run: RunProgram): string | null {
  // One line: "domain\name","S-1-5-21-…".
  const printed = run(windowsProgram('whoami.exe'), ['/user', '/fo', 'csv', '/nh']);
  return /\bS-1(?:-\d+)+\b/.exec(printed.slice(printed.lastIndexOf(',')))?.[0] ?? null;
}

/** The group NETWORK, in which everybody is who signed in over the network, as with a key over SSH. */
const networkGroup = 'S-1-5-2';

/**
 * Whether this session came over the network; false where that cannot be found out.
 *
 * Such a session has no credentials: https://learn.microsoft.com/windows/win32/api/wincred/nf-wincred-credwritew
 */
export function isNetworkLogon(run: RunProgram = runProgramOfWindows): boolean {
  try {
    const printed = run(windowsProgram('whoami.exe'), ['/groups', '/fo', 'csv', '/nh']);
    return printed.includes(`"${networkGroup}"`);
  } catch {
    return false;
  }
}
