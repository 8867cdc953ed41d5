import { AsyncLocalStorage } from 'node:async_hooks';
import type {} from 'fastify';
import type { Actor } from '../../contract/history/audit-event.ts';
import { type Ledger, ledgerWith } from '../../core/ledger.ts';
import type { Owner } from '../../core/owner/owner-record.ts';

/** Who made a call to the portal: an owner with a key, or the owner of the machine, who has no name. */
export type CallOwner = Extract<Actor, { kind: 'owner' }>;

/** Whoever has the key of `runtime.json`, or a window that came from it. */
export const machineOwner: CallOwner = { kind: 'owner' };

export function actorOf({ id, name }: Pick<Owner, 'id' | 'name'>): CallOwner {
  return { kind: 'owner', owner_id: id, name };
}

export function isSameOwner(one: CallOwner, other: CallOwner): boolean {
  return one.owner_id === other.owner_id;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the call is admitted to the portal; null until then, and for every other call. */
    owner: CallOwner | null;
  }
}

const calls = new AsyncLocalStorage<CallOwner>();

/** Runs the handler of a call, and whatever it begins, as its owner. */
export function asOwner<T>(owner: CallOwner, handle: () => T): T {
  return calls.run(owner, handle);
}

/**
 * The same ledger, with the owner of the call in every event that an owner causes.
 *
 * A decision says that an owner did it; only the service knows which one. Decisions are made in the agent and in telephony too,
 * and some after the call was answered, such as the end of a sign-in at a service. So the owner goes with the call
 * (`asOwner`) and is added here.
 */
// see decisions/owners-and-their-keys.md
export function namingOwners(ledger: Ledger): Ledger {
  return ledgerWith(ledger, {
    transact(decide) {
      const owner = calls.getStore();
      if (owner?.owner_id === undefined) return ledger.transact(decide);
      return ledger.transact((state, nowMs) => {
        const { events, value } = decide(state, nowMs);
        const named = events.map((event) =>
          event.actor.kind === 'owner' ? { ...event, actor: owner } : event,
        );
        return { events: named, value };
      });
    },
  });
}
