import { StoreUnavailable } from '../core/ledger.ts';
import { systemCodeOf } from './store-error.ts';

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
