import { existsSync } from 'node:fs';
import type { MovedFrom } from '../contract/service/moved-from.ts';
import { confirmMoveText } from '../text/service/moved-data.ts';
import { lockFolder } from './folder-lock.ts';
import { openFolderOrigin } from './open-folder-origin.ts';
import { HostError } from './host-error.ts';
import { type Machine, readMachine } from './machine-id.ts';

export interface FolderConfirmation {
  readonly dataDir: string;
  /** Called with what waits; throws where the person does not agree. */
  readonly agree: (from: MovedFrom) => Promise<void>;
  readonly say: (message: string) => void;
  /** Default: as the system says. */
  readonly machine?: Machine;
}

/**
 * Confirms that the data of a folder that no host uses are used here, and holds its lock until that is done. It returns what was confirmed, null
 * where nothing waited. Throws `HostError`.
 */
export async function confirmInFolder({
  dataDir,
  agree,
  say,
  machine,
}: FolderConfirmation): Promise<MovedFrom | null> {
  if (!existsSync(dataDir)) throw new HostError('DATA_DIR_UNUSABLE', confirmMoveText.noFolder(dataDir));
  const lock = lockFolder(dataDir);
  try {
    const origin = openFolderOrigin(dataDir, { machine: machine ?? (await readMachine()), lock, say });
    const from = origin.movedFrom();
    if (from === null) return null;
    await agree(from);
    const confirmed = origin.confirm();
    if (!confirmed.ok) throw new HostError('DATA_DIR_UNUSABLE', confirmed.refusal);
    return confirmed.value;
  } finally {
    lock.release();
  }
}
