import { type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  minPassphraseCharacters,
  type PassphraseFault,
  type VaultProblem,
} from '../../contract/credential/vault-problem.ts';
import { VaultUnavailable } from '../../core/vault.ts';

/** What is wrong with a passphrase for a file vault, or null. */
export function faultOfPassphrase(passphrase: string): PassphraseFault | null {
  if (passphrase === '') return 'empty';
  return Array.from(passphrase).length < minPassphraseCharacters ? 'too_short' : null;
}

/**
 * The first line of a file, without its line break, as the passphrase of a file vault.
 *
 * Rejects with `locked` when the file cannot be read, when others may read it too (POSIX), or when its passphrase is not
 * good enough. Pipes are accepted.
 */
export async function readPassphraseFile(path: string): Promise<string> {
  let passphrase: string;
  try {
    const file = await open(path, 'r');
    try {
      await refuseShared(file, path);
      passphrase = firstLine(await file.readFile(), path);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof VaultUnavailable) throw cause;
    const { code: systemCode = 'unknown' } = cause as NodeJS.ErrnoException;
    throw refused({ code: 'passphrase_file_unreadable', path, systemCode }, cause);
  }
  const fault = faultOfPassphrase(passphrase);
  if (fault === null) return passphrase;
  throw refused({ code: 'passphrase_unsuitable', path, fault });
}

async function refuseShared(file: FileHandle, path: string): Promise<void> {
  if (process.platform === 'win32') return; // its access lists are not visible in a mode
  if (isSystemdCredential(path)) return;
  const { mode } = await file.stat();
  if ((mode & 0o077) === 0) return;
  throw refused({ code: 'passphrase_file_shared', path });
}

/**
 * Whether systemd gave the file to this service only (`LoadCredential=`).
 *
 * Its folder is closed to everybody else. The mode of the file says otherwise, because an access list shows there as the
 * rights of the group.
 */
function isSystemdCredential(path: string): boolean {
  const folder = process.env['CREDENTIALS_DIRECTORY'];
  return folder !== undefined && folder !== '' && dirname(resolve(path)) === resolve(folder);
}

function firstLine(content: Buffer, path: string): string {
  const end = content.indexOf('\n');
  const line = end === -1 ? content : content.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r$/, '');
  } catch (cause) {
    throw refused({ code: 'passphrase_file_not_text', path }, cause);
  }
}

function refused(problem: VaultProblem, cause?: unknown): VaultUnavailable {
  return new VaultUnavailable(problem, { cause });
}
