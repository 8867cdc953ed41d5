import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  scrypt,
  type ScryptOptions,
} from 'node:crypto';
import { type FileHandle, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { type VaultEntry, VaultUnavailable } from '../../core/vault.ts';
import { syncFolder } from '../sync-folder.ts';
import { replacePath } from '../../system/replace-path.ts';

/** The files of a file vault in its folder. */
export const vaultFileName = 'vault.json';

const format = 1;
const notice =
  'Secret values of Rotavox, encrypted with a passphrase (scrypt, AES-256-GCM). ' +
  'This is a file, not the OS keychain. Keep it to yourself; do not edit it.';
/** What the check of a vault says, if it says no more than that the passphrase is right. */
export const checkText = 'rotavox';
const saltBytes = 16;

const Base64 = z.base64();
export const SealedText = z.strictObject({ nonce: Base64, sealed: Base64 });
const SealedEntry = SealedText.extend({ service: z.string(), account: z.string() });

/** The parameters of scrypt (RFC 7914). */
export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/**
 * The cost of a passphrase attempt: 128 MiB and about half a second (OWASP's first choice for scrypt).
 *
 * Part of format 1, as `keyFileCost` is: another cost needs another format.
 */
export const scryptCost: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };

/**
 * The cost of the key of a vault that a key file opens: 1 MiB.
 *
 * Nobody guesses 256 random bits, however cheap an attempt is; and every start derives the key, also in a small container.
 */
export const keyFileCost: ScryptCost = { N: 2 ** 10, r: 8, p: 1 };
const maxScryptBytes = 256 * 1024 * 1024;

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';

/** A text that only the key opens; both parts in base64, the tag at the end of `sealed`. */
export interface Sealed {
  readonly nonce: string;
  readonly sealed: string;
}

const deriveBytes = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The key of a file vault or a shared one: seals texts and opens them again. The passphrase is not kept. */
export class VaultKey {
  readonly #key: KeyObject;

  private constructor(key: KeyObject) {
    this.#key = key;
  }

  /** Normalized first (NFC): keyboards differ in how they compose an accented letter. */
  static async derive(passphrase: string, salt: Buffer, cost = scryptCost): Promise<VaultKey> {
    const bytes = await deriveBytes(passphrase.normalize('NFC'), salt, keyBytes, {
      ...cost,
      maxmem: maxScryptBytes,
    });
    const key = new VaultKey(createSecretKey(bytes));
    bytes.fill(0);
    return key;
  }

