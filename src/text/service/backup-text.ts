import type { RestoreSummary } from '../../contract/service/backup.ts';
import type { CommandHelp } from '../cli/cli.ts';
import { countWords } from '../count.ts';
import { localTime } from '../time.ts';

/** What is said of backups: a whole data folder in one encrypted file. */

export const backupHelp = {
  description: [
    'Write everything of this Rotavox to one encrypted file: tokens, history, settings, menus, recordings, records of calls.',
    '',
    'A passphrase encrypts it, which is asked for twice. Whoever has the file and the passphrase has every token; without the passphrase ' +
      'nobody can read it, you neither. Works with a running service and without. A file that is not a backup is not replaced.',
  ].join('\n'),
  examples: [
    'rotavox backup rotavox.backup',
    'rotavox backup /media/usb/rotavox.backup --passphrase-file passphrase',
  ],
  file: 'the file to write',
  passphraseFile: 'a file whose first line is the passphrase of the backup (default: asked for)',
  vaultPassphraseFile:
    'for a file vault with a passphrase, while nothing runs: a file whose first line is that passphrase',
} as const satisfies CommandHelp & Record<string, unknown>;

export const restoreHelp = {
  description: [
    'Put a backup in the place of a data folder. All of it is unpacked and checked before anything is replaced.',
    '',
    'Quit Rotavox before. With --replace, data that are there already are kept in a folder beside the new ones. Where this computer has ' +
      'a keychain, the tokens go into it. On another computer than before, Rotavox asks before it rotates anything: stop it there first.',
  ].join('\n'),
  examples: ['rotavox restore rotavox.backup', 'rotavox restore rotavox.backup --replace'],
  file: 'the backup',
  passphraseFile: 'a file whose first line is the passphrase of the backup (default: asked for)',
  replace: 'also where there are data already; they are kept in a folder before-restore-…',
} as const satisfies CommandHelp & Record<string, unknown>;

/** Why a backup cannot be read. Nothing was changed. */
export const backupFaultText = {
  no_backup:
    'This file is not a backup of Rotavox. Nothing was changed. Choose a file that `rotavox backup` wrote.',
  wrong_passphrase:
    'The passphrase does not open this backup. Nothing was changed. Use the passphrase that it was made with.',
  damaged:
    'This backup is damaged or cut off, so it cannot be restored. Nothing was changed. Copy it again from where it was kept, or use another one.',
  too_new:
    'This backup was made by a newer Rotavox. Nothing was changed. Install that version and try again.',
} as const;

export const backupText = {
  newQuestion: 'Passphrase for the backup (not shown while you type): ',
  repeatQuestion: 'Passphrase again: ',
  question: 'Passphrase of the backup (not shown while you type): ',
  notRepeated: 'You typed two different passphrases. Nothing was written. Try again.',
  noTerminal:
    'The passphrase is missing, and there is no terminal to ask on. Write it in the first line of a file that only you may read, and name that file with --passphrase-file.',
  noFile: '--passphrase-file needs a file.',
  ofTeam:
    'The data of a team are in its PostgreSQL database. Back that up with the tools of PostgreSQL. Nothing was written.',
  written: (file: string, bytes: number): string =>
    `The backup is in ${file} (${sizeText(bytes)}). It was read back and is complete.`,
  keepPassphrase: 'Keep the passphrase apart from the file. Without it nobody can restore the backup.',
  inDataFolder: (file: string): string =>
    `${file} is in the data folder, and would be lost with it. Nothing was written. Name a file elsewhere.`,
  notReplacedFile: (file: string): string =>
    `${file} exists and is not a backup of Rotavox. Nothing was written. Choose another name.`,
  isFolder: (file: string): string => `${file} is a folder. Nothing was written. Name a file in it.`,
  notWritten: (file: string, code: string): string =>
    `The backup cannot be written to ${file} (${code}). ${code === 'ENOSPC' ? 'Its disk is full. ' : ''}What was there before is unchanged. Choose a place that you may write to and that has room.`,
  notReadBack: (file: string): string =>
    `What was written to ${file} cannot be read back, so it is not a backup and was removed. Try again, on another disk if it happens again.`,
  brokenOff:
    'The backup was broken off before it was complete. What was there before is unchanged. Look at the log of Rotavox, and try again.',
  ofOtherUser: (folder: string, uid: number): string =>
    `${folder} belongs to another user (id ${uid}), who could not read what root writes there. Nothing was changed. Run the command as that user: sudo -u '#${uid}' …`,
  noFolder: (folder: string): string =>
    `There is no data folder ${folder}, so there is nothing to back up. Choose another one with --data-dir.`,
  notRead: (file: string, code: string): string =>
    code === 'ENOENT'
      ? `There is no file ${file}. Nothing was changed.`
      : `${file} cannot be read (${code}). Nothing was changed.`,
  hasData: (folder: string): string =>
    `There are data in ${folder} already. Nothing was changed. With --replace the backup takes their place, and they are kept in a folder beside it.`,
  notUnpacked: (folder: string, code: string): string =>
    `The backup cannot be unpacked in ${folder} (${code}). ${code === 'ENOSPC' ? 'The disk is full. ' : ''}Nothing was changed. Make room, and check that you own the folder.`,
  notReplaced: (folder: string, code: string): string =>
    `The restore in ${folder} is not finished (${code}). Nothing is lost: the next start of Rotavox goes on with it. Check that the disk has free space and that you own the folder.`,
  unfinished: (folder: string): string =>
    `A restore in ${folder} is not finished. Start Rotavox with this folder once, which finishes it, then try again.`,
  recordUnreadable: (path: string): string =>
    `${path} says how far a restore is, and cannot be read. Restore it from a copy; or, if no restore was begun, delete it.`,
  waits: (problem: string): string =>
    `The backup is not restored yet. ${problem} The next start tries again.`,
  restored: 'The backup is restored. The data from before are in a folder before-restore-… beside it.',
  notStaged: 'There is no backup to restore. Send it first.',
  staysInFile: (problem: string): string =>
    `The tokens of the backup are in an encrypted file in the data folder, not in the keychain. ${problem} Then move them with \`rotavox vault move keychain\`.`,
  summary: ({ made_at: at, machine, version, credentials, secrets, events }: RestoreSummary): string[] => [
    `Backup of ${localTime(at)} from ${machine}, made by Rotavox ${version}:`,
    `${countWords(credentials, 'credential')}, ${countWords(secrets, 'secret')}, ${countWords(events, 'event')} of the history.`,
  ],
  keyFile:
    'Its tokens are in an encrypted file, and vault.key beside it opens that: a passphrase of before does not count here. To protect them more, run `rotavox vault passphrase` or `rotavox vault move keychain`.',
  done: (folder: string): string => `The backup is in ${folder}. Start Rotavox to use it.`,
  kept: (folder: string): string =>
    `The data from before are in ${folder}. Delete that folder when you no longer need it.`,
} as const;

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
