import { z } from 'zod';
import { AssumedExpiry, vaultService } from '../../contract/credential/credential.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../../core/vault.ts';

/** The entry of the current token: `secret-tool lookup service rotavox account NAME` finds it. */
export function currentEntry(name: string): VaultEntry {
  return { service: vaultService, account: name };
}

/** The entry of a new token until it becomes the current one. No credential can have this name. */
export function pendingEntry(name: string): VaultEntry {
  return { service: vaultService, account: `${name} (pending)` };
}

/** The entry of the token that works beside the current one. */
export function standbyEntry(name: string): VaultEntry {
  return { service: vaultService, account: `${name} (standby)` };
}

/** The entry of an old token until it is revoked by its value. */
export function retiringEntry(name: string, generation: number): VaultEntry {
  return { service: vaultService, account: `${name} (retiring ${generation})` };
}

/** Every entry that a credential may have. */
export function entriesOf({ name, retiring }: Pick<Credential, 'name' | 'retiring'>): VaultEntry[] {
  const old = retiring.map(({ generation }) => retiringEntry(name, generation));
  return [currentEntry(name), pendingEntry(name), standbyEntry(name), ...old];
}

/** Deletes the values of old tokens that are no longer needed. If the vault cannot be used, they are deleted with the credential. */
export async function forgetRetiring(
  vault: Vault,
  name: string,
  generations: readonly number[],
): Promise<void> {
  try {
    for (const generation of generations) await vault.remove(retiringEntry(name, generation));
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
  }
}

/** The content of the pending entry: the rotation that it belongs to, and the token once there is one. */
export const Pending = z.object({
  idempotency_key: z.string(),
  value: z.string().nullable(),
  validity_days: z.int().nullable(),
  /** Entries of older versions do not have it. */
  expires_at: z.string().nullable().default(null),
  /** Why that is assumed. Entries of older versions do not have it. */
  expiry_assumed: AssumedExpiry.nullable().default(null),
  /** The service's id of the token. Entries of older versions do not have it. */
  upstream_id: z.string().nullable().default(null),
  /** What the provider has to know after a lost reply. Entries of older versions do not have it. */
  note: z.string().nullable().default(null),
  /** When the token was requested. */
  asked_at: z.string(),
  /** As long as the token that is replaced: it proves that there is room for another, before the service acts. */
  room: z.string().optional(),
});
export type Pending = z.infer<typeof Pending>;

/** Null when there is none, or when the entry is not ours. */
export async function readPending(vault: Vault, name: string): Promise<Pending | null> {
  const text = await vault.read(pendingEntry(name));
  if (text === null) return null;
  try {
    return Pending.parse(JSON.parse(text));
  } catch {
    return null; // not written by this program: nothing in it can be relied on
  }
}

/** Writes an entry and reads it back, because a keychain may accept an entry without storing it. */
export async function writeAndReadBack(vault: Vault, entry: VaultEntry, value: string): Promise<void> {
  await vault.write(entry, value);
  if ((await vault.read(entry)) === value) return;
  throw new VaultUnavailable({ code: 'entry_not_kept', ...entry });
}

/**
 * Changes a token in the vault, then the record: after a crash between the two, a token without its record remains, never a
 * record without its token. If the record could not be written, the vault is restored.
 */
export async function vaultThenRecord<T>(
  vault: Vault,
  entry: VaultEntry,
  { change, record }: { readonly change: () => Promise<void>; readonly record: () => Promise<T> },
): Promise<T> {
  const before = await vault.read(entry);
  await change();
  try {
    return await record();
  } catch (error) {
    await (before === null ? vault.remove(entry) : vault.write(entry, before));
    throw error;
  }
}

/** Deletes what a completed rotation has left. If the vault cannot be used, the next one overwrites it. */
export async function forgetPending(vault: Vault, name: string): Promise<void> {
  try {
    await vault.remove(pendingEntry(name));
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
  }
}
