import type { JournalDamage, StoreProblem } from '../contract/service/store-problem.ts';
import { StoreUnavailable } from '../core/ledger.ts';

/** Why a store cannot be opened. Nothing on disk was changed. The message is for the log. */
export class StoreError extends Error {
  readonly problem: StoreProblem;

  constructor(problem: StoreProblem, options?: { cause: unknown }) {
    super(JSON.stringify(problem), options);
    this.name = 'StoreError';
    this.problem = problem;
  }

  get code(): StoreProblem['code'] {
    return this.problem.code;
  }
}

/** Damage that a torn write cannot explain: reported with its place, never repaired by guessing. */
export function damaged(file: string, line: number, damage: JournalDamage): StoreError {
  return new StoreError({ code: 'JOURNAL_DAMAGED', file, line, damage });
}

/** The system's code of an error, such as ENOSPC. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

/** The data folder, or a file in it, is not ours to read and write. */
export function unusable(folder: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const path =
    cause instanceof Error && 'path' in cause && typeof cause.path === 'string' ? cause.path : folder;
  return new StoreError(
    { code: 'FOLDER_UNUSABLE', folder, fault: { kind: 'refused', system_code: systemCodeOf(cause), path } },
    { cause },
  );
}

/** A refusal of the disk. */
export function unavailable(cause: unknown, folder: string): StoreUnavailable {
  if (cause instanceof StoreUnavailable) return cause;
  return new StoreUnavailable({ code: systemCodeOf(cause), path: folder }, { cause });
}

/**
 * The file or folder that this process opened at `path` was moved or deleted, so saved data would be lost.
 *
 * Checked before each write to a data folder (`KnownFile`, `FolderLock`); a deleted folder is never created again.
 */
export function folderMoved(path: string): StoreUnavailable {
  return new StoreUnavailable({ code: 'DATA_FOLDER_MOVED', path });
}

/** The folder exists, but not the proof that only we use it. */
export function lockLost(path: string): StoreUnavailable {
  return new StoreUnavailable({ code: 'LOCK_LOST', path });
}
