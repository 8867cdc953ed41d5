/** `seed-credentials.ts FOLDER COUNT`: creates a data folder with this many credentials, none of which is due for weeks. */
import { type CredentialId, defaultPolicy } from '../../src/contract/credential/credential.ts';
import { addCredential } from '../../src/core/credential/store-token.ts';
import { digestOf } from '../../src/service/secrets/token-value.ts';
import { openStore } from '../../src/store/open-store.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const { store } = await openStore({ folder });
const dayMs = 86_400_000;
for (let place = 0; place < Number(count); place += 1) {
  const id = `cred_${String(place + 1).padStart(12, '0')}` as CredentialId;
  const lifetime = { obtainedAtMs: Date.now(), expiresAtMs: Date.now() + 90 * dayMs };
  const stored = { fingerprint: digestOf(`value-${place}`), lifetime, validityDays: 7 };
  await store.transact((state) =>
    addCredential(state, {
      id,
      name: `credential-${place}`,
      baseUrl: 'https://service.invalid',
      policy: defaultPolicy,
      stored,
    }),
  );
}
await store.close();
console.log('{}');
