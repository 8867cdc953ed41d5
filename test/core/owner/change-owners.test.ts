import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { mostOwners, type OwnerId, OwnerName } from '../../../src/contract/service/owner.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import { addOwner, ownerWithKey, revokeOwner } from '../../../src/core/owner/change-owners.ts';
import { State } from '../../../src/core/state.ts';
import { digest, noon } from '../../fixtures/make-events.ts';

const at = new Date(noon).toISOString();

function apply(state: State, events: readonly EventDraft[]): void {
  for (const event of events) applyEvent(state, { ...event, seq: 1, at });
}

function add(state: State, name: string) {
  const wanted = { id: `own_${name}` as OwnerId, name, digest: digest(name) };
  const { events, value } = addOwner(state, wanted, noon);
  apply(state, events);
  return value;
}

function revoke(state: State, name: string) {
  const { events, value } = revokeOwner(state, name);
  apply(state, events);
  return value;
}

describe('an owner', () => {
  it('is found by the digest of the key, until it is revoked', () => {
    const state = new State();
    expect(add(state, 'Ada').ok).toBe(true);
    expect(add(state, 'Grace').ok).toBe(true);
    expect(ownerWithKey(state, digest('Ada'))).toMatchObject({ name: 'Ada', createdAtMs: noon });
    expect(ownerWithKey(state, 'Ada')).toBeUndefined();
    expect(revoke(state, 'ada').ok).toBe(true);
    expect(ownerWithKey(state, digest('Ada'))).toBeUndefined();
    expect(ownerWithKey(state, digest('Grace'))?.name).toBe('Grace');
  });

  it('has a name of its own, in any case and any form of its letters', () => {
    const state = new State();
    add(state, 'Zoë');
    for (const name of ['Zoë', 'zoë', 'ZOË', 'Zoe\u0308']) {
      expect(add(state, name)).toEqual({ ok: false, refusal: { kind: 'name_taken', name: 'Zoë' } });
    }
    expect(revoke(state, 'ZOE\u0308').ok).toBe(true);
    expect(add(state, 'Zoë').ok).toBe(true);
  });

  it('can be the last one that is revoked, and one that is not there cannot be', () => {
    const state = new State();
    add(state, 'Ada');
    expect(revoke(state, 'Ada').ok).toBe(true);
    expect(state.owners.size).toBe(0);
    expect(revoke(state, 'Ada')).toEqual({ ok: false, refusal: { kind: 'not_found', name: 'Ada' } });
    expect(revoke(state, 'x'.repeat(1000))).toMatchObject({ refusal: { name: 'x'.repeat(60) } });
  });

  it('is one of a hundred at most', () => {
    const state = new State();
    for (let place = 0; place < mostOwners; place += 1) expect(add(state, `owner ${place}`).ok).toBe(true);
    expect(add(state, 'one more')).toEqual({ ok: false, refusal: { kind: 'too_many', limit: mostOwners } });
  });
});

describe('the name of an owner', () => {
  it.each([
    'Ada',
    'Ada Lovelace',
    "Miles O'Brien",
    'Zoe\u0308',
    'ada@example.com',
    '王',
    'a',
    'x'.repeat(60),
  ])('may be %j', (name) => {
    expect(OwnerName.parse(name)).toBe(name.normalize('NFC'));
  });

  it.each([
    '',
    ' Ada',
    'Ada ',
    '-a',
    '<b>Ada</b>',
    'Ada\u202eevil',
    'Ada\n',
    'Ada\u200b',
    'a"b',
    'x'.repeat(61),
    7,
    null,
  ])('may not be %j', (name) => {
    expect(OwnerName.safeParse(name).success).toBe(false);
  });
});
