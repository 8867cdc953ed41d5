import type { CommandHelp } from './cli.ts';
import { countWords } from '../count.ts';

/** What `rotavox journal` says: moving the data of one host into the database of a team, and back. */

export const journalHelp = {
  description: 'Move all data between a data folder and the database of a team.',
  examples: ['rotavox journal copy ~/.config/Rotavox/data postgres://rotavox@db.example.com/rotavox'],
  copy: {
    description:
      'Copy everything from a data folder into a database, or back into a new folder, and verify the copy. Nothing may run on either meanwhile. Run an interrupted copy again: it goes on where it ended.',
    examples: [
      'rotavox journal copy ~/.config/Rotavox/data postgres://rotavox@db.example.com/rotavox --vault-passphrase-file passphrase',
      'rotavox journal copy postgres://rotavox@db.example.com/rotavox ~/rotavox-data --vault file --vault-passphrase-file passphrase',
    ],
    from: 'a data folder, or the address of a database',
    to: 'the other one; a folder must not exist yet',
    vault: 'where the tokens of the data folder are stored (default: ROTAVOX_VAULT, or keychain)',
    passphraseFile:
      'a file whose first line is the passphrase of the team (default: ROTAVOX_VAULT_PASSPHRASE_FILE, or asked for)',
    folderPassphraseFile: 'the same for a file vault in the data folder (default: that of the team)',
  },
} as const satisfies CommandHelp & { readonly copy: CommandHelp & Record<string, unknown> };

/** What was copied. */
export interface Copied {
  readonly events: number;
  readonly head: string;
  readonly tokens: number;
  readonly recordings: number;
  /** Records of calls. */
  readonly calls: number;
}

export const journalText = {
  needsBoth: 'Name a data folder and the address of a database (postgres://…), one of them as the source.',
  progress: (seq: number) => `Copied up to event ${seq}.`,
  copied: ({ events, head, tokens, recordings, calls }: Copied, place: string): string[] => [
    `Copied ${countWords(events, 'event')}, ${countWords(tokens, 'token')}, ${countWords(recordings, 'recording')} and ` +
      `${countWords(calls, 'record of a call', 'records of calls')} to ${place}.`,
    `Both journals were verified and end with the hash ${head}.`,
  ],
  intoDatabase:
    'Start the hosts with that database now. The data folder is unchanged; do not start it again.',
  intoFolder: (folder: string) =>
    `Start it with: rotavox serve --data-dir ${folder}. The database is unchanged.`,
  providersStay: 'Files of providers are not copied: put them into the data folder of each host.',
} as const;

/** Why a copy cannot be made. */
export const journalProblem = {
  noFolder: (folder: string) => `There is no data folder ${folder}.`,
  folderExists: (folder: string) =>
    `${folder} exists already. Nothing was changed. Name a folder that does not exist; the copy makes it.`,
  hostsRun: (place: string) =>
    `A host runs with ${place}. Nothing was changed. Stop all hosts of the team, wait a few seconds, and try again.`,
  differs: (place: string, seq: number) =>
    `${place} has other data than the source, from event ${seq} on. Nothing was changed there. Copy into an empty database or a new folder.`,
  callsNotCopied:
    'Not all records of calls could be written. Everything else is copied. Copy again: it goes on where it ended.',
  interrupted: (code: string) =>
    `The database did not accept a part of the copy (${code}). Copy again: it goes on where it ended.`,
  lostLead: (place: string) => `A host was started with ${place} during the copy. Stop it and copy again.`,
} as const;
