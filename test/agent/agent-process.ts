/**
 * An agent that is a program of its own: a store and a vault that last, a service elsewhere, and a clock that can be told
 * to be ahead. It takes one `AgentSettings` as its argument and messages after that, and says when it is settled; it dies
 * at the point that it is told. `killing-agent.ts` is its other end.
 */
import { createAgent } from '../../src/agent/create-agent.ts';
import { openVault } from '../../src/agent/vault/open-vault.ts';
import { AddCredential, type TargetId } from '../../src/contract/credential.ts';
import { addTarget } from '../../src/core/credential/change-credential.ts';
import { credentialNamed } from '../../src/core/credential/find-credential.ts';
import { nextRotationMs } from '../../src/core/credential/next-action.ts';
import { openStore } from '../../src/store/open-store.ts';
import { credentialIdNamed } from '../fixtures/credential-events.ts';
import type { AgentSettings, FromAgent, Kept, ToAgent } from './killing-agent.ts';
import { Killer } from './killing-point.ts';

const { folder, vault: choice, name, ...settings } = JSON.parse(process.argv[2] ?? '') as AgentSettings;
let aheadMs = settings.aheadMs;
const clock = () => Date.now() + aheadMs;
const zone = () => 0;

const killer = new Killer();
const { store, repairs } = await openStore({ folder, clock });
const ledger = killer.ledger(store);
const agent = createAgent({
  ledger,
  vault: killer.vault(await openVault(choice)),
  ownPlaces: { dataDir: folder, others: [] },
  clock,
  zone,
  embeddedUrl: () => {
    throw new Error('There is no embedded service here');
  },
  onFailure: (error) => {
    throw error;
  },
});
store.subscribe((event) => {
  // Nothing stands in its way here: a failure is a failure of the test, and it would be long until the next attempt.
  if (event.kind === 'credential.rotation_failed' || event.kind === 'credential.delivery_failed') {
    say({ kind: 'failed', message: event.data.message });
  }
  sayWhenSettled();
});
process.on('message', (message: ToAgent) => void act(message));
agent.start();
say({ kind: 'started', repairs });
sayWhenSettled();

function say(message: FromAgent): void {
  process.send?.(message);
}

/** Settled: no rotation is open or due, and every target has the present value. */
function sayWhenSettled(): void {
  const credential = credentialNamed(store.state, name);
  if (credential?.rotation !== null) return;
  if ((nextRotationMs(credential, clock(), zone) ?? Infinity) <= clock()) return;
  const { generation, targets } = credential;
  if (targets.every((target) => target.generation === generation)) say({ kind: 'settled', generation });
}

async function act(message: ToAgent): Promise<void> {
  switch (message.kind) {
    case 'keep':
      return keep(message);
    case 'go':
      aheadMs = message.aheadMs;
      killer.set(message.point);
      agent.wake();
      return;
    case 'report': {
      const events = await store.history({ limit: 1_000 });
      return say({ kind: 'report', events: events.reverse(), verification: await store.verify() });
    }
    case 'forget':
      return say({ kind: 'forgotten', removed: (await agent.keeper.remove(name)).ok });
  }
}

async function keep({ wish, targets }: Kept): Promise<void> {
  const added = await agent.keeper.add(credentialIdNamed(name), AddCredential.parse({ ...wish, name }));
  if (!added.ok) throw new Error(`It is not kept: ${added.refusal.message}`);
  for (const [place, target] of targets.entries()) {
    const targetId = `target_${place}` as TargetId;
    await store.transact((state) => addTarget(state, name, targetId, target));
  }
}
