import { randomBytes } from 'node:crypto';
import { chmod, link, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { VaultUnavailable } from '../../core/vault.ts';
import { syncFolder } from '../sync-folder.ts';
import { attempt } from './file-vault.ts';
import { removeLeftovers, vaultFileName, writeTemporary } from './vault-file.ts';
import { replacePath } from '../../system/replace-path.ts';

/** The file beside a vault that nobody chose a passphrase for. Who can read both files has the tokens. */
export const keyFileName = 'vault.key';

const keyBytes = 32;

export interface KeyFile {
  readonly path: string;
  /** The key, which takes the place of a passphrase. Never in a log. */
  readonly key: string;
  /** Other users of this machine might have read it until now. */
  readonly wasOpen: boolean;
}

/**
 * The key of the vault in a folder, which is made, at random, only where there is neither a key nor a vault.
 *
 * Rejects with `failed`, and changes nothing, for a vault without its key: another key would not open it.
 */
export async function openKeyFile(folder: string): Promise<KeyFile> {
  const path = join(folder, keyFileName);
  await attempt(path, () => removeLeftovers(path));
  const found = await readKeyFile(folder);
  if (found !== null) return found;
  const vault = join(folder, vaultFileName);
  if (await exists(vault))
    throw new VaultUnavailable({ code: 'key_file_missing', path: vault, keyFile: path });
  await attempt(path, () => makeFile(path, `${randomBytes(keyBytes).toString('base64url')}\n`));
  const made = await readKeyFile(folder);
  if (made !== null) return made;
  throw new VaultUnavailable({ code: 'vault_file_unusable', path, systemCode: 'ENOENT' });
}

/**
 * The key in a folder, or null where there is none. Its mode is repaired: some tools that restore or mount a folder open every file
 * in it to a group.
 */
async function readKeyFile(folder: string): Promise<KeyFile | null> {
  const path = join(folder, keyFileName);
  if (!(await exists(path))) return null;
  const wasOpen = await attempt(path, () => closeToOthers(path));
  const key = (await attempt(path, () => readFile(path, 'utf8'))).trim();
  if (Buffer.from(key, 'base64url').length === keyBytes && /^[\w-]+$/.test(key))
    return { path, key, wasOpen };
  throw new VaultUnavailable({
    code: 'key_file_damaged',
    path: join(folder, vaultFileName),
    keyFile: path,
  });
}

async function closeToOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false; // its access lists are not visible in a mode
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return false;
  // A disk without modes, or another owner: the folder above is closed to others.
  await chmod(path, 0o600).catch(() => undefined);
  return true;
}

async function exists(path: string): Promise<boolean> {
  return attempt(path, async () => {
    try {
      await stat(path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  });
}

/** Makes a file that appears whole, and only where there is none: of two that are made at once, one stays. */
async function makeFile(path: string, content: string): Promise<void> {
  const temporary = await writeTemporary(path, content);
  try {
    await link(temporary, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) throw error;
    await replacePath(temporary, path); // a disk without links; the lock of the folder keeps others away
  } finally {
    await rm(temporary, { force: true });
  }
  await syncFolder(dirname(path));
}

/** Removes the key once nothing is sealed with it any more. */
export async function removeKeyFile(folder: string): Promise<void> {
  const path = join(folder, keyFileName);
  await attempt(path, async () => {
    await rm(path, { force: true });
    await syncFolder(folder);
  });
}
