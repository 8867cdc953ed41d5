import { type FileHandle, open } from 'node:fs/promises';
import { VaultUnavailable } from '../../core/vault.ts';

const minPassphraseCharacters = 8;

/** What is wrong with a passphrase for a file vault, as the end of a sentence, or null. */
export function faultOfPassphrase(passphrase: string): string | null {
  if (passphrase === '') return 'is empty';
  return Array.from(passphrase).length < minPassphraseCharacters
    ? `has fewer than ${minPassphraseCharacters} characters`
    : null;
}

/**
 * The first line of a file, without its line break, as the passphrase of a file vault.
 *
 * Rejects with `locked` when the file cannot be read, when others may read it too (POSIX), or when there is no good
 * passphrase in it. Pipes are fine.
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
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw refused(
      `The passphrase file ${path} cannot be read (${code}). Name a file that you may read.`,
      cause,
    );
  }
  const fault = faultOfPassphrase(passphrase);
  if (fault === null) return passphrase;
  throw refused(
    `The passphrase in the first line of ${path} ${fault}. Put one of at least ${minPassphraseCharacters} characters there.`,
  );
}

async function refuseShared(file: FileHandle, path: string): Promise<void> {
  if (process.platform === 'win32') return; // its access lists do not show in a mode
  const { mode } = await file.stat();
  if ((mode & 0o077) === 0) return;
  throw refused(`Others on this machine may use the passphrase file ${path}. Run: chmod 600 ${path}`);
}

function firstLine(content: Buffer, path: string): string {
  const end = content.indexOf('\n');
  const line = end === -1 ? content : content.subarray(0, end);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(line).replace(/\r$/, '');
  } catch (cause) {
    throw refused(`The first line of ${path} is not UTF-8. Write the passphrase there as plain text.`, cause);
  }
}

function refused(sentence: string, cause?: unknown): VaultUnavailable {
  return new VaultUnavailable('locked', sentence, { cause });
}
