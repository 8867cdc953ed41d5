import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { previousHolders } from '../../../src/contract/credential/use.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import type { State } from '../../../src/core/state.ts';
import { isKnownUse, type UseContext, viewUse } from '../../../src/core/use/credential-use.ts';
import { type KnownUser, withUses } from '../../../src/core/use/known-users.ts';
import { credentialAdded, credentialIdNamed } from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { stateAfter } from '../credential/credential-state.ts';

const id = credentialIdNamed('a');
const hour = 3_600_000;
const nothing = { requests: [], handouts: [] };

function used(uses: EventDraft<'credential.used'>['data']['uses']): EventDraft<'credential.used'> {
  return {
    kind: 'credential.used',
    subject: id,
    actor: { kind: 'system' },
    data: { credential_id: id, minute: isoInstant(noon), uses },
  };
}

function view(state: State, more: Partial<UseContext> = {}) {
  const credential = state.credentials.get(id);
  if (credential === undefined) throw new Error('no credential');
  return viewUse(state, credential, { nowMs: noon, pending: nothing, running: [], tools: [], ...more });
}

const get = { way: 'get', program: 'backup.sh', generation: 1, count: 2, last_at: isoInstant(noon) } as const;

describe('who uses a credential', () => {
  it('is known from what was recorded and from what is not yet', () => {
    const state = stateAfter(credentialAdded('a'), used([get]));
    const later = { ...get, generation: 2, count: 1, last_at: isoInstant(noon + 1_000) };
    expect(view(state, { pending: { requests: [], handouts: [later] } }).users).toEqual([
      {
        way: 'get',
        name: 'backup.sh',
        last_at: isoInstant(noon + 1_000),
        generation: 2,
        last_24h: 3,
        last_7d: 3,
      },
    ]);
    expect(isKnownUse(state, id, get)).toBe(true);
    expect(isKnownUse(state, id, later)).toBe(false);
  });

  it('counts the last 24 hours and 7 days, to the hour', () => {
    const at = (hours: number) => ({ ...get, count: 1, last_at: isoInstant(noon - hours * hour) });
    const state = stateAfter(credentialAdded('a'), used([at(200), at(160), at(30), at(23), at(0)]));
    expect(view(state).users).toMatchObject([{ last_24h: 2, last_7d: 4 }]);
    expect(view(state, { nowMs: noon + 24 * hour }).users).toMatchObject([{ last_24h: 0, last_7d: 3 }]);
  });

  it('does not depend on the order and grouping in which uses were recorded', () => {
    const anySum = fc.record({
      way: fc.constantFrom('get' as const, 'exec' as const),
      name: fc.constantFrom('a', 'b', null),
      generation: fc.integer({ min: 1, max: 3 }),
      count: fc.integer({ min: 1, max: 5 }),
      last_at: fc.integer({ min: 0, max: 400 * hour }).map((ms) => isoInstant(noon + ms)),
    });
    const plain = (users: readonly KnownUser[]) =>
      users
        .map(({ generation: _, ...user }) => user)
        .toSorted((a, b) => `${a.way}${a.name ?? '-'}`.localeCompare(`${b.way}${b.name ?? '-'}`));
    fc.assert(
      fc.property(fc.array(anySum), (sums) => {
        const oneByOne = sums.reduce<readonly KnownUser[]>((users, sum) => withUses(users, [sum]), []);
        expect(plain(withUses([], sums.toReversed()))).toEqual(plain(oneByOne));
      }),
    );
  });

  it('is kept for 100 users, without the one that used it longest ago', () => {
    const sums = Array.from({ length: 101 }, (_, place) => ({
      way: 'get' as const,
      name: `p${place}`,
      generation: 1,
      count: 1,
      last_at: isoInstant(noon + place),
    }));
    const users = withUses([], sums);
    expect(users).toHaveLength(100);
    expect(users.some(({ name }) => name === 'p0')).toBe(false);
  });

  it('names what holds a previous token: commands that run, and targets that have not got the current one', () => {
    const state = stateAfter(credentialAdded('a'));
    const running = [
      { program: 'old.sh', generation: 0, since: isoInstant(noon - 5) },
      { program: 'new.sh', generation: 1, since: isoInstant(noon) },
    ];
    const use = view(state, { running });
    expect(use.running.map(({ program }) => program)).toEqual(['new.sh', 'old.sh']);
    expect(previousHolders(use)).toEqual({ running: [running[0]], deliveries: [] });
  });

  it('is forgotten with the credential, and a use that is recorded afterwards changes nothing', () => {
    const removed: EventDraft<'credential.removed'> = {
      kind: 'credential.removed',
      subject: id,
      actor: { kind: 'owner' },
      data: { credential_id: id, name: 'a' },
    };
    const state = stateAfter(credentialAdded('a'), used([get]), removed, used([get]));
    expect(state.knownUsers.size).toBe(0);
  });
});
