/**
 * `agent-due.ts FOLDER BASE_URL TOKENS_FILE`: rotates tokens of a service twice, and prints how long each way took.
 *
 * First like a script, one after another. Then with the agent, for which all are due now: with every intent, every
 * receipt and every check. The vault is in memory, because the time of a keychain is not the agent's.
 */
import { readFileSync } from 'node:fs';
import { createAgent } from '../../src/agent/create-agent.ts';
import { agentText } from '../../src/text/agent.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { createAgentStore } from './agent-store.ts';

const [folder = '', baseUrl = '', tokensFile = ''] = process.argv.slice(2);
const tokens = readFileSync(tokensFile, 'utf8').split('\n').filter(Boolean);
const dayMs = 86_400_000;

const plainStartedAt = performance.now();
const rotated: string[] = [];
for (const token of tokens) {
  const reply = await fetch(`${baseUrl}/v1/auth/rotate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  rotated.push(((await reply.json()) as { access_token: string }).access_token);
}
const plainMs = performance.now() - plainStartedAt;

const { store, keep } = await createAgentStore(folder);
const vault = new MemoryVault();
const agent = createAgent({
  ledger: store,
  vault,
  text: agentText,
  ownPlaces: { dataDir: folder, others: [] },
  embeddedUrl: () => baseUrl,
});
const lifetime = { obtainedAtMs: Date.now() - 6 * dayMs, expiresAtMs: Date.now() + dayMs };
for (const [place, value] of rotated.entries()) {
  const name = `credential-${place}`;
  await vault.write({ service: 'rotavox', account: name }, value);
  await keep({ name, value, baseUrl, lifetime });
}

let left = tokens.length;
const all = Promise.withResolvers<undefined>();
store.subscribe(({ kind }) => {
  if (kind === 'credential.rotation_failed') all.reject(new Error('A rotation failed.'));
  if (kind !== 'credential.rotated') return;
  left -= 1;
  if (left === 0) all.resolve(undefined);
});
const agentStartedAt = performance.now();
agent.start();
// The agent's own timer does not keep a process alive; in the program the service does.
const awake = setInterval(() => undefined, 1_000);
await all.promise;
clearInterval(awake);
const agentMs = performance.now() - agentStartedAt;
await agent.close();
await store.close();
console.log(JSON.stringify({ plainMs, agentMs }));
