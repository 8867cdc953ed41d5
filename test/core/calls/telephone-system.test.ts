import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import {
  AddPbx,
  ChangedRules,
  type ChangePbx,
  defaultDestinationRules,
  type PbxId,
  plainDestinationRules,
} from '../../../src/contract/calls/pbx.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import { addPbx, changePbx, partsOf, removePbx } from '../../../src/core/calls/change-pbx.ts';
import type { Decision } from '../../../src/core/ledger.ts';
import { State } from '../../../src/core/state.ts';
import type { Ivr, IvrId, StoredIvr } from '../../../src/contract/menu/ivr.ts';
import {
  flowOfStored,
  heardFromStored,
  readFlow,
  writeFlow,
} from '../../../src/core/calls/flow-of-stored.ts';
import { callStarts } from '../../../src/core/calls/call-starts.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import type { FlowPart, FlowPartId, ScheduleId } from '../../../src/contract/menu/schedule.ts';
import { parseIvrBody } from '../../../src/core/ivr/body/parse-ivr-body.ts';
import { handOverLines, promptsBaseUrl } from '../../../src/core/calls/asterisk-lines.ts';
import { entryName } from '../../../src/core/ivr/export/dialplan-names.ts';
import {
  ariSetupLines,
  httpSetupLines,
  isDialledNumber,
  newPbxPassword,
  numberLine,
  setupUrls,
} from '../../../src/core/calls/setup-lines.ts';

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

function stored(menus: Readonly<Record<string, readonly string[]>>): Map<IvrId, Ivr> {
  return new Map(
    Object.entries(menus).map(([id, destination]): [IvrId, Ivr] => {
      const parsed = parseIvrBody({ ...ivrBody, name: id, destination }, { smsTemplatesEnabled: false });
      if (!parsed.ok) throw new Error(id);
      return [
        id as IvrId,
        { ...parsed.value.body, id: id as IvrId, version: 1, created_at: '', updated_at: '' },
      ];
    }),
  );
}

describe('the flow of a stored menu', () => {
  const menus = stored({
    a: ['ivr||b', 'extension||1', 'ivr||gone'],
    b: ['ivr||a', 'ivr||b', 'hangup'],
    unreached: ['hangup', 'hangup', 'hangup'],
  });

  test('has every menu that is reached, also in a circle', () => {
    const flow = flowOfStored(menus, 'a');
    expect([...(flow?.menus.keys() ?? [])].sort()).toEqual(['a', 'b']);
    expect(flow?.start).toBe('a');
    const [first, , last] = [...(flow?.menus.get('a' as never)?.keys.values() ?? [])];
    expect(first?.to).toEqual({ kind: 'menu', menu: 'b' });
    expect(last?.to).toEqual({ kind: 'destination', destination: 'ivr||gone', node: null });
  });

  test('is none for an unknown id', () => {
    expect(flowOfStored(menus, 'nothing')).toBeNull();
  });

  test('is read as it was written, and the same flow is the same text', () => {
    const flow = flowOfStored(menus, 'a');
    if (flow === null) throw new Error('none');
    const text = writeFlow(flow);
    expect(text).not.toContain('speech');
    const read = readFlow(text);
    expect(read === null ? '' : writeFlow(read)).toBe(text);
    expect(read?.menus.get('b' as never)?.keys).toEqual(flow.menus.get('b' as never)?.keys);
    const speech = { language: 'es-ES', voice: null };
    const spoken = new Map([...menus].map(([id, ivr]) => [id, { ...ivr, speech }]));
    const inSpanish = flowOfStored(spoken, 'a');
    if (inSpanish === null) throw new Error('none');
    expect(readFlow(writeFlow(inSpanish))?.menus.get('b' as never)?.speech).toEqual(speech);
    expect(readFlow('{"start":1}')).toBeNull();
    expect(readFlow('no JSON')).toBeNull();
  });
});

