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
