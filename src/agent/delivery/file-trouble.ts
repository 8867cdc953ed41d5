import { type DeliveryOutcome, undeliverable, undelivered } from './delivery-outcome.ts';

/**
 * `OWN_FILE`: the path leads to files of Rotavox itself. `NO_FILE`: there is, or can be, nothing that holds a value.
 * `FAILED`: it did not work now, and may later.
 */
export type FileTroubleCode = 'OWN_FILE' | 'NO_FILE' | 'FAILED';

/** A file could not get its content. The message names the file and what to do. */
export class FileTrouble extends Error {
  readonly code: FileTroubleCode;

  constructor(
    message: string,
    { code = 'FAILED', ...options }: { readonly code?: FileTroubleCode; readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'FileTrouble';
    this.code = code;
  }

  /** What it means for a delivery. Only what somebody does about the target helps where it leads to our own files. */
  get outcome(): DeliveryOutcome {
    return this.code === 'OWN_FILE' ? undeliverable(this.message) : undelivered(this.message);
  }
}

/** What the system's codes mean to the person who named the file. */
const sentences: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `The folder of ${path} does not exist. Create it, or change the path of the target.`,
  ENOTDIR: (path) => `${path} leads through something that is not a folder. Change the path of the target.`,
  EACCES: denied,
  EPERM: denied,
  EROFS: (path) =>
    `${path} is on a read-only file system. Make it writable, or change the path of the target.`,
  ENOSPC: (path) => `The disk of ${path} is full. Make room on it; the file still has its old content.`,
  EDQUOT: (path) => `The disk quota for ${path} is used up. Make room; the file still has its old content.`,
  ENAMETOOLONG: (path) => `The path ${path} is too long for this system. Change the path of the target.`,
  ELOOP: (path) => `${path} leads through links that go round in circles. Correct them, or change the path.`,
  EBUSY: (path) =>
    `${path} is in use, or mounted by itself, and cannot be replaced. Close what uses it, mount its folder instead, ` +
    'or deliver with a hook.',
};

function denied(path: string): string {
  return (
    `${path} cannot be replaced: Rotavox may not read it, or may not write in its folder. ` +
    'Give its user these permissions, or change the path of the target.'
  );
}

/** Turns a failure of the file system into a sentence; anything else is a bug and comes back as it is. */
export function asFileTrouble(error: unknown, path: string): unknown {
  const code = systemCodeOf(error);
  if (code === null) return error;
  const sentence =
    sentences[code] ??
    (() => `${path} could not be replaced (${code}). See to its disk, or change the path.`);
  return new FileTrouble(sentence(path), { cause: error });
}

/** `ENOENT` and the like, or null when it is not the system that failed. */
export function systemCodeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === undefined || syscall === undefined ? null : code;
}

/** What was found, or null where nothing is. */
export async function nullWhenMissing<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
