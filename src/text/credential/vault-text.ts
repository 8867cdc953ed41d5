import {
  minPassphraseCharacters,
  type PassphraseFault,
  type VaultProblem,
} from '../../contract/credential/vault-problem.ts';
import type { VaultKind, VaultStatus } from '../../contract/credential/credential-view.ts';

/** Why the vault cannot be used, and what to do. */

const orFile = 'or choose the encrypted-file vault';
type SharedEntryDamaged = Extract<VaultProblem, { readonly code: 'shared_entry_damaged' }>;

const retries = 'Rotavox retries automatically.';

export function vaultProblemText(problem: VaultProblem): string {
  switch (problem.code) {
    case 'keychain_locked':
      return problem.platform === 'darwin'
        ? `The keychain is locked, or Rotavox may not use it. Unlock it in Keychain Access and allow Rotavox. ${retries}`
        : `The keychain is locked. Unlock it by signing in to the desktop or in its own program. ${retries}`;
    case 'keychain_not_answering':
      return `The keychain does not answer: most likely its unlock prompt is open. Unlock the keychain. ${retries}`;
    case 'keychain_restarted':
      return `The keychain was restarted while Rotavox ran. ${retries} If that does not help, restart Rotavox.`;
    case 'no_secret_service':
      return `No program offers a keychain (a Secret Service) in this session. Install and start one, such as gnome-keyring, KWallet or KeePassXC, ${orFile}.`;
    case 'no_default_keyring':
      return `The keychain has no default keyring to store entries in. Create one in its own program (in GNOME, “Passwords and Keys”), ${orFile}.`;
    case 'no_session_bus':
      return `There is no D-Bus session, so there is no keychain. Run Rotavox inside a desktop session, or under dbus-run-session with gnome-keyring, ${orFile}.`;
    case 'no_default_keychain':
      return `There is no keychain. Sign in to the desktop, or create a default keychain in Keychain Access, ${orFile}.`;
    case 'no_signed_in_user':
      return `Credential Manager cannot be used in this session, as in that of a service or over SSH. Run Rotavox in the session of a user who is signed in on the desktop, ${orFile}.`;
    case 'keychain_library_missing':
      return `The keychain cannot be used: a library for it is missing, or Rotavox has none for this processor. Install libsecret-1-0 and a Secret Service such as gnome-keyring and restart Rotavox, ${orFile}.`;
    case 'keychain_not_loaded':
      return `The keychain cannot be used: the part of Rotavox for it did not load. Install Rotavox again, ${orFile}.`;
    case 'keychain_failed':
      return `The keychain failed: ${problem.said}. Check whether other programs can use it. ${retries}`;
    case 'entry_not_kept':
      return `The entry “${problem.account}” was written but missing when read back. Check whether another program changes the entries of the service “${problem.service}”. ${retries}`;
    case 'token_too_long':
      return `The token is too long: Windows stores at most ${problem.limitBytes} bytes. Use the encrypted-file vault for it.`;
    case 'wrong_passphrase':
      return `The passphrase does not open ${problem.path}. Nothing was changed. Use the passphrase that the vault was created with, or the one that it was changed to since.`;
    case 'key_file_missing':
      return `${problem.keyFile} is missing, and ${problem.path} cannot be opened without it. ${restoreKeyFile(problem)}`;
    case 'key_file_wrong':
      return `${problem.keyFile} is not the key of ${problem.path}. ${restoreKeyFile(problem)}`;
    case 'key_file_damaged':
      return `${problem.keyFile} is damaged, and ${problem.path} cannot be opened without it. ${restoreKeyFile(problem)}`;
    case 'vault_file_missing':
      return `${problem.path} is missing. Restore it from a backup; or restart Rotavox to begin with an empty vault, and enter the token of every credential again.`;
    case 'vault_file_damaged':
      return `${problem.path} is damaged. Nothing was changed. Restore it from a backup; or move it away to begin with an empty vault, and enter the token of every credential again.`;
    case 'vault_file_too_new':
      return `${problem.path} was written by a newer Rotavox (format ${problem.format}; this one reads up to ${problem.newestFormat}). Nothing was changed. Install the newer Rotavox again.`;
    case 'vault_entry_damaged':
      return `${problem.path}: the entry ${problem.service} ${problem.account} is damaged. Nothing was changed. Restore it from a backup, or enter the token of this credential again.`;
    case 'shared_entry_damaged':
      return sharedEntryText(problem);
    case 'vault_file_unusable':
      return `${problem.path} cannot be used (${problem.systemCode}). Check that the disk has free space and that you own the file and its folder. ${retries}`;
    case 'vault_database_unusable':
      return `The tokens in ${problem.path} cannot be used (${problem.systemCode}). Check that PostgreSQL runs, and that this host can reach it. ${retries}`;
    case 'vault_not_leading':
      return `Another host of the team leads now, and stores tokens in ${problem.path}. Nothing was changed.`;
    case 'vault_key_missing':
      return `The tokens in ${problem.path} cannot be opened: how they were encrypted is missing there. Nothing was changed. Restore the database from a backup.`;
    case 'vault_key_damaged':
      return `The tokens in ${problem.path} cannot be opened: how they were encrypted is damaged there. Nothing was changed. Restore the database from a backup.`;
    case 'passphrase_file_unreadable':
      return `The passphrase file ${problem.path} cannot be read (${problem.systemCode}). Choose a file that you may read.`;
    case 'passphrase_file_shared':
      return `Other users of this machine may use the passphrase file ${problem.path}. Run: chmod 600 ${problem.path}`;
    case 'passphrase_file_not_text':
      return `The first line of ${problem.path} is not UTF-8. Write the passphrase there as plain text.`;
    case 'passphrase_unsuitable':
      return `The passphrase in the first line of ${problem.path} ${passphraseFaultText(problem.fault)}. Use one of at least ${minPassphraseCharacters} characters.`;
  }
}

