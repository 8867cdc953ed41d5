import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pLimit from 'p-limit';
import packageJson from '../../../package.json' with { type: 'json' };
import type { Clock } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { Backups } from '../../service/service-context.ts';
import { backupText } from '../../text/backup.ts';
import type { FolderLock } from '../folder-lock.ts';
import { HostError } from '../host-error.ts';
import { beginRestore } from './finish-restore.ts';
import { stageName, stageRestore } from './stage-restore.ts';
import { type BackupSource, writeBackup } from './write-backup.ts';

type HostParts = Pick<BackupSource, 'dataDir' | 'opened' | 'vault' | 'machine'> & {
  readonly lock: FolderLock;
  readonly clock: Clock;
};

/** Backups of the data of a running host. */
export function hostBackups({ lock, clock, ...source }: HostParts): Backups {
  const { dataDir } = source;
  const { version } = packageJson;
  // Two that are sent at once would be unpacked in one place.
  const alone = pLimit(1);
  return {
    write: (passphrase) => orRefusal(() => writeBackup({ ...source, version, nowMs: clock() }, passphrase)),
    stage: (bytes, passphrase) =>
      alone(() => orRefusal(() => stageRestore({ dataDir, lock, source: bytes, passphrase, clock }))),
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

async function orRefusal<T>(act: () => Promise<T>): Promise<Result<T, string>> {
  try {
    return done(await act());
  } catch (error) {
    if (error instanceof HostError) return refused(error.message);
    throw error;
  }
}
