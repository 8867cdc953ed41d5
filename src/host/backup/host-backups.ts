import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Clock } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { Backups } from '../../service/service-context.ts';
import { privateFile, temporaryFor } from '../../store/durable-file.ts';
import { systemCodeOf } from '../../store/store-error.ts';
import { backupText } from '../../text/service/backup-text.ts';
import { type FolderLock, restoreRecordName } from '../folder-lock.ts';
import { HostError } from '../host-error.ts';
import { beginRestore, cancelRestore } from './finish-restore.ts';
import { stageName, stageRestore } from './stage-restore.ts';
import { type BackupSource, writeBackup } from './write-backup.ts';

type HostParts = Pick<BackupSource, 'dataDir' | 'opened' | 'vault' | 'machine' | 'logN'> & {
  readonly lock: FolderLock;
  readonly clock: Clock;
};

export function hostBackups({ lock, clock, ...source }: HostParts): Backups {
  const { dataDir } = source;
  const { version } = packageJson;
  // Two that are sent at once would be unpacked in one place.
  const alone = pLimit(1);
  return {
    write: (passphrase) => orRefusal(() => writeBackup({ ...source, version, nowMs: clock() }, passphrase)),
    stage: (bytes, passphrase) =>
      alone(() =>
        orRefusal(async () => {
          // One that was begun before is given up.
          await cancelRestore(dataDir);
          return withUpload(dataDir, bytes, (upload) =>
            stageRestore({ dataDir, lock, source: upload, passphrase, clock }),
          );
        }),
      ),
    begin: () =>
      alone(() =>
        orRefusal(async () => {
          if (!existsSync(join(dataDir, stageName)))
            throw new HostError('BACKUP_REFUSED', backupText.notStaged);
          return beginRestore(dataDir, clock());
        }),
      ),
  };
}

/**
 * Has the bytes in a file before they are decrypted, which takes longer than a caller may take to send them. A crash leaves a temporary
 * file, which the next start removes.
 */
async function withUpload<T>(
  dataDir: string,
  bytes: AsyncIterable<Uint8Array>,
  use: (upload: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const path = temporaryFor(join(dataDir, restoreRecordName));
  try {
    await pipeline(bytes, createWriteStream(path, { flags: 'wx', mode: privateFile }));
    return await use(createReadStream(path) as AsyncIterable<Buffer>);
  } catch (cause) {
    const code = systemCodeOf(cause);
    if (cause instanceof HostError || code === 'UNKNOWN') throw cause;
    throw new HostError('DATA_DIR_UNUSABLE', backupText.notUnpacked(dataDir, code), { cause });
  } finally {
    await rm(path, { force: true });
  }
}

async function orRefusal<T>(act: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return done(await act());
  } catch (error) {
    if (error instanceof HostError) return refused(error.message);
    throw error;
  }
}
