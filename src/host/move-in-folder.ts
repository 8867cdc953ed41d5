import { existsSync } from 'node:fs';
import type { VaultKind } from '../contract/credential/credential-view.ts';
import { moveProblem } from '../text/cli/cli-vault.ts';
import { lockFolder } from './folder-lock.ts';
import { assertUsedHere } from './open-folder-origin.ts';
import { HostError } from './host-error.ts';
import { moveVault } from './move-vault.ts';
import { openFolder } from './open-folder.ts';
import { type HostVault, openVaultChoice } from './open-vault-choice.ts';
import { allEntriesOf, keychainTargetsOf, vaultEntriesOf } from './vault-entries.ts';

export interface FolderMove {
  readonly dataDir: string;
  readonly to: 'keychain' | 'file';
  /** What opens its vault now. Default: as for a host. */
  readonly choice: HostVault | undefined;
  readonly say: (message: string) => void;
}

/** Moves the tokens of a data folder that no host uses, and holds its lock meanwhile. Throws `HostError`. */
export async function moveInFolder({
  dataDir,
  to,
  choice,
  say,
}: FolderMove): Promise<{ moved: number; vault: VaultKind }> {
  if (!existsSync(dataDir)) throw new HostError('DATA_DIR_UNUSABLE', moveProblem.noFolder(dataDir));
  const lock = lockFolder(dataDir);
  try {
    await assertUsedHere(dataDir, { lock, say });
    const opened = await openFolder(dataDir, { clock: Date.now, lock, say });
    try {
      const { state } = opened.ledger;
      const from = await openVaultChoice(choice, { dataDir, entries: vaultEntriesOf(state), say });
      const entries = allEntriesOf(state);
      const keychainTargets = keychainTargetsOf(state);
      const { moved, vault } = await moveVault({ dataDir, to, from, entries, keychainTargets, say });
      const { kind, openedBy: key } = vault;
      return { moved, vault: { kind, ...(key === undefined ? {} : { key }) } };
    } finally {
      await opened.close();
    }
  } finally {
    lock.release();
  }
}
