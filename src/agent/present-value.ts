import type { Credential } from '../core/credential/credential.ts';
import type { CredentialRefusal } from '../core/credential/find-credential.ts';
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

/** Why none can be used: it is gone, another one is there, or the rotation that replaced it was not finished. */
export function noValue(
  { name, rotation }: Pick<Credential, 'name' | 'rotation'>,
  { isGone = false } = {},
): CredentialRefusal {
  const what = isGone ? `The keychain has no value for “${name}”.` : noPresentValue(name);
  const wayOut =
    rotation === null
      ? `Paste the present token: \`rotavox credential replace ${name}\`.`
      : `A rotation of it is open; try again when that is over, or finish it now: \`rotavox credential rotate ${name}\`.`;
  return { problem: 'conflict', message: `${what} ${wayOut}` };
}

/** What to say when there is none. */
export function noPresentValue(name: string): string {
  return `The keychain does not have the present value of “${name}”.`;
}
