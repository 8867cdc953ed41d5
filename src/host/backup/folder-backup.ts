import { existsSync, statSync } from 'node:fs';
import { MovableVault } from '../../agent/vault/movable-vault.ts';
import type { RestoreSummary } from '../../contract/service/backup.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { backupText } from '../../text/service/backup-text.ts';
import { lockFolder } from '../folder-lock.ts';
import { HostError } from '../host-error.ts';
import { readMachine } from '../machine-id.ts';
import { openFolder } from '../open-folder.ts';
import { type HostVault, openVaultChoice } from '../open-vault-choice.ts';
import { vaultEntriesOf } from '../vault-entries.ts';
import { beginRestore, cancelRestore, finishRestore, hasData } from './finish-restore.ts';
import { stageRestore } from './stage-restore.ts';
import { type BackupSource, writeBackup } from './write-backup.ts';

interface FolderWork {
  readonly dataDir: string;
  readonly passphrase: string;
  readonly say: (message: string) => void;
}

/** Backs up a data folder that no host uses, and holds its lock until `write` has taken the bytes. Throws `HostError`. */
export async function backUpFolder<T>(
  {
    dataDir,
    passphrase,
    choice,
    say,
    logN,
  }: FolderWork & Pick<BackupSource, 'logN'> & { readonly choice: HostVault | undefined },
  write: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  if (!existsSync(dataDir)) throw new HostError('DATA_DIR_UNUSABLE', backupText.noFolder(dataDir));
  assertOfUser(dataDir);
  const lock = lockFolder(dataDir);
  try {
    const opened = await openFolder(dataDir, { clock: Date.now, lock, say });
    try {
      const entries = vaultEntriesOf(opened.ledger.state);
      const vault = new MovableVault(await openVaultChoice(choice, { dataDir, entries, say }));
      const { name: machine } = await readMachine();
      const { version } = packageJson;
      const source = { dataDir, opened, vault, machine, version, nowMs: Date.now(), logN };
      return await write(await writeBackup(source, passphrase));
    } finally {
      await opened.close();
    }
  } finally {
    lock.release();
  }
}

export interface Restored extends RestoreSummary {
  /** Where the data from before are; null: there were none. */
  readonly aside: string | null;
}

/** Restores a backup into a data folder that no host uses. Throws `HostError`; then nothing was changed, or the next start goes on. */
export async function restoreFolder({
  dataDir,
  passphrase,
  source,
  replace,
  say,
}: FolderWork & {
  readonly source: AsyncIterable<Uint8Array>;
  readonly replace: boolean;
}): Promise<Restored> {
  const clock = Date.now;
  assertOfUser(dataDir);
  const lock = lockFolder(dataDir, { isRestoring: true });
  try {
    // One that was killed comes first.
    if (await finishRestore({ dataDir, lock, clock, say })) say(backupText.restored);
    const isNew = !hasData(dataDir);
    if (!isNew && !replace) throw new HostError('DATA_DIR_UNUSABLE', backupText.hasData(dataDir));
    const summary = await stageRestore({ dataDir, lock, source, passphrase, clock });
    const aside = beginRestore(dataDir, clock());
    try {
      await finishRestore({ dataDir, lock, clock, say });
    } catch (error) {
      if (error instanceof HostError && error.code === 'VAULT_UNUSABLE') await cancelRestore(dataDir);
      throw error;
    }
    return { ...summary, aside: isNew ? null : aside };
  } finally {
    lock.release();
  }
}

/** Root may write in the folder of another user, who then cannot read what is in it. */
function assertOfUser(dataDir: string): void {
  const uid = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (process.geteuid?.() !== 0 || uid === undefined || uid === 0) return;
  throw new HostError('DATA_DIR_UNUSABLE', backupText.ofOtherUser(dataDir, uid));
}
