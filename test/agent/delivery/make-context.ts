import { onTestFinished } from 'vitest';
import type { DeliveryContext } from '../../../src/agent/delivery/delivery-context.ts';
import type { OwnPlaces } from '../../../src/agent/delivery/own-places.ts';
import type { Vault, VaultEntry, VaultKind } from '../../../src/core/vault.ts';

/** The context of a delivery, with a vault in memory. */
export function makeContext(differences: Partial<DeliveryContext> = {}): DeliveryContext {
  return {
    credential: 'billing',
    generation: 7,
    vault: makeVault('memory'),
    ownPlaces: nowhere,
    ...differences,
  };
}

/** The own files of a Rotavox without any. */
export const nowhere: OwnPlaces = { dataDir: '/nowhere/at/all', others: [] };

export function makeVault(kind: VaultKind, differences: Partial<Vault> = {}): Vault {
  const values = new Map<string, string>();
  const keyOf = ({ service, account }: VaultEntry): string => JSON.stringify([service, account]);
  return {
    kind,
    read: async (entry) => values.get(keyOf(entry)) ?? null,
    write: async (entry, value) => {
      values.set(keyOf(entry), value);
    },
    remove: async (entry) => {
      values.delete(keyOf(entry));
    },
    contact: async () => undefined,
    ...differences,
  };
}

/** Sets a variable of this process until the test is over. */
export function setEnvironment(name: string, value: string): void {
  process.env[name] = value;
  onTestFinished(() => {
    Reflect.deleteProperty(process.env, name); // assigning undefined would make it 'undefined'
  });
}
