import { createReadStream } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { removeLeftovers } from '../../agent/vault/vault-file.ts';
import { replaceFile } from '../../store/durable-file.ts';
import { systemCodeOf } from '../../store/store-error.ts';
import { backupText } from '../../text/service/backup-text.ts';
import { HostError } from '../host-error.ts';
import { ageStart, BackupUnreadable, unpackBackup } from './backup-file.ts';

export interface BackupPlace {
  /** As the person named it. */
  readonly file: string;
  /** In which no backup may be; null where it is on another machine. */
  readonly dataDir: string | null;
}

/** Throws `HostError` for a place where a backup would not be safe, or would replace something else. */
export async function assertBackupPlace({ file, dataDir }: BackupPlace): Promise<void> {
  const path = resolve(file);
  try {
    const folder = await realpath(dirname(path));
    const data = dataDir === null ? null : await realpath(dataDir).catch(() => resolve(dataDir));
    if (data !== null && isIn(join(folder, basename(path)), data))
      throw refused(backupText.inDataFolder(file));
    const found = await stat(path).catch(nullIfMissing);
    if (found === null) return;
    if (found.isDirectory()) throw refused(backupText.isFolder(file));
    if (!found.isFile() || (found.size > 0 && !(await isBackup(path))))
      throw refused(backupText.notReplacedFile(file));
  } catch (cause) {
    throw asHostError(cause, file);
  }
}

/**
 * Writes a backup to a file and reads all of it back before it takes that name. A crash or a refusal leaves what was there.
 *
 * Resolves with its length in bytes. Throws `HostError`; what the bytes break off with is passed on.
 */
export async function saveBackup(
  { file }: BackupPlace,
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string,
): Promise<number> {
  let size = 0;
  const path = resolve(file);
  try {
    // Of one that was killed.
    await removeLeftovers(path);
    await replaceFile(path, async (handle) => {
      await handle.writeFile(bytes);
      ({ size } = await handle.stat());
      const written = bytesOf(handle, size);
      for await (const { content } of unpackBackup(written, passphrase)) await readAway(content);
    });
  } catch (cause) {
    if (cause instanceof BackupUnreadable)
      throw new HostError('BACKUP_REFUSED', backupText.notReadBack(file), { cause });
    throw asHostError(cause, file);
  }
  return size;
}

async function* bytesOf(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; position < size;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(65_536), 0, 65_536, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function readAway(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content) void chunk;
}

/** The bytes of a file. Throws `HostError` when it is used. */
export async function* readBackupFile(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(resolve(file)) as AsyncIterable<Buffer>;
  } catch (cause) {
    throw new HostError('BACKUP_REFUSED', backupText.notRead(file, systemCodeOf(cause)), { cause });
  }
}

function isIn(path: string, folder: string): boolean {
  const from = relative(folder, path);
  return from === '' || !(from === '..' || from.startsWith(`..${sep}`) || resolve(from) === from);
}

async function isBackup(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(ageStart.length), 0, ageStart.length, 0);
    return buffer.toString('latin1') === ageStart;
  } finally {
    await file.close();
  }
}

function nullIfMissing(error: unknown): null {
  if (systemCodeOf(error) === 'ENOENT') return null;
  throw error;
}

function refused(message: string): HostError {
  return new HostError('BACKUP_REFUSED', message);
}

function asHostError(cause: unknown, file: string): unknown {
  const code = systemCodeOf(cause);
  if (cause instanceof HostError || code === 'UNKNOWN') return cause;
  return new HostError('BACKUP_REFUSED', backupText.notWritten(file, code), { cause });
}
