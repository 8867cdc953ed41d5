/** Why the vault cannot be used. `text/credential/vault-text.ts` makes the sentences; none of the parameters is a secret. */
export type VaultProblem =
  /** The operating system's keychain. `darwin` is also used for access that was denied. */
  | { readonly code: 'keychain_locked'; readonly platform: 'linux' | 'darwin' }
  /** A call does not come back, most likely because an unlock prompt is open. */
  | { readonly code: 'keychain_not_answering' }
  /** Restarted while this program ran. */
  | { readonly code: 'keychain_restarted' }
  | { readonly code: 'no_secret_service' }
  | { readonly code: 'no_default_keyring' }
  | { readonly code: 'no_session_bus' }
  | { readonly code: 'no_default_keychain' }
  | { readonly code: 'no_signed_in_user' }
  /** The native part of keytar could not be loaded. */
  | { readonly code: 'keychain_library_missing' }
  | { readonly code: 'keychain_not_loaded' }
  /** `said`: the keychain's own words. */
  | { readonly code: 'keychain_failed'; readonly said: string }
  /** An entry was written and is missing, or different, when it is read back. */
  | { readonly code: 'entry_not_kept'; readonly service: string; readonly account: string }
  | { readonly code: 'token_too_long'; readonly limitBytes: number }
  /** The encrypted file. */
  | { readonly code: 'wrong_passphrase'; readonly path: string }
  /** The file that holds its key, of a file vault that nobody chose a passphrase for. `path`: the vault. */
  | { readonly code: 'key_file_missing'; readonly path: string; readonly keyFile: string }
  | { readonly code: 'key_file_wrong'; readonly path: string; readonly keyFile: string }
  | { readonly code: 'key_file_damaged'; readonly path: string; readonly keyFile: string }
  | { readonly code: 'vault_file_missing'; readonly path: string }
  | { readonly code: 'vault_file_damaged'; readonly path: string }
  | {
      readonly code: 'vault_file_too_new';
      readonly path: string;
      readonly format: number;
      readonly newestFormat: number;
    }
  | {
      readonly code: 'vault_entry_damaged';
      readonly path: string;
      readonly service: string;
      readonly account: string;
    }
  /** Of what the hosts of a team share apart from tokens. `place` is the one that the entry has in the database. */
  | {
      readonly code: 'shared_entry_damaged';
      readonly path: string;
      readonly place: string;
      readonly name: string;
    }
  /** `systemCode`: such as ENOSPC. */
  | { readonly code: 'vault_file_unusable'; readonly path: string; readonly systemCode: string }
  /** The vault in PostgreSQL. `systemCode`: the system's, such as ECONNREFUSED, or that of the database. */
  | { readonly code: 'vault_database_unusable'; readonly path: string; readonly systemCode: string }
  | { readonly code: 'vault_not_leading'; readonly path: string }
  /** What says how the key of the vault in PostgreSQL is derived. */
  | { readonly code: 'vault_key_missing'; readonly path: string }
  | { readonly code: 'vault_key_damaged'; readonly path: string }
  /** The file that holds the passphrase. */
  | { readonly code: 'passphrase_file_unreadable'; readonly path: string; readonly systemCode: string }
  | { readonly code: 'passphrase_file_shared'; readonly path: string }
  | { readonly code: 'passphrase_file_not_text'; readonly path: string }
  | { readonly code: 'passphrase_unsuitable'; readonly path: string; readonly fault: PassphraseFault };

/** What is wrong with a passphrase for the encrypted file. */
export type PassphraseFault = 'empty' | 'too_short';

/** The fewest characters of a passphrase. */
export const minPassphraseCharacters = 8;

/** `locked`: a person has to unlock it. `absent`: this machine has none. `failed`: it exists but does not work. */
export type VaultTrouble = 'locked' | 'absent' | 'failed';

const troubles: Record<VaultProblem['code'], VaultTrouble> = {
  keychain_locked: 'locked',
  keychain_not_answering: 'locked',
  keychain_restarted: 'failed',
  no_secret_service: 'absent',
  no_default_keyring: 'absent',
  no_session_bus: 'absent',
  no_default_keychain: 'absent',
  no_signed_in_user: 'absent',
  keychain_library_missing: 'absent',
  keychain_not_loaded: 'failed',
  keychain_failed: 'failed',
  entry_not_kept: 'failed',
  token_too_long: 'failed',
  wrong_passphrase: 'locked',
  key_file_missing: 'failed',
  key_file_wrong: 'failed',
  key_file_damaged: 'failed',
  vault_file_missing: 'failed',
  vault_file_damaged: 'failed',
  vault_file_too_new: 'failed',
  vault_entry_damaged: 'failed',
  shared_entry_damaged: 'failed',
  vault_file_unusable: 'failed',
  vault_database_unusable: 'failed',
  vault_not_leading: 'failed',
  vault_key_missing: 'failed',
  vault_key_damaged: 'failed',
  passphrase_file_unreadable: 'locked',
  passphrase_file_shared: 'locked',
  passphrase_file_not_text: 'locked',
  passphrase_unsuitable: 'locked',
};

export function vaultTroubleOf({ code }: VaultProblem): VaultTrouble {
  return troubles[code];
}
