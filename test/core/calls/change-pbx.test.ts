import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import {
  AddPbx,
  ChangedRules,
  type ChangePbx,
  defaultDestinationRules,
  type PbxId,
} from '../../../src/contract/calls/pbx.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import { addPbx, changePbx, partsOf, removePbx } from '../../../src/core/calls/change-pbx.ts';
import type { Decision } from '../../../src/core/ledger.ts';
import { State } from '../../../src/core/state.ts';

const wanted = AddPbx.parse({
  name: 'office',
  url: 'http://127.0.0.1:8088/',
  user: 'rotavox',
  password: 'secret',
});

function take<T>(state: State, { events, value }: Decision<T>): T {
  for (const event of events) applyEvent(state, { seq: 1, at: '', ...event });
  return value;
}

function stateWith(...added: readonly Partial<AddPbx>[]): State {
  const state = new State();
  for (const [at, one] of added.entries())
    take(state, addPbx(state, `pbx_${at}` as PbxId, { ...wanted, ...one }, 0));
  return state;
}

describe('adding a telephone system', () => {
  test('records it without its password, with rules for every type of destination', () => {
    const decision = addPbx(new State(), 'pbx_1' as PbxId, wanted, 0);
    expect(JSON.stringify(decision)).not.toContain('secret');
    expect(decision.value).toEqual({
      ok: true,
      value: {
        id: 'pbx_1',
        name: 'office',
        url: 'http://127.0.0.1:8088',
        user: 'rotavox',
        insecure_http: false,
        destinations: defaultDestinationRules,
        created_at: '1970-01-01T00:00:00.000Z',
      },
    });
  });

  test.each([
    ['http://192.168.1.5:8088', 'insecure_http'],
    ['http://127.0.0.1.example.com:8088', 'insecure_http'],
    ['http://127.1:8088', 'insecure_http'],
    ['http://localhost.example.com', 'insecure_http'],
  ])('refuses to send a password unencrypted to %s', (url, kind) => {
    expect(addPbx(new State(), 'pbx_1' as PbxId, { ...wanted, url }, 0)).toMatchObject({
      events: [],
      value: { ok: false, refusal: { kind } },
    });
    const allowed = addPbx(new State(), 'pbx_1' as PbxId, { ...wanted, url, insecure_http: true }, 0);
    expect(allowed.value.ok).toBe(true);
  });

  test.each(['http://localhost:8088', 'http://[::1]:8088', 'http://127.8.9.1', 'https://pbx.example.com'])(
    'takes %s as it is',
    (url) => {
      expect(addPbx(new State(), 'pbx_1' as PbxId, { ...wanted, url }, 0).value.ok).toBe(true);
    },
  );

  test('refuses the name and the address of another one', () => {
    const state = stateWith({});
    const add = (changes: Partial<AddPbx>) =>
      addPbx(state, 'pbx_2' as PbxId, { ...wanted, ...changes }, 0).value;
    expect(add({ name: 'OFFICE', url: 'https://other' })).toMatchObject({ refusal: { kind: 'name_taken' } });
    expect(add({ name: 'other', url: 'HTTP://127.0.0.1:8088' })).toMatchObject({
      refusal: { kind: 'address_taken', name: 'office' },
    });
    expect(add({ name: 'other', url: 'http://127.0.0.1:8088/second' }).ok).toBe(true);
  });
});

describe('changing a telephone system', () => {
  const change = (state: State, changes: ChangePbx) => changePbx(state, 'office', changes);

  test('replaces the rules that are named, and records nothing without a difference', () => {
    const state = stateWith({});
    const voicemail = { context: 'vm', extension: '{id}' };
    const changed = change(state, { destinations: { voicemail } });
    expect(changed.value).toMatchObject({
      value: { destinations: { ...defaultDestinationRules, voicemail } },
    });
    expect(change(state, { user: 'rotavox' }).events).toEqual([]);
  });

  test('needs the password again for another server', () => {
    const state = stateWith({});
    expect(change(state, { url: 'https://evil.example.com' }).value).toMatchObject({
      refusal: { kind: 'password_needed' },
    });
    expect(change(state, { url: 'http://127.0.0.1:8088/asterisk' }).value.ok).toBe(true);
    const withPassword = change(state, { url: 'https://pbx.example.com', password: 'new' });
    expect(withPassword.value.ok).toBe(true);
    expect(withPassword.events).toMatchObject([
      { data: { has_new_password: true } },
    ] as Partial<EventDraft>[]);
  });
});

test('a removed telephone system is gone', () => {
  const state = stateWith({});
  expect(take(state, removePbx(state, 'Office')).ok).toBe(true);
  expect(state.pbxs.size).toBe(0);
  expect(removePbx(state, 'office').value).toMatchObject({ refusal: { kind: 'not_found' } });
});

test.each([
  ['http://Host', 'http://host:80', ''],
  ['https://host/asterisk', 'https://host:443', '/asterisk'],
  ['http://[::1]:8088', 'http://[::1]:8088', ''],
])('the parts of %s', (url, server, path) => {
  expect(partsOf(url)).toMatchObject({ server, path });
});

describe('the places of destinations', () => {
  const place = { context: 'groups', extension: '{id}' };

  test('are set and taken away one by one; time groups have none at first', () => {
    const state = stateWith({});
    const places = () => state.pbxs.get('pbx_0' as PbxId)?.destinations;
    expect(places()).not.toHaveProperty('timegroup');
    take(state, changePbx(state, 'office', { destinations: { timegroup: place, voicemail: null } }));
    const { voicemail: _voicemail, ...others } = defaultDestinationRules;
    expect(places()).toEqual({ ...others, timegroup: place });
    take(state, changePbx(state, 'office', { destinations: { timegroup: null } }));
    expect(places()).toEqual(others);
  });

  test('never lead a time group to the time condition with its number, which earlier versions did', () => {
    const wrong = { ...place, context: 'timeconditions' };
    expect(ChangedRules.safeParse({ timegroup: wrong }).success).toBe(false);
    expect(ChangedRules.safeParse({ time_condition: wrong }).success).toBe(true);
    const state = stateWith({});
    const before = state.pbxs.get('pbx_0' as PbxId)!;
    const pbx = { ...before, destinations: { ...before.destinations, timegroup: wrong } };
    applyEvent(state, {
      seq: 1,
      at: '',
      kind: 'pbx.added',
      subject: pbx.id,
      actor: { kind: 'owner' },
      data: { pbx },
    });
    expect(state.pbxs.get(pbx.id)).toEqual(before);
  });
});
