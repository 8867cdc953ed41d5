import type { Vault, VaultEntry } from '../core/vault.ts';
import { currentEntry } from './value-entries.ts';

/**
 * Changes the present value in the vault, then the record: a crash between the two leaves a value without its record, never
 * a record without its value. A record that could not be written puts the vault back, so that nothing was changed.
 */
export async function vaultThenRecord<T>(
  vault: Vault,
  name: string,
  {
    change,
    record,
  }: { readonly change: (entry: VaultEntry) => Promise<void>; readonly record: () => Promise<T> },
): Promise<T> {
  const entry = currentEntry(name);
  const before = await vault.read(entry);
  await change(entry);
  try {
    return await record();
  } catch (error) {
    await (before === null ? vault.remove(entry) : vault.write(entry, before));
    throw error;
  }
}
