import { entriesOf } from '../agent/token-entries.ts';
import { passwordEntry } from '../calls/telephony.ts';
import type { State } from '../core/state.ts';
import type { VaultEntry } from '../core/vault.ts';

/** Every entry of the vault that a state may need: the tokens of credentials and the passwords of telephone systems. */
export function vaultEntriesOf({ credentials, pbxs }: Pick<State, 'credentials' | 'pbxs'>): VaultEntry[] {
  return [
    ...[...credentials.values()].flatMap(entriesOf),
    ...[...pbxs.values()].map(({ name }) => passwordEntry(name)),
  ];
}
