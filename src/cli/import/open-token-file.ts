import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** Why a file is not read. `code`: what the system said. */
export type FileRefusal =
  | { readonly kind: 'missing' | 'not_a_file' | 'not_ours' | 'too_large' | 'not_text' }
  | { readonly kind: 'system'; readonly code: string };

type OpenedFile =
  | { readonly ok: true; readonly content: Buffer; readonly changedAtMs: number }
  | { readonly ok: false; readonly refusal: FileRefusal };

const maxBytes = 1024 * 1024;
/** Windows has no such flag. */
const nonBlocking =
  process.platform === 'win32' ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK;

/**
 * Reads a file that may have tokens in it: a text of this account, also where links lead. What another account owns is never read, not even
 * by the administrator: its tokens are not ours to take.
 */
export async function openTokenFile(path: string): Promise<OpenedFile> {
  try {
    // Before it is opened: opening a pipe would wait for whoever writes to it.
    const before = await stat(path);
    if (!before.isFile()) return refused('not_a_file');
    if (!isOurs(before.uid)) return refused('not_ours');
    const file = await open(path, nonBlocking);
    try {
      const { size, uid, mtimeMs } = await file.stat();
      if (!isOurs(uid)) return refused('not_ours');
      if (size > maxBytes) return refused('too_large');
      const content = await file.readFile();
      if (content.includes(0) || !isUtf8(content)) return refused('not_text');
      return { ok: true, content, changedAtMs: mtimeMs };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === 'ENOENT' || code === 'ENOTDIR') return refused('missing');
    return { ok: false, refusal: { kind: 'system', code } };
  }
}

function refused(kind: Exclude<FileRefusal['kind'], 'system'>): OpenedFile {
  return { ok: false, refusal: { kind } };
}

/** Windows has no numbers of accounts; there the system itself refuses what is not ours. */
function isOurs(uid: number): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}
