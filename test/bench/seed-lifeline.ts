/**
 * `seed-lifeline.ts FOLDER COUNT`: a data folder with this many credentials that were rotated for 90 days until now.
 *
 * A quarter each of 1, 7, 30 and 90 days, rotated when they were due, by core's own functions. None is due within the next
 * hour, so that nothing happens while the picture is measured.
 */
import TinyQueue from 'tinyqueue';
import { type CredentialId, defaultPolicy } from '../../src/contract/credential.ts';
import { beginRotation } from '../../src/core/credential/attempt-rotation.ts';
import { addCredential, completeRotation, type StoredToken } from '../../src/core/credential/store-token.ts';
import { nextRotationMs } from '../../src/core/credential/next-action.ts';
import { digestOf } from '../../src/service/secrets/token-value.ts';
import { openStore } from '../../src/store/open-store.ts';

const [folder = '', count = '0'] = process.argv.slice(2);
const dayMs = 86_400_000;
const validities = [1, 7, 30, 90];
const zone = (): number => 0;
const endMs = Date.now();
const quietUntilMs = endMs + 3_600_000;
let nowMs = endMs - 90 * dayMs;

// Checkpoints on the way would only cost time: `close` writes one at the end.
const { store } = await openStore({ folder, clock: () => nowMs, policy: { minEvents: Infinity } });
const due = new TinyQueue<{ readonly id: CredentialId; readonly atMs: number }>(
  [],
  (a, b) => a.atMs - b.atMs,
);

function heldValue(name: string, validityDays: number): StoredToken {
  const lifetime = { obtainedAtMs: nowMs, expiresAtMs: nowMs + validityDays * dayMs };
  return { fingerprint: digestOf(name), validityDays, lifetime };
}

function plan(id: CredentialId): void {
  const credential = store.state.credentials.get(id);
  const atMs = credential === undefined ? null : nextRotationMs(credential, nowMs, zone);
  if (atMs !== null && atMs < quietUntilMs) due.push({ id, atMs: Math.min(atMs, endMs) });
}

for (let place = 0; place < Number(count); place += 1) {
  const id = `cred_${String(place).padStart(12, '0')}` as CredentialId;
  const validityDays = validities[place % validities.length] ?? 7;
  const held = heldValue(`${id} 1`, validityDays);
  const wanted = {
    id,
    name: `credential-${place}-of-${validityDays}-days`,
    baseUrl: 'https://service.invalid',
  };
  await store.transact((state) => addCredential(state, { ...wanted, policy: defaultPolicy, held }));
  plan(id);
}
for (let next = due.pop(); next !== undefined; next = due.pop()) {
  const { id, atMs } = next;
  nowMs = Math.max(nowMs, atMs);
  const { generation = 0, validityDays } = store.state.credentials.get(id) ?? {};
  const idempotencyKey = `${id} ${generation}`;
  const held = heldValue(`${id} ${generation + 1}`, validityDays ?? 7);
  const begun = store.transact((state) =>
    beginRotation(state, id, { idempotencyKey, cause: 'owner', zone }, nowMs),
  );
  await Promise.all([
    begun,
    store.transact((state) => completeRotation(state, id, { idempotencyKey, held })),
  ]);
  plan(id);
}
await store.close();
console.log('{}');
