import type { AuditEvent } from '../../contract/history/audit-event.ts';
import { mostOwners, type OwnerProblem } from '../../contract/service/owner.ts';
import { instantMs } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { invariant, unreachable } from '../unreachable.ts';
import type { Owner } from './owner-record.ts';

type Changed = Decision<Result<Owner, OwnerProblem>>;

/** The key exists when this is decided, but nobody has it yet: it is shown once the event is durable. */
export function addOwner(
  state: State,
  { id, name, digest }: Pick<Owner, 'id' | 'name' | 'digest'>,
  nowMs: number,
): Changed {
  const taken = ownerNamed(state, name);
  if (taken !== undefined) return { events: [], value: refused({ kind: 'name_taken', name: taken.name }) };
  if (state.owners.size >= mostOwners) {
    return { events: [], value: refused({ kind: 'too_many', limit: mostOwners }) };
  }
  return {
    events: [
      {
        kind: 'owner.added',
        subject: id,
        actor: { kind: 'owner' },
        data: { owner_id: id, name },
        sealed: { digest },
      },
    ],
    value: done({ id, name, digest, createdAtMs: nowMs, lastUsedAtMs: null }),
  };
}

const longestName = 60;

/** The last one may be revoked too: the owner of the machine can add others. */
export function revokeOwner(state: State, name: string): Changed {
  const owner = ownerNamed(state, name);
  if (owner === undefined) {
    return { events: [], value: refused({ kind: 'not_found', name: name.slice(0, longestName) }) };
  }
  return {
    events: [
      {
        kind: 'owner.revoked',
        subject: owner.id,
        actor: { kind: 'owner' },
        data: { owner_id: owner.id, name: owner.name },
      },
    ],
    value: done(owner),
  };
}

/** Whose key this is, by its digest. */
export function ownerWithKey({ owners }: State, digest: string): Owner | undefined {
  for (const owner of owners.values()) if (owner.digest === digest) return owner;
  return undefined;
}

function ownerNamed({ owners }: State, name: string): Owner | undefined {
  const wanted = folded(name);
  for (const owner of owners.values()) if (folded(owner.name) === wanted) return owner;
  return undefined;
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

export type OwnerEvent = Extract<AuditEvent, { kind: `owner.${string}` }>;

export function applyOwnerEvent({ owners }: State, event: OwnerEvent): void {
  const atMs = instantMs(event.at);
  switch (event.kind) {
    case 'owner.added': {
      const { owner_id: id, name } = event.data;
      owners.set(id, { id, name, digest: event.sealed.digest, createdAtMs: atMs, lastUsedAtMs: null });
      return;
    }
    case 'owner.revoked':
      owners.delete(event.data.owner_id);
      return;
    case 'owner.signed_in': {
      const { owner_id: id } = event.data;
      const owner = owners.get(id);
      invariant(owner !== undefined, `owner ${id} is known`);
      owners.set(id, { ...owner, lastUsedAtMs: atMs });
      return;
    }
    case 'owner.sign_in_failed':
      return; // recorded for the history only
    default:
      unreachable(event);
  }
}
