import { StoreUnavailable } from '../core/ledger.ts';

/** Why a store cannot be opened. Nothing on disk was changed. */
export type StoreErrorCode = 'JOURNAL_DAMAGED' | 'FORMAT_TOO_NEW' | 'FOLDER_UNUSABLE';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

/**
 * Damage that a torn write cannot explain: said with its place, never mended by guessing.
 *
 * `without` is a sentence on how to go on where there is no backup.
 */
export function damaged(file: string, line: number, what: string, without = ''): StoreError {
  return new StoreError(
    'JOURNAL_DAMAGED',
    `The journal is damaged: ${file}, line ${line}: ${what}. Nothing was changed. ` +
      `Put that file back from a backup of the data folder; a copy from any later day fits.${without}`,
  );
}

/** The system's code of an error, such as ENOSPC. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}

/** The data folder, or what is in it, is not ours to read and write. */
export function unusable(folder: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const path =
    cause instanceof Error && 'path' in cause && typeof cause.path === 'string' ? cause.path : folder;
  return new StoreError(
    'FOLDER_UNUSABLE',
    `The data folder ${folder} cannot be used: ${systemCodeOf(cause)} at ${path}. ` +
      'Make it and what is in it yours to read and write, or choose another with --data-dir.',
    { cause },
  );
}

/** What the disk's refusal means to a person, and what to do. */
export function unavailable(cause: unknown, folder: string): StoreUnavailable {
  if (cause instanceof StoreUnavailable) return cause;
  const code = systemCodeOf(cause);
  return new StoreUnavailable(code, whyRefusing(code, folder), { cause });
}

function whyRefusing(code: string, folder: string): string {
  const place = `The data folder (${folder})`;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `${place} is on a full disk. Free some space; the next change tries again.`;
  if (code === 'EFBIG')
    return `${place} is at its file size limit. Raise the limit; the next change tries again.`;
  if (code === 'EROFS')
    return `${place} has become read-only. Make it writable; the next change tries again.`;
  return `${place} could not be written to (${code}). The next change tries again.`;
}

/**
 * What this process opened at `path` is not there any more: what it saved now, nobody would find.
 *
 * Whoever writes into a data folder asks first (`KnownFile`, `FolderLock`), and makes no folder anew that has gone.
 */
export function folderMoved(path: string): StoreUnavailable {
  return new StoreUnavailable(
    'DATA_FOLDER_MOVED',
    `${path} was moved, deleted or replaced while Rotavox was running, so nothing can be saved. Move it back and Rotavox ` +
      'goes on by itself. If there is only a copy of it, quit Rotavox, put the copy there and start it again.',
  );
}

/** The folder is there, and the proof that it is ours alone is not. */
export function lockLost(path: string): StoreUnavailable {
  return new StoreUnavailable(
    'LOCK_LOST',
    `${path} was removed or replaced while Rotavox was running, so another Rotavox may use the data folder. ` +
      'Quit Rotavox and start it again.',
  );
}
