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

/** Damage that a torn write cannot explain: said with its place, never mended by guessing. */
export function damaged(file: string, line: number, what: string): StoreError {
  return new StoreError(
    'JOURNAL_DAMAGED',
    `The journal is damaged: ${file}, line ${line}: ${what}. Nothing was changed. ` +
      `Put that file back from a backup of the data folder; a copy from any later day fits.`,
  );
}

/** The system's code of an error, such as ENOSPC. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
}