describe('menus to hand calls over to', () => {
  const menus = stored({
    led: ['hangup', 'hangup', 'hangup'],
    start: ['ivr||led', 'ivr||start', 'hangup'],
  });

  test('are listed from those that no other menu leads to', () => {
    expect(callStarts([...menus.values()], []).map(({ id }) => id)).toEqual(['start', 'led']);
  });

  test('come after the call flows that lead to them; what is inside a call flow is left out, what it goes back to is not', () => {
    const hours = (id: string, open: string, closed: string): FlowPart => ({
      kind: 'hours',
      id: id as FlowPartId,
      name: id,
      hours: 'hrs_1' as ScheduleId,
      open,
      closed,
      holiday: null,
    });
    const inner: FlowPart = {
      kind: 'message',
      id: 'message_inner' as FlowPartId,
      name: 'Closed',
      recording: 'outbound_tts||Closed',
      then: 'hangup',
    };
    const back = stored({ back: ['hours||hours_back', 'hangup', 'hangup'] });
    const all = [...menus.values(), ...back.values()];
    const parts = [
      hours('hours_start', 'ivr||start', 'message||message_inner'),
      inner,
      hours('hours_back', 'ivr||back', 'hangup'),
      hours('hours_alone', 'hangup', 'hours||hours_alone'),
    ];
    expect(callStarts(all, parts).map(({ id }) => id)).toEqual([
      'hours_start',
      'hours_back',
      'hours_alone',
      'led',
      'start',
      'back',
    ]);
  });

  test('have the prompts of the menus that they lead to, each as it is spoken there', () => {
    const spoken = new Map<IvrId, StoredIvr>(menus);
    const led = spoken.get('led' as IvrId)!;
    const speech = { language: 'es-ES', voice: null };
    spoken.set(led.id, { ...led, recording: 'outbound_tts||Welcome', speech });
    const heard = heardFromStored(spoken, 'start');
    expect(heard).toContainEqual({ prompt: 'outbound_tts||Welcome', speech });
    expect(heard).toContainEqual({ prompt: ivrBody.recording, speech: undefined });
    expect(heardFromStored(spoken, 'nothing')).toEqual([]);
  });
});

test.each([
  ['http://127.0.0.1:8088', 'loopback'],
  ['http://localhost:8088/asterisk', 'loopback'],
  ['http://[::1]:8088', 'loopback'],
  ['https://127.0.0.2', 'loopback'],
  ['https://pbx.example.com:8089', 'public'],
  ['https://127.0.0.1.example.com', 'public'],
  ['http://[fd00::1]:8088/', 'public'],
])('Asterisk at %s fetches prompts at the %s address', (pbxUrl, address) => {
  expect(promptsBaseUrl(pbxUrl, { loopback: 'loopback', public: 'public' })).toBe(address);
});

describe('the lines of the setup', () => {
  test('a new password needs no escapes in ari.conf and is accepted by the contract', () => {
    const password = newPbxPassword(Uint8Array.from({ length: 255 }, (_, byte) => byte));
    expect(password).toMatch(/^[A-Za-z0-9]{255}$/);
    const pbx = { name: 'office', url: setupUrls.here, user: 'rotavox', password };
    expect(AddPbx.safeParse(pbx).success).toBe(true);
    expect(ariSetupLines(pbx).lines).toEqual([
      '[general]',
      'enabled = yes',
      '',
      '[rotavox]',
      'type = user',
      'read_only = no',
      'password_format = plain',
      `password = ${password}`,
    ]);
  });

  test('another computer needs TLS, this one listens on loopback only', () => {
    expect(httpSetupLines('here').lines).toContain('bindaddr = 127.0.0.1');
    expect(httpSetupLines('elsewhere').lines).toContain('tlsenable = yes');
  });

  test('a number leads to the context of its menu, and cannot be a pattern or more than a number', () => {
    const menu = { name: 'Reception', id: 'ivr_1' };
    expect(numberLine('700', menu)).toBe(`exten => 700,1,Goto(${entryName(menu)}_calls,s,1)`);
    expect(['700', '+49301234', '*5'].every(isDialledNumber)).toBe(true);
    expect(['', '_X.', '700,1', '7 0', '${X}'].some(isDialledNumber)).toBe(false);
  });
});

test('the guide for Asterisk has the contexts of the rules for plain Asterisk', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../resources/asterisk/README.md'), 'utf8');
  for (const [type, rule] of Object.entries(plainDestinationRules)) {
    const { context } = rule!;
    expect(guide).toMatch(new RegExp(`^\\[${context}\\]\nexten => `, 'm'));
    expect(guide, type).toMatch(
      new RegExp(`^- \`${type}\\|\\|.*or \`${context},|with FreePBX, \`${context},`, 'm'),
    );
  }
});

test('the guide for Asterisk has the lines that the windows show', () => {
  const guide = readFileSync(join(import.meta.dirname, '../../../resources/asterisk/README.md'), 'utf8');
  const { lines } = handOverLines({ name: 'Reception', id: 'ivr_1' });
  const withoutNames = (text: string): string =>
    text.replaceAll(/rotavox_reception_[0-9a-f]{8}/g, 'rotavox_reception').replaceAll('ivr_1', 'ivr_…');
  const indented = lines.filter((line) => !line.startsWith(';')).map((line) => `   ${line}`);
  expect(withoutNames(guide)).toContain(withoutNames(indented.join('\n')));
});
