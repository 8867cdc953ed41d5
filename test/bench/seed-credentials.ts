/** `seed-credentials.ts FOLDER COUNT`: creates a data folder with this many credentials, none of which is due for weeks. */
import { createAgentStore } from './agent-store.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const { store, keep } = await createAgentStore(folder);
const dayMs = 86_400_000;
for (let place = 0; place < Number(count); place += 1) {
  await keep({
    name: `credential-${place}`,
    value: `value-${place}`,
    baseUrl: 'https://service.invalid',
    lifetime: { obtainedAtMs: Date.now(), expiresAtMs: Date.now() + 90 * dayMs },
  });
}
await store.close();
console.log('{}');
