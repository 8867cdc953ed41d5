/** Why a backup cannot be read: another kind of file, another passphrase, changed or cut, or from a newer program. */
export type BackupFault = 'no_backup' | 'wrong_passphrase' | 'damaged' | 'too_new';

/** Nothing of the backup was used. */
export class BackupUnreadable extends Error {
  readonly fault: BackupFault;

  constructor(fault: BackupFault, options?: { cause: unknown }) {
    super(fault, options);
    this.name = 'BackupUnreadable';
    this.fault = fault;
  }
}
