import type { CommandHelp } from './cli.ts';
import { countWords } from '../count.ts';

/** What `rotavox vault` says: changing the passphrase of an encrypted vault. */

export const vaultHelp = {
  description: 'Manage where tokens are stored: move them, or change the passphrase of an encrypted vault.',
  examples: [
    'rotavox vault move keychain',
    'rotavox vault passphrase --vault-passphrase-file old --new-passphrase-file new',
  ],
  move: {
    description:
      'Move all tokens to the OS keychain or to an encrypted file. Each is written there, read back and compared before the first is removed from where it was.',
    examples: ['rotavox vault move keychain', 'rotavox vault move file'],
    to: 'the new place',
    passphraseFile: 'for a file vault while nothing runs: a file whose first line is its passphrase',
  },
  passphrase: {
    description:
      'Change the passphrase of an encrypted vault: of the file in a data folder, or of a team; or set one in place of its key file. Everything in it is encrypted again, all at once or not at all. Stop the host, or all hosts of the team, before.',
    examples: [
      'rotavox vault passphrase --vault-passphrase-file old --new-passphrase-file new',
      'rotavox vault passphrase',
      'rotavox vault passphrase --data-dir ~/rotavox-data',
      'rotavox vault passphrase --journal postgres://rotavox@db.example.com/rotavox --vault-passphrase-file old --new-passphrase-file new',
    ],
    journal:
      'the database of a team, such as postgres://rotavox@db.example.com/rotavox (default: ROTAVOX_JOURNAL; without it the file in the data folder)',
    passphraseFile:
      'a file whose first line is the passphrase until now (default: ROTAVOX_VAULT_PASSPHRASE_FILE, or asked for)',
    newPassphraseFile: 'a file whose first line is the new passphrase (default: asked for)',
  },
} as const satisfies CommandHelp & Record<'move' | 'passphrase', CommandHelp & Record<string, unknown>>;

/** A vault that has its new passphrase. */
export interface PassphraseChanged {
  /** The file, or the address of the database without a password. */
  readonly place: string;
  /** How many were encrypted again; null when the passphrase had been changed before. */
  readonly entries: number | null;
}

export const passphraseText = {
  bothPlaces:
    'Name a data folder with --data-dir or the database of a team with --journal. Tokens of a team are not in a data folder.',
  noFile: '--new-passphrase-file needs a file.',
  newQuestion: 'New passphrase (not shown while you type): ',
  repeatQuestion: 'New passphrase again: ',
  noTerminal:
    'The new passphrase is missing, and there is no terminal to ask on. Write it in the first line of a file that only you may read, and name that file with --new-passphrase-file.',
  notRepeated: 'You typed two different new passphrases. Nothing was changed. Try again.',
  changed: ({ place, entries }: PassphraseChanged): string =>
    entries === null
      ? `${place} has the new passphrase already. Nothing was changed.`
      : `The passphrase of ${place} is changed. ${countWords(entries, 'entry', 'entries')} ${entries === 1 ? 'was' : 'were'} encrypted again.`,
  /** In place of a key file. */
  set: ({ place, entries }: PassphraseChanged): string =>
    entries === null
      ? `${place} has this passphrase already.`
      : `A passphrase opens ${place} from now on, and its key file is removed. ${countWords(entries, 'entry', 'entries')} ${entries === 1 ? 'was' : 'were'} encrypted again.`,
  nextInsteadOfKeyFile:
    'Start Rotavox with the passphrase from now on: --vault-passphrase-file, or ROTAVOX_VAULT=file with ROTAVOX_VAULT_PASSPHRASE_FILE. Without it the tokens cannot be read.',
  keyInBackups: 'A backup from before that has the key file still opens with it.',
  next: (isTeam: boolean): string =>
    isTeam
      ? 'Give the new passphrase to every host, then start the hosts. Hosts with the old one are refused.'
      : 'Start Rotavox with the new passphrase from now on. The old one is refused.',
  backups:
    'Backups from before still open with the old passphrase. If others know it and have such a backup, rotate the tokens too.',
} as const;

/** Why a passphrase is not changed. */
export const passphraseProblem = {
  same: 'The new passphrase is the same as the old one. Nothing was changed.',
  noFileVault: (folder: string) =>
    `There is no encrypted vault in ${folder}, so there is no passphrase to change. Choose another folder with --data-dir, or the database of a team with --journal.`,
  inKeychain: (folder: string) =>
    `The tokens of ${folder} are in the OS keychain, which has no passphrase of ours. To protect them with a passphrase, move them to an encrypted file first: rotavox vault move file`,
  noSharedVault: (place: string) =>
    `There is no vault in ${place} yet. Nothing was changed. The first host that starts makes it, with its passphrase.`,
  fileRefused: (path: string, code: string) =>
    `${path} could not be read or replaced (${code}). Make sure that the disk has free space and that you own the file and its folder, then run the command again.`,
  hostsRun: (place: string) =>
    `A host runs with ${place}. Nothing was changed. Stop all hosts of the team, wait a few seconds, and try again.`,
  copyUnfinished: (place: string) =>
    `A copy into ${place} is not complete. Nothing was changed. Run \`rotavox journal copy\` again first; it goes on where it ended.`,
  lostLead: (place: string) =>
    `A host was started with ${place} meanwhile. Nothing was changed. Stop all hosts of the team and try again.`,
  databaseRefused: (place: string, code: string) =>
    `The database ${place} refused the change (SQLSTATE ${code}). Nothing was changed. Its log says more.`,
  outcomeUnknown: (place: string, code: string) =>
    `The connection to ${place} was lost (${code}). Either everything has the new passphrase or everything still has the old one. Run the same command again: it says so, or changes it.`,
} as const;

const placeNames = { keychain: 'the OS keychain', file: 'an encrypted file' } as const;

/** Why tokens are not moved, or not completely. */
export const moveProblem = {
  noFolder: (folder: string) => `There is no data folder ${folder}. Choose another one with --data-dir.`,
  there: (to: keyof typeof placeNames) => `The tokens are in ${placeNames[to]} already.`,
  ofTeam: 'The tokens of a team are in its database and are not moved.',
  unfinished:
    'An earlier move has left copies of tokens that cannot be removed now. Nothing was changed. Try again when that place can be used.',
  fileExists: (path: string) =>
    `There is an encrypted file already: ${path}. Nothing was changed. If it is not needed, move it away and try again.`,
  taken: ({ service, account }: { readonly service: string; readonly account: string }) =>
    `The keychain has another entry “${account}” of the service “${service}” already, perhaps of another data folder. Nothing was changed. If it is not needed, delete it in the keychain's own program and try again.`,
  keychainTarget: ({
    credential,
    service,
    account,
  }: {
    readonly credential: string;
    readonly service: string;
    readonly account: string;
  }) =>
    `“${credential}” delivers to the keychain entry “${account}” of the service “${service}”, which is possible only while tokens are stored in the keychain. Nothing was changed. Give its programs another target first, then remove this one.`,
  stayed: (problem: string) => `${problem} The tokens are where they were.`,
  notCleared: (kind: keyof typeof placeNames, problem: string) =>
    `Copies of tokens are still in ${placeNames[kind]}, which cannot be used now. The next start removes them. ${problem}`,
} as const;

export const movedText = ({ moved, to }: { readonly moved: number; readonly to: keyof typeof placeNames }) =>
  `${countWords(moved, 'entry', 'entries')} ${moved === 1 ? 'was' : 'were'} moved to ${placeNames[to]}, compared, and removed from where ${moved === 1 ? 'it was' : 'they were'}.`;
