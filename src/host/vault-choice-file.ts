import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { keyFileName } from '../agent/vault/key-file.ts';
import { replaceFileSync } from '../store/durable-file.ts';
import { hostText } from '../text/service/host-text.ts';
import { HostError } from './host-error.ts';

/** The name of the file in a data folder that says where its tokens are. */
export const vaultChoiceFileName = 'vault-choice.json';

const format = 1;

const Place = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('keychain') }),
  z.strictObject({ kind: z.literal('file'), key: z.enum(['file', 'passphrase']) }),
]);

const Entries = z.array(z.strictObject({ service: z.string(), account: z.string() }));

/**
 * Format 1 of `vault-choice.json`: where the tokens of a data folder are, if that was decided here. Nothing in it is secret.
 *
 * There is none while an option or the keychain decides.
 */
const VaultChoiceFile = z.strictObject({
  format: z.literal(format),
  place: Place,
  /** A move that has not been completed: these entries may be in both places, and those at the other one are to be removed. */
  leftover: z.strictObject({ place: Place, entries: Entries }).optional(),
});
export type VaultPlace = z.infer<typeof Place>;
export type VaultChoice = Omit<z.infer<typeof VaultChoiceFile>, 'format'>;

const AnyFormat = z.object({ format: z.int() });

/** Null where there is no record. Throws `HostError` for a file that is damaged, newer or cannot be read: a guess could hide tokens. */
export function readVaultChoice(dataDir: string): VaultChoice | null {
  const path = join(dataDir, vaultChoiceFileName);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw unusable(hostText.vaultChoiceDamaged(path), cause);
  }
  const found = VaultChoiceFile.safeParse(content);
  if (found.success) return found.data;
  const other = AnyFormat.safeParse(content);
  if (other.success && other.data.format > format) throw unusable(hostText.vaultChoiceTooNew(path));
  throw unusable(hostText.vaultChoiceDamaged(path), found.error);
}

/** The recorded place. A key file says the same where its record was not restored with it. */
export function recordedPlace(dataDir: string): VaultPlace | null {
  const recorded = readVaultChoice(dataDir);
  if (recorded !== null) return recorded.place;
  return existsSync(join(dataDir, keyFileName)) ? { kind: 'file', key: 'file' } : null;
}

/** Replaces the record, durably. Throws `HostError`. */
export function writeVaultChoice(dataDir: string, choice: VaultChoice): void {
  const path = join(dataDir, vaultChoiceFileName);
  try {
    replaceFileSync(
      path,
      `${JSON.stringify({ format, ...choice } satisfies z.infer<typeof VaultChoiceFile>)}\n`,
    );
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw unusable(hostText.vaultChoiceRefused(path, code), cause);
  }
}

function unusable(message: string, cause?: unknown): HostError {
  return new HostError('VAULT_UNUSABLE', message, { cause });
}
