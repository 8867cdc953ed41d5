import { clientCertificateEntry } from '../agent/client-certificates.ts';
import { entriesOf } from '../agent/token-entries.ts';
import { passwordEntry } from '../calls/telephony.ts';
import { vaultService } from '../contract/credential.ts';
import type { State } from '../core/state.ts';
import type { VaultEntry } from '../core/vault.ts';

type Owners = Pick<State, 'credentials' | 'pbxs'>;

/** The login for the proxy of the network. No credential can have this name. */
export const proxyLoginEntry: VaultEntry = { service: vaultService, account: '(network proxy)' };

/**
 * Every entry of the vault that a state may need: the tokens and the client certificates of credentials, and the passwords of
 * telephone systems.
 */
export function vaultEntriesOf({ credentials, pbxs }: Owners): VaultEntry[] {
  return [
    ...[...credentials.values()].flatMap((credential) => [
      ...entriesOf(credential),
      clientCertificateEntry(credential.name),
    ]),
    ...[...pbxs.values()].map(({ name }) => passwordEntry(name)),
  ];
}

/** What is taken along to another vault: those, and what the state does not tell of. */
export function allEntriesOf(state: Owners): VaultEntry[] {
  return [...vaultEntriesOf(state), proxyLoginEntry];
}
