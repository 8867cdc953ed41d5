/** Backups: a whole data folder in one encrypted file. */
import { z } from 'zod';
import { backupPassphraseHeader } from '../address.ts';
import { minPassphraseCharacters } from '../credential/vault-problem.ts';

const lengthError = `must have at least ${minPassphraseCharacters} characters`;

/** The passphrase of a backup that is made. */
export const NewBackup = z.strictObject(
  {
    passphrase: z
      .string({ error: lengthError })
      .max(1000, { error: 'must have at most 1,000 characters' })
      .refine((passphrase) => Array.from(passphrase).length >= minPassphraseCharacters, {
        error: lengthError,
      }),
  },
  { error: 'must be a JSON object' },
);

/** The passphrase of a backup that is sent: its UTF-8 in base64url, because a header takes no other text. */
export const BackupHeaders = z.object({
  [backupPassphraseHeader]: z
    .string({ error: 'is missing' })
    .regex(/^[\w-]{1,8000}$/, { error: 'must be base64url' }),
});

/** What a backup holds, when all of it was read and checked. */
export const RestoreSummary = z.object({
  made_at: z.iso.datetime(),
  /** The computer that it was made on. */
  machine: z.string(),
  /** The data folder there. */
  folder: z.string(),
  /** Of the program that made it. */
  version: z.string(),
  credentials: z.int(),
  /** Entries of the vault: tokens, passwords, private keys. */
  secrets: z.int(),
  /** Events in its journal. */
  events: z.int(),
});
export type RestoreSummary = z.infer<typeof RestoreSummary>;

/** A backup takes the place of the data at the next start. */
export const RestoreBegun = z.object({
  /** The folder in which the data until now are kept. */
  aside: z.string(),
});
