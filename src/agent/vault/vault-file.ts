import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { type VaultEntry, VaultUnavailable } from '../../core/vault.ts';
import { type Sealed, scryptCost, type VaultKey } from './vault-key.ts';

/** What a file vault has in its folder. */
export const vaultFileName = 'vault.json';

const format = 1;
const notice =
  'Secret values of Rotavox, encrypted with a passphrase (scrypt, AES-256-GCM). ' +
  'This is a file, not the OS keychain. Keep it to yourself; do not edit it.';
const checkText = 'rotavox';
const saltBytes = 16;

const Base64 = z.base64();
const SealedText = z.strictObject({ nonce: Base64, sealed: Base64 });
const SealedEntry = SealedText.extend({ service: z.string(), account: z.string() });

/** Format 1 of `vault.json`. Names are readable, values are not. */
const VaultFile = z.strictObject({
  notice: z.string(),
  format: z.literal(format),
  key: z.strictObject({
    derived_by: z.literal('scrypt'),
    N: z.literal(scryptCost.N),
    r: z.literal(scryptCost.r),
    p: z.literal(scryptCost.p),
    salt: Base64,
  }),
  /** Opens with the right passphrase only, so that a wrong one is told before anything is written. */
  check: SealedText,
  entries: z.array(SealedEntry).refine(areDistinct),
});
export type VaultFile = z.infer<typeof VaultFile>;

const AnyFormat = z.object({ format: z.int() });

export function newSalt(): Buffer {
  return randomBytes(saltBytes);
}

export function saltOf({ key }: VaultFile): Buffer {
  return Buffer.from(key.salt, 'base64');
}

export function emptyVaultFile(key: VaultKey, salt: Buffer): VaultFile {
  return {
    notice,
    format,
    key: { derived_by: 'scrypt', ...scryptCost, salt: salt.toString('base64') },
    check: key.seal(checkText, checkPlace),
    entries: [],
  };
}

/** Whether this key made the file. */
export function opens(key: VaultKey, { check }: VaultFile): boolean {
  return key.open(check, checkPlace) === checkText;
}

/** Throws `failed` for what is damaged or was written by a newer Rotavox; says so with the file's path. */
export function parseVaultFile(text: string, path: string): VaultFile {
  const content = parseJson(text);
  const found = AnyFormat.safeParse(content);
  if (found.success && found.data.format > format) {
    throw new VaultUnavailable(
      'failed',
      `${path} was written by a newer Rotavox (format ${found.data.format}; this one knows ${format}). ` +
        'Nothing was changed. Install the newer Rotavox again.',
    );
  }
  const file = VaultFile.safeParse(content);
  if (file.success) return file.data;
  throw new VaultUnavailable(
    'failed',
    `${path} is damaged. Nothing was changed. Put it back from a backup, or move it away to begin with an empty ` +
      'vault; every credential then needs its value again.',
  );
}

export function printVaultFile(file: VaultFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function findSealed(file: VaultFile, entry: VaultEntry): Sealed | undefined {
  return file.entries.find(isAt(entry));
}

export function withEntry(file: VaultFile, entry: VaultEntry, sealed: Sealed): VaultFile {
  const { service, account } = entry;
  return {
    ...file,
    entries: [...withoutEntry(file, entry).entries, { service, account, ...sealed }],
  };
}

export function withoutEntry(file: VaultFile, entry: VaultEntry): VaultFile {
  const isThere = isAt(entry);
  return { ...file, entries: file.entries.filter((one) => !isThere(one)) };
}

/** Sealed into every value, so that one does not open where another belongs. */
export function placeOf({ service, account }: VaultEntry): readonly string[] {
  return ['rotavox vault 1', 'entry', service, account];
}

const checkPlace: readonly string[] = ['rotavox vault 1', 'check'];

function isAt({ service, account }: VaultEntry): (one: VaultEntry) => boolean {
  return (one) => one.service === service && one.account === account;
}

function areDistinct(entries: readonly VaultEntry[]): boolean {
  return new Set(entries.map((entry) => JSON.stringify(placeOf(entry)))).size === entries.length;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // which is no vault either, and is told as damage
  }
}