function restoreKeyFile({ path, keyFile }: { readonly path: string; readonly keyFile: string }): string {
  return `Nothing was changed. Restore ${keyFile} from the backup that ${path} is from; or move ${path} and ${keyFile} away to begin with an empty vault, and enter the token of every credential again.`;
}

/** A damaged entry of a team that is no token. */
function sharedEntryText({ path, place, name }: SharedEntryDamaged): string {
  const restore = 'is damaged. Nothing was changed. Restore the database from a backup';
  const orDelete = `${restore}, or delete its row of the table rotavox.entry: then`;
  switch (place) {
    case 'replay_key':
      return `${path}: the key for repeated replies of the hour ${name} ${orDelete} replies of that hour cannot be repeated.`;
    case 'browser':
      return `${path}: the list of signed-in browsers ${orDelete} everybody has to sign in again.`;
    default:
      return `${path}: the entry “${name}” ${restore}.`;
  }
}

/** What is wrong with a passphrase, as the end of a sentence. */
export function passphraseFaultText(fault: PassphraseFault): string {
  return fault === 'empty' ? 'is empty' : `has fewer than ${minPassphraseCharacters} characters`;
}

type Described = Pick<VaultStatus, 'kind'> & { readonly key?: VaultStatus['key'] | undefined };

/** What a vault is, to stand after “Tokens are stored in”. */
export function vaultDescription({ kind, key }: Described): string {
  if (kind !== 'file') return descriptions[kind];
  return key === 'file'
    ? 'an encrypted file, with its key in a file beside it'
    : 'an encrypted file, which a passphrase opens';
}

const descriptions: Record<Exclude<VaultStatus['kind'], 'file'>, string> = {
  keychain: 'the OS keychain',
  postgres: 'PostgreSQL, encrypted with a passphrase that only the hosts have',
  memory: 'memory only: gone when the program ends',
};

/** What a key file protects from, as the end of a sentence. */
export const keyFileProtects = "anyone who can read your account's files can use them";

/** Where tokens are and what protects them there, in words that promise no more than that. */
export function whereTokensAre(vault: VaultKind): string {
  const where = `Tokens are stored in ${vaultDescription(vault)}`;
  if (vault.kind === 'keychain')
    return `${where}. While it is unlocked, programs of your account may be able to use them.`;
  if (vault.kind !== 'file') return `${where}.`;
  return vault.key === 'file'
    ? `${where}: ${keyFileProtects}. For more, set a passphrase or move them to the keychain.`
    : `${where}: a copy of it is as safe as the passphrase is good.`;
}