  /** Seals a text with what it is (`aad`): it cannot be opened as anything else. Random nonce; a key is good for 2^32 (NIST SP 800-38D). */
  seal(text: string, aad: readonly string[]): Sealed {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    sealing.setAAD(bytesOf(aad));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final(), sealing.getAuthTag()]);
    return { nonce: nonce.toString('base64'), sealed: sealed.toString('base64') };
  }

  /** The text, or null if it was sealed with another key, as something else, or was changed since. */
  open(sealed: Sealed, aad: readonly string[]): string | null {
    const nonce = Buffer.from(sealed.nonce, 'base64');
    const bytes = Buffer.from(sealed.sealed, 'base64');
    if (nonce.length !== nonceBytes || bytes.length < tagBytes) return null;
    const opening = createDecipheriv(cipher, this.#key, nonce, { authTagLength: tagBytes });
    opening.setAAD(bytesOf(aad));
    opening.setAuthTag(bytes.subarray(-tagBytes));
    try {
      return Buffer.concat([opening.update(bytes.subarray(0, -tagBytes)), opening.final()]).toString('utf8');
    } catch {
      return null; // the only error of final()
    }
  }

  /** The key with which the hosts of a team sign what they say to each other. The vault key cannot be found from it. */
  deriveClusterKey(): KeyObject {
    return this.#deriveFor('rotavox cluster 1');
  }

  /** The key with which they mark what they write to the journal. */
  deriveJournalKey(): KeyObject {
    return this.#deriveFor('rotavox journal 1');
  }

  #deriveFor(use: string): KeyObject {
    // Not as bytes: Node would make a key of them for each signature, which takes longer than the signature.
    return createSecretKey(Buffer.from(hkdfSync('sha256', this.#key, '', use, keyBytes)));
  }
}

/** No two have the same bytes, whatever their names contain. */
function bytesOf(aad: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(aad));
}

/** How the key of a vault is derived from its passphrase. */
const VaultHead = z.strictObject({
  format: z.literal(format),
  key: z.strictObject({
    derived_by: z.literal('scrypt'),
    N: z.int(),
    r: z.int(),
    p: z.int(),
    salt: Base64,
  }),
  /** Can be opened only with the right passphrase, so that a wrong one is reported before anything is written. */
  check: SealedText,
});
export type VaultHead = z.infer<typeof VaultHead>;

/** Format 1 of `vault.json`. Names are readable, values are not. */
const VaultFile = VaultHead.extend({
  notice: z.string(),
  entries: z.array(SealedEntry).refine(areDistinct),
});
export type VaultFile = z.infer<typeof VaultFile>;

const AnyFormat = z.object({ format: z.int() });

export function newSalt(): Buffer {
  return randomBytes(saltBytes);
}

export function saltOf({ key }: VaultHead): Buffer {
  return Buffer.from(key.salt, 'base64');
}

export function vaultHeadOf(key: VaultKey, salt: Buffer, { N, r, p }: ScryptCost): VaultHead {
  return {
    format,
    key: { derived_by: 'scrypt', N, r, p, salt: salt.toString('base64') },
    check: key.seal(checkText, checkAad),
  };
}

export function emptyVaultFile(key: VaultKey, salt: Buffer, cost: ScryptCost): VaultFile {
  return { notice, ...vaultHeadOf(key, salt, cost), entries: [] };
}

/** With a check that says more than that the passphrase is right, which nobody without it can change. */
export function withCheck(key: VaultKey, head: VaultHead, check: string): VaultHead {
  return { ...head, check: key.seal(check, checkAad) };
}

/** Whether this key made the vault. */
export function opens(key: VaultKey, head: VaultHead): boolean {
  return checkOf(key, head) !== null;
}

/** What the check says; null for the key of another passphrase. */
export function checkOf(key: VaultKey, { check }: VaultHead): string | null {
  return key.open(check, checkAad);
}

/** Throws `failed`, with the file's path, for a file that is damaged, has none of these costs or was written by a newer Rotavox. */
export function parseVaultFile(text: string, path: string, ...costs: readonly ScryptCost[]): VaultFile {
  return parseVault(VaultFile, text, { code: 'vault_file_damaged', path }, costs);
}

/** As `parseVaultFile`, for a vault whose entries are elsewhere. */
export function parseVaultHead(text: string, path: string, cost: ScryptCost): VaultHead {
  return parseVault(VaultHead, text, { code: 'vault_key_damaged', path }, [cost]);
}

function parseVault<T extends VaultHead>(
  schema: z.ZodType<T>,
  text: string,
  damage: { readonly code: 'vault_file_damaged' | 'vault_key_damaged'; readonly path: string },
  costs: readonly ScryptCost[],
): T {
  const content = parseJson(text);
  const found = AnyFormat.safeParse(content);
  if (found.success && found.data.format > format) {
    throw new VaultUnavailable({
      code: 'vault_file_too_new',
      path: damage.path,
      format: found.data.format,
      newestFormat: format,
    });
  }
  const file = schema.safeParse(content);
  if (file.success && costs.some((cost) => hasCost(file.data, cost))) return file.data;
  throw new VaultUnavailable(damage);
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

/** Sealed into every value, so that a value cannot be opened as that of another entry. */
export function aadOf({ service, account }: VaultEntry): readonly string[] {
  return ['rotavox vault 1', 'entry', service, account];
}

const checkAad: readonly string[] = ['rotavox vault 1', 'check'];

function isAt({ service, account }: VaultEntry): (one: VaultEntry) => boolean {
  return (one) => one.service === service && one.account === account;
}

/** Whether the key of a vault was derived at this cost. */
export function hasCost({ key }: VaultHead, { N, r, p }: ScryptCost): boolean {
  return key.N === N && key.r === r && key.p === p;
}

function areDistinct(entries: readonly VaultEntry[]): boolean {
  return new Set(entries.map((entry) => JSON.stringify(aadOf(entry)))).size === entries.length;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // not a vault either, and reported as damaged
  }
}

/** Only the owner reads and writes. */
const privateFile = 0o600;

/**
 * Replaces a file so that a crash at any instant leaves the old content or the new, complete.
 *
 * A new file with a random name beside it (so no link can be prepared there), fsync, rename, fsync of the folder: a rename
 * is durable only once its folder is. Rejects with the system's error; then the old content is unchanged.
 */
export async function replaceVaultFile(path: string, content: string): Promise<void> {
  const temporary = await writeTemporary(path, content);
  try {
    await replacePath(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Writes and syncs a new file beside a path, and returns its name. What a crash leaves of it is removed by `removeLeftovers`. */
export async function writeTemporary(path: string, content: string): Promise<string> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.new`;
  const file = await open(temporary, 'wx', privateFile);
  try {
    await writeAndClose(file, content);
    return temporary;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes what a process that died during a replacement left. */
export async function removeLeftovers(path: string): Promise<void> {
  const name = basename(path);
  for (const found of await readdir(dirname(path), { withFileTypes: true })) {
    const rest = found.name.startsWith(`${name}.`) ? found.name.slice(name.length + 1) : '';
    const isLeft = found.isFile() && /^[0-9a-f]{16}\.new$/.test(rest);
    if (isLeft) await rm(join(dirname(path), found.name), { force: true });
  }
}

async function writeAndClose(file: FileHandle, content: string): Promise<void> {
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

export interface PassphraseChange {
  readonly passphrase: string;
  readonly newPassphrase: string;
  /** The cost of the old key. Default: that of format 1. */
  readonly cost?: ScryptCost | undefined;
  /** The cost of the new key. Default: that of the old one. */
  readonly newCost?: ScryptCost | undefined;
}

/** What was sealed with the key `old` is sealed with `changed`, which `head` says how to derive. */
interface ChangedKeys {
  readonly old: VaultKey;
  readonly changed: VaultKey;
  readonly head: VaultHead;
}

/**
 * The keys for a change of the passphrase of a vault; null when the new one opens it already: then a command that was killed, or got no
 * answer, had changed it.
 *
 * Throws `locked` when neither opens it.
 */
export async function keysOfChange(
  head: VaultHead,
  path: string,
  { passphrase, newPassphrase, cost = scryptCost, newCost = cost }: PassphraseChange,
): Promise<ChangedKeys | null> {
  const old = hasCost(head, cost) ? await VaultKey.derive(passphrase, saltOf(head), cost) : null;
  if (old !== null && opens(old, head)) {
    const salt = newSalt();
    const changed = await VaultKey.derive(newPassphrase, salt, newCost);
    return { old, changed, head: vaultHeadOf(changed, salt, newCost) };
  }
  if (hasCost(head, newCost) && opens(await VaultKey.derive(newPassphrase, saltOf(head), newCost), head))
    return null;
  throw new VaultUnavailable({ code: 'wrong_passphrase', path });
}
