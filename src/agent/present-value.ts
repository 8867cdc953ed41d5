import type { Credential } from '../core/credential/credential.ts';
import type { Vault } from '../core/vault.ts';
import { fingerprintOf } from './fingerprint.ts';
import { currentEntry } from './value-entries.ts';

/**
 * The value that the record speaks of; null when the vault has none, or another one.
 *
 * Asked for in the credential's turn, so that it never meets a value that has not yet got its record.
 */
export async function readPresentValue(
  vault: Vault,
  { name, fingerprint }: Pick<Credential, 'name' | 'fingerprint'>,
): Promise<string | null> {
  const value = await vault.read(currentEntry(name));
  return value !== null && fingerprintOf(value) === fingerprint ? value : null;
}

/** What to say when there is none. */
export function noPresentValue(name: string): string {
  return `The keychain does not have the present value of “${name}”.`;
}
