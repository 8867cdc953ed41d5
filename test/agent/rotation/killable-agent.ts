/**
 * An agent that is controlled by messages and reports when it is settled: with a real store, a remote service, and a
 * clock that can be set ahead. It ends at the given point. `kill-agent.ts` is the other end of its
 * messages; `agent-process.ts` makes a process of it.
 */
import { createAgent } from '../../../src/agent/create-agent.ts';
import { AddCredential, type TargetId } from '../../../src/contract/credential/credential.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { credentialNamed } from '../../../src/core/credential/find-credential.ts';
import { nextRotationMs } from '../../../src/core/credential/next-action.ts';
import type { Vault } from '../../../src/core/vault.ts';
import { agentText } from '../../../src/text/credential/agent.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { repairText, writtenCheck } from '../../../src/text/service/store-text.ts';
import { credentialIdNamed } from '../../fixtures/credential-events.ts';
import type { AgentSettings, FromAgent, Kept, ToAgent } from './kill-agent.ts';
import type { Killer } from './kill-point.ts';

export interface KillableAgentOptions extends Omit<AgentSettings, 'vault'> {
  readonly vault: Vault;
  readonly killer: Killer;
  readonly say: (message: FromAgent) => void;
}

export interface KillableAgent {
  take(message: ToAgent): Promise<void>;
  /** As a host does it that is asked to stop: what is under way gets no time. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export async function startKillableAgent({
  folder,
  name,
  vault,
  killer,
  say,
  ...options
}: KillableAgentOptions): Promise<KillableAgent> {
  let { aheadMs } = options;
  const clock = () => Date.now() + aheadMs;
  const zone = () => 0;
  const { store, repairs } = await openStore({ folder, clock });
  const agent = createAgent({
    ledger: killer.ledger(store),
    vault: killer.vault(vault),
    text: agentText,
    ownPlaces: { dataDir: folder, others: [] },
    clock,
    zone,
    embeddedUrl: () => 'http://127.0.0.1:1',
    rateOf: () => ({ calls: Infinity, perSeconds: 1 }),
    onFailure(error) {
      if (!killer.isDead) throw error;
    },
  });

  let isAdding = false;

  /** Settled: no rotation is open or due, and every target has the current token. */
  function sayWhenSettled(): void {
    if (isAdding) return; // targets are added one by one, and those already added may have it
    const credential = credentialNamed(store.state, name);
    if (credential?.rotation !== null) return;
    if ((nextRotationMs(credential, clock(), zone) ?? Infinity) <= clock()) return;
    const { generation, targets } = credential;
    if (targets.every((target) => target.generation === generation)) say({ kind: 'settled', generation });
  }

  async function keep({ wanted, targets }: Kept): Promise<void> {
    isAdding = true;
    const added = await agent.requests.add(credentialIdNamed(name), AddCredential.parse({ ...wanted, name }));
    if (!added.ok) throw new Error(`It is not kept: ${added.refusal.reason.code}`);
    for (const [place, target] of targets.entries()) {
      const targetId = `target_${place}` as TargetId;
      await store.transact((state) => addTarget(state, name, targetId, target));
    }
    isAdding = false;
    sayWhenSettled();
  }

  store.subscribe((event) => {
    // No fault is expected here: a failure fails the test, because the next attempt would be much later.
    if (event.kind === 'credential.rotation_failed' || event.kind === 'credential.delivery_failed') {
      say({ kind: 'failed', message: event.data.message });
    }
    sayWhenSettled();
  });
  agent.start();
  say({ kind: 'started', repairs: repairs.map(repairText) });
  sayWhenSettled();

  async function take(message: ToAgent): Promise<void> {
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
        return say({
          kind: 'report',
          events: events.reverse(),
          verification: writtenCheck(await store.verify()),
        });
      }
      case 'forget':
        return say({ kind: 'forgotten', removed: (await agent.requests.remove(name)).ok });
    }
  }

  return {
    take,
    async stop() {
      await agent.close(0);
      await store.close();
    },
    close: () => agent.close(),
  };
}
