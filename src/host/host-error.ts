/** Why the host could not start, as a sentence for the person who started it. */
export type HostErrorCode =
  | 'PORT_TAKEN'
  | 'ADDRESS_UNUSABLE'
  | 'CERTIFICATE_UNUSABLE'
  | 'DATA_DIR_HELD'
  | 'DATA_DIR_UNUSABLE'
  | 'JOURNAL_DAMAGED'
  | 'FORMAT_TOO_NEW'
  | 'VAULT_UNUSABLE'
  | 'BACKUP_REFUSED'
  | 'DATABASE_UNUSABLE';

export class HostError extends Error {
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'HostError';
    this.code = code;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
