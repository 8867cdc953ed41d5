import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { windowsProgram } from './start-program.ts';
import { accountSid, type RunProgram, runProgramOfWindows } from './windows-account.ts';

/** What became of the access rights of a folder. */
export type FolderClosing =
  /** Not on Windows, where the mode of a folder says who may read it; or it is in the personal folders of the account, which are closed. */
  | { readonly kind: 'not_needed' }
  | { readonly kind: 'closed' }
  /** `reason`: the exit code of the program, or why it could not be run. `sid`: of this account; null if it could not be found out. */
  | {
      readonly kind: 'failed';
      readonly folder: string;
      readonly program: 'whoami' | 'icacls';
      readonly reason: string;
      readonly sid: string | null;
    };

/** Tests play Windows with it. */
export interface AccessSystem {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly run: RunProgram;
}

const thisSystem: AccessSystem = {
  platform: process.platform,
  env: process.env,
  run: runProgramOfWindows,
};

/**
 * Takes a folder on Windows from everybody but the account of this process: what they may because of the folder above, and what somebody
 * gave them for the folder itself. Rights that were given for a file in it stay.
 *
 * Elsewhere than in the personal folders the rights are those of the drive, which everybody may read. By the number of the account, because
 * names are translated, and one of a domain may not be found (Azure/iotedge#695, ChrisTitusTech/winutil#5045, saltstack/salt#35012).
 * `/inheritance:r` removes inherited rights only, and `/grant:r` replaces those of the named account only, so the others are read and
 * removed one by one. `/reset` would remove all, but the right to change rights may be among them, and the folder would inherit.
 * https://learn.microsoft.com/windows-server/administration/windows-commands/icacls
 */
export function closeFolder(folder: string, system = thisSystem): FolderClosing {
  if (system.platform !== 'win32' || isPersonal(folder, system.env)) return { kind: 'not_needed' };
  let sid: string | null = null;
  try {
    sid = accountSid(system.run);
    if (sid === null) return { kind: 'failed', folder, program: 'whoami', reason: 'no SID', sid };
    const icacls = windowsProgram('icacls.exe');
    system.run(icacls, [folder, '/inheritance:r', '/grant:r', `*${sid}:(OI)(CI)F`]);
    const others = othersIn(savedRights(folder, system.run), sid);
    if (others.length > 0) system.run(icacls, [folder, '/remove', ...others.map((one) => `*${one}`)]);
    return { kind: 'closed' };
  } catch (error) {
    return {
      kind: 'failed',
      folder,
      program: sid === null ? 'whoami' : 'icacls',
      reason: reasonOf(error),
      sid,
    };
  }
}

/** The access rights of a folder, in the language in which icacls saves them. Throws where it does not. */
function savedRights(folder: string, run: RunProgram): string {
  const scratch = mkdtempSync(join(tmpdir(), 'rotavox-rights-'));
  try {
    const file = join(scratch, 'rights');
    run(windowsProgram('icacls.exe'), [folder, '/save', file]);
    return readFileSync(file, 'utf16le');
  } finally {
    try {
      rmSync(scratch, { recursive: true, force: true });
    } catch {
      // A scanner has it open; it has no secret in it.
    }
  }
}

/**
 * Accounts that are saved in short, of those that are the same on every computer.
 * https://learn.microsoft.com/windows/win32/secauthz/sid-strings
 */
const shortNames: Readonly<Record<string, string>> = {
  WD: 'S-1-1-0',
  CO: 'S-1-3-0',
  CG: 'S-1-3-1',
  OW: 'S-1-3-4',
  NU: 'S-1-5-2',
  IU: 'S-1-5-4',
  SU: 'S-1-5-6',
  AN: 'S-1-5-7',
  AU: 'S-1-5-11',
  SY: 'S-1-5-18',
  LS: 'S-1-5-19',
  NS: 'S-1-5-20',
  BA: 'S-1-5-32-544',
  BU: 'S-1-5-32-545',
  BG: 'S-1-5-32-546',
  PU: 'S-1-5-32-547',
  BO: 'S-1-5-32-551',
  AC: 'S-1-15-2-1',
};
/** The system and administrators, who can take every right. */
const mightiest: readonly string[] = ['S-1-5-18', 'S-1-5-32-544'];

/**
 * The numbers of the other accounts that were given rights for the folder itself, such as that of `(A;OICI;FR;;;BU)`. Throws for a short
 * name that means another account on each computer.
 * https://learn.microsoft.com/windows/win32/secauthz/ace-strings
 */
function othersIn(rights: string, sid: string): string[] {
  const entries = rights.matchAll(/\([A-Z]+;([A-Z]*);[^;()]*;[^;()]*;[^;()]*;([\w-]+)[;)]/g);
  const given = Array.from(entries, ([, flags = '', who = '']) => (flags.endsWith('ID') ? null : who));
  // Short for the account of the first administrator.
  const numbers = given.flatMap((who) =>
    who === null || (who === 'LA' && sid.endsWith('-500')) ? [] : [numberOf(who)],
  );
  return [...new Set(numbers)].filter((one) => one !== sid && !mightiest.includes(one));
}

function numberOf(who: string): string {
  const number = who.startsWith('S-1-') ? who : shortNames[who];
  if (number === undefined) throw Object.assign(new Error(`Rights of ${who}`), { code: `rights of ${who}` });
  return number;
}

/** Windows closes the folders of an account to others, and what is made in them inherits that. */
function isPersonal(folder: string, env: NodeJS.ProcessEnv): boolean {
  return ['USERPROFILE', 'APPDATA', 'LOCALAPPDATA'].some((name) => {
    const around = env[name];
    if (around === undefined || around === '') return false;
    const path = win32.relative(around, folder); // without regard to case
    return path === '' || !(path.startsWith('..') || win32.isAbsolute(path));
  });
}

function reasonOf(error: unknown): string {
  const { status, code } = error as { readonly status?: number | null; readonly code?: string };
  return typeof status === 'number' ? `exit code ${status}` : (code ?? 'unknown');
}
