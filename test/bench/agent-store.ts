import { digestOf } from '../../src/service/secrets/token-value.ts';
import { type CredentialId, defaultPolicy } from '../../src/contract/credential.ts';
import { addCredential } from '../../src/core/credential/store-token.ts';
import type { TokenLifetime } from '../../src/core/rotation/due-at.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';

export interface SeedCredential {
  readonly name: string;
  readonly value: string;
  readonly baseUrl: string;
  readonly lifetime: TokenLifetime;
}

/** A store to which credentials are added unchanged, without calling a service. */
export async function createAgentStore(
  folder: string,
): Promise<{ store: Store; keep: (credential: SeedCredential) => Promise<CredentialId> }> {
  const { store } = await openStore({ folder });
  let count = 0;
  return {
    store,
    async keep({ name, value, baseUrl, lifetime }) {
      count += 1;
      const id = `cred_${String(count).padStart(12, '0')}` as CredentialId;
      const held = { fingerprint: digestOf(value), lifetime, validityDays: 7 };
      await store.transact((state) =>
        addCredential(state, { id, name, baseUrl, policy: defaultPolicy, held }),
      );
      return id;
    },
  };
}
