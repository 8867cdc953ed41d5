import { clientCertificateEntry } from '../agent/vault/client-certificates.ts';
import { entriesOf } from '../agent/vault/token-entries.ts';
import { fingerprintKeysOf } from '../agent/vault/token-fingerprints.ts';
import { readVaultOutline } from '../agent/vault/file-vault.ts';
import { passwordEntry } from '../calls/telephony-service.ts';
import { vaultService } from '../contract/credential/credential.ts';
import type { State } from '../core/state.ts';
import type { Vault, VaultEntry } from '../core/vault.ts';

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

/** What is taken along to another vault: those, and what no token is lost without. */
export function allEntriesOf(state: Owners): VaultEntry[] {
  return [...vaultEntriesOf(state), ...fingerprintKeysOf(state.credentials.values()), proxyLoginEntry];
}

/** A keychain entry that a credential delivers to. Only a service that stores its tokens in the keychain writes there. */
export interface KeychainTarget {
  readonly credential: string;
  readonly service: string;
  readonly account: string;
}

export function keychainTargetsOf({ credentials }: Pick<State, 'credentials'>): KeychainTarget[] {
  return [...credentials.values()].flatMap(({ name, targets }) =>
    targets.flatMap(({ target }) =>
      target.kind === 'keychain'
        ? [{ credential: name, service: target.service, account: target.account }]
        : [],
    ),
  );
}

export interface KnownValue {
  readonly entry: VaultEntry;
  readonly value: string;
}

/** What a vault holds of these entries; of a file vault everything. */
export async function valuesOf({
  dataDir,
  from,
  entries,
}: {
  readonly dataDir: string;
  readonly from: Vault;
  readonly entries: readonly VaultEntry[];
}): Promise<KnownValue[]> {
  const all = new Map<string, VaultEntry>();
  const inFile = from.kind === 'file' ? ((await readVaultOutline(dataDir))?.entries ?? []) : [];
  for (const { service, account } of [...entries, ...inFile])
    all.set(JSON.stringify([service, account]), { service, account });
  const values: KnownValue[] = [];
  for (const entry of all.values()) {
    const value = await from.read(entry);
    if (value !== null) values.push({ entry, value });
  }
  return values;
}
