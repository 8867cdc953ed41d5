import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CallHappening, FlowTarget } from '../../../../src/contract/menu/ivr-call.ts';
import type { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import type { DirectDial } from '../../../../src/contract/menu/ivr.ts';
import type { ScheduleHours, ScheduleId, ScheduleSwitch } from '../../../../src/contract/menu/schedule.ts';
import { isDialable, patternFault } from '../../../../src/core/ivr/call/dialable.ts';
import { runInputs } from '../../../../src/core/ivr/call/run-scenario.ts';
import {
  type CallInput,
  type CallState,
  type CallTime,
  startCall,
  step,
} from '../../../../src/core/ivr/call/step.ts';
import { type Flow, type FlowMenu, menusOnly } from '../../../../src/core/ivr/flow.ts';
import { anyTime } from '../../../fixtures/any-time.ts';

const id = (text: string) => text as NodeId;
const out = (destination: string): FlowTarget => ({ kind: 'destination', destination, node: null });
const toMenu: FlowTarget = { kind: 'menu', menu: id('main') };
const office = 'hours_office' as ScheduleId;

const open = [{ from: '08:00', to: '17:00' }];
const schedule: ScheduleHours = {
  id: office,
  name: 'Office',
  time_zone: 'Europe/Berlin',
  weekly: { mon: open, tue: open, wed: open, thu: open, fri: open, sat: [], sun: [] },
  exceptions: [{ date: '12-25', name: 'Christmas', ranges: [] }],
};

function menu(keys: readonly string[], directDial: DirectDial | null = null): FlowMenu {
  return {
    id: id('main'),
    name: 'Main',
    description: '',
    recording: 'recording||main',
    timeoutSeconds: 5,
    keys: new Map(keys.map((key) => [key, { to: out(`extension||key${key}`), smsTemplate: null }])),
    wrongKey: { recording: 'recording||wrong', retries: 1, to: out('extension||wrong') },
    timeout: {
      retries: 0,
      retryRecording: 'recording||again',
      lastRecording: 'recording||last',
      to: out('extension||silent'),
    },
    directDial,
  };
}

const directory: DirectDial = { numbers: 'directory', digit_timeout: 3 };

function dialling(
  keys: readonly string[],
  directDial: DirectDial | null,
  extensions: readonly string[] = [],
): Flow {
  const one = menu(keys, directDial);
  return { ...menusOnly(one.id, new Map([[one.id, one]])), extensions: new Set(extensions) };
}

/** The state of a call after its prompts, with every digit that ends an entry given. */
function enter(flow: Flow, keys: string): { readonly state: CallState; readonly log: CallHappening[] } {
  const first = startCall(flow, anyTime);
  const log = [...first.happenings];
  let { state } = first;
  const give = (input: CallInput): void => {
    const next = step(flow, state, input, anyTime);
    log.push(...next.happenings);
    ({ state } = next);
  };
  give({ kind: 'prompt_ended' });
  for (const key of keys) give(key === '.' ? { kind: 'digits_ended' } : { kind: 'key', key });
  return { state, log };
}

const endOf = ({ state }: { readonly state: CallState }): string =>
  state.kind === 'ended' ? state.destination : state.kind;

describe('an entry of several digits', () => {
  const flow = dialling(['1', '2', '10', '101', '*1'], null);

  it.each([
    // No longer entry begins with it: at once.
    ['2', 'extension||key2'],
    ['101', 'extension||key101'],
    ['*1', 'extension||key*1'],
    // A longer one may follow.
    ['1', 'collecting'],
    ['10', 'collecting'],
    ['1.', 'extension||key1'],
    ['10.', 'extension||key10'],
    ['1#', 'extension||key1'],
    ['10#', 'extension||key10'],
  ])('%s leads to %s', (keys, end) => {
    expect(endOf(enter(flow, keys))).toBe(end);
  });

  it('that no key begins with is one wrong key, however long it is', () => {
    const { state, log } = enter(flow, `${'9'.repeat(40)}.`);
    expect(log.filter(({ kind }) => kind === 'key')).toEqual([
      { kind: 'key', menu: 'main', key: '9'.repeat(20), used: false },
    ]);
    expect(state).toMatchObject({ kind: 'playing', wrongKeys: 1, then: null });
  });

  it('says how long the next digit is waited for', () => {
    expect(enter(flow, '1').log.at(-1)).toEqual({ kind: 'digits', menu: 'main', digits: '1', seconds: 2 });
  });

  it('interrupts a prompt as a key does, and keeps the counters of the menu', () => {
    const { state } = startCall(flow, anyTime);
    expect(step(flow, state, { kind: 'key', key: '1' }, anyTime).state).toEqual({
      kind: 'collecting',
      menu: 'main',
      digits: '1',
      wrongKeys: 0,
      timeouts: 0,
    });
  });

  it('takes # as a key where the menu has it, and as the end of nothing', () => {
    expect(endOf(enter(dialling(['#', '1', '11'], null), '#'))).toBe('extension||key#');
    expect(endOf(enter(dialling(['#', '1', '11'], null), '1#'))).toBe('collecting');
    expect(enter(flow, '#').state).toMatchObject({ kind: 'playing', wrongKeys: 1 });
  });

  it('follows each other in a scenario; a pause or the last input ends it', () => {
    const end = (inputs: string): string => {
      const { state } = runInputs(flow, inputs.split(''), anyTime);
      return state.kind === 'ended' ? state.destination : state.kind;
    };
    expect(end('101')).toBe('extension||key101');
    expect(end('10')).toBe('extension||key10');
    expect(end('1-')).toBe('extension||key1');
    expect(end('9-2')).toBe('extension||key2');
    expect(end('-')).toBe('extension||silent');
  });
});

describe('a dialled number', () => {
  it('leads to its extension, and a key that is the same goes before it', () => {
    const flow = dialling(['1', '103'], directory, ['101', '103', '2']);
    expect(endOf(enter(flow, '101'))).toBe('extension||101');
    expect(enter(flow, '101').log.at(-1)).toMatchObject({
      kind: 'led',
      port: { kind: 'number', number: '101' },
    });
    expect(endOf(enter(flow, '2'))).toBe('extension||2');
    expect(endOf(enter(flow, '103'))).toBe('extension||key103');
    expect(endOf(enter(flow, '1.'))).toBe('extension||key1');
    expect(enter(flow, '1').log.at(-1)).toMatchObject({ seconds: 3 });
  });

  it.each([
    ['1XX', '150', true],
    ['1XX', '250', false],
    ['Z0', '90', true],
    ['N0', '10', false],
    ['101', '101', true],
    // Emergency and service numbers, also after a digit for a line.
    ['1XX', '112', false],
    ['1XX', '110', false],
    ['9XX', '911', false],
    ['9XXX', '9911', false],
    ['ZXX', '411', false],
    ['116XXX', '116117', false],
    ['11XXX', '11880', false],
    ['118XXX', '118118', false],
    ['118XX', '11850', false],
  ])('%s and %s: %s', (pattern, number, is) => {
    const numbers = { numbers: [pattern], digit_timeout: 2 };
    expect(isDialable({ directDial: numbers }, new Set(), number)).toBe(is);
    expect(endOf(enter(dialling([], numbers), `${number}.`))).toBe(is ? `extension||${number}` : 'playing');
  });

  it('that is longer than what is allowed has led to its beginning already', () => {
    const numbers = { numbers: ['1XX'], digit_timeout: 2 };
    expect(isDialable({ directDial: numbers }, new Set(), '1500')).toBe(false);
    expect(endOf(enter(dialling([], numbers), '1500'))).toBe('extension||150');
  });

  it.each([
    ['0XX', 'first'],
    ['*72', 'first'],
    ['XXX', 'first'],
    ['#1', 'first'],
    ['1XXXXXX', 'too_long'],
    ['1X.', 'character'],
    ['1!', 'character'],
    ['1xx', 'character'],
    ['１０１', 'character'],
    ['112', 'service'],
    ['', 'empty'],
    ['ZXX', null],
    ['NXXXXX', null],
  ])('a pattern %s is judged: %s', (pattern, fault) => {
    expect(patternFault(pattern)).toBe(fault);
  });
});

/** What callers try who want calls at somebody else's cost. */
const attacks = [
  '*72',
  '*72900',
  '*21*900',
  '*67',
  '*82',
  '**21',
  '##',
  '#9',
  '*0',
  '0',
  '00',
  '000',
  '0900',
  '0049151',
  '00441234567890',
  '9',
  '91',
  '9011441234567',
  '901144',
  '911',
  '9911',
  '112',
  '0112',
  '110',
  '999',
  '1900555',
  '18095551234',
  '011',
  '01188216',
  '882',
  '+4915112345',
  '1234567',
  '12345678901234567890',
  '101101',
  '1010',
  '10',
  '1',
  '102#0049',
  '101*72',
  '１０１',
  '٠٠٤٩',
  '1०1',
  '𝟭𝟬𝟭',
  '1 01',
  '101;1',
  '101,1',
  '101&SIP/x',
  '${EXTEN}',
  'A',
  'D',
  '1A1',
  '_1XX',
  '1XX',
  'XXX',
  'constructor',
  '__proto__',
  '',
  '-101',
  '1e2',
  '0x65',
  ' 101',
  '101 ',
  ...Array.from({ length: 80 }, (_, at) => `9${String(at * 7919).padStart(7, '0')}`),
  ...Array.from({ length: 80 }, (_, at) => `0${String(at * 104729)}`),
];

describe('an attack on a menu that lets callers dial the directory', () => {
  const extensions = ['101', '102', '2001', '0049151', '*72', '1234567', '00441234567890'];
  const allowed = new Set([
    'extension||101',
    'extension||102',
    'extension||2001',
    'extension||key1',
    'extension||wrong',
  ]);

  it(`with ${attacks.length} entries reaches nothing that is not in it`, () => {
    expect(attacks.length).toBeGreaterThanOrEqual(200);
    const flow = dialling(['1'], directory, extensions);
    for (const attack of attacks) {
      // As single keys, also faster than a prompt, and as if a telephone sent it all as one key.
      for (const keys of [Array.from(attack), [attack]]) {
        let { state } = startCall(flow, anyTime);
        for (const key of keys) ({ state } = step(flow, state, { kind: 'key', key }, anyTime));
        ({ state } = step(flow, state, { kind: 'digits_ended' }, anyTime));
        if (state.kind === 'ended') expect(allowed).toContain(state.destination);
      }
    }
  });

  it('of any kind reaches nothing that is not in it', () => {
    const key = fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...'0123456789*#'.split('')) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
    );
    const input: fc.Arbitrary<CallInput> = fc.oneof(
      { weight: 6, arbitrary: key.map((one) => ({ kind: 'key', key: one }) as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom({ kind: 'digits_ended' } as const, { kind: 'prompt_ended' } as const),
      },
    );
    const reached = new Set([...allowed, 'extension||silent']);
    const flow = dialling(['1'], directory, extensions);
    fc.assert(
      fc.property(fc.array(input, { maxLength: 40 }), (inputs) => {
        let { state } = startCall(flow, anyTime);
        for (const one of inputs) ({ state } = step(flow, state, one, anyTime));
        if (state.kind === 'ended') expect(reached).toContain(state.destination);
      }),
    );
  });
});

describe('opening hours', () => {
  const at = (iso: string, by?: ScheduleSwitch): CallTime => ({
    at: Date.parse(iso),
    switches: new Map(by === undefined ? [] : [[office, by]]),
  });
  const hours = (name: string, opened: FlowTarget, closed: FlowTarget, holiday: FlowTarget | null = null) =>
    [id(name), { id: id(name), schedule, open: opened, closed, holiday }] as const;
  const message = { id: id('shut'), name: 'Shut', recording: 'recording||shut', then: out('voicemail||9') };
  const flow: Flow = {
    ...dialling(['1'], null),
    start: id('ask'),
    hours: new Map([hours('ask', toMenu, { kind: 'message', node: id('shut') }, out('extension||holiday'))]),
    messages: new Map([[message.id, message]]),
  };
  const monday = '2026-11-30T10:00:00Z';

  it('lead a call by their schedule, and say why', () => {
    expect(startCall(flow, at(monday)).happenings).toEqual([
      { kind: 'hours', menu: 'ask', hours: office, state: 'open', reason: { kind: 'weekly' } },
      { kind: 'led', menu: 'ask', port: { kind: 'open' }, to: toMenu },
      { kind: 'entered', menu: 'main' },
      { kind: 'playing', menu: 'main', prompt: { recording: 'recording||main', cause: 'menu' } },
    ]);
    expect(startCall(flow, at('2026-12-25T10:00:00Z')).state).toMatchObject({
      destination: 'extension||holiday',
    });
  });

  it('lead by hand while somebody has set them, until its end', () => {
    const shut = { to: 'closed', until: '2026-11-30T12:00:00.000Z' } as const;
    expect(startCall(flow, at(monday, shut)).state).toMatchObject({ kind: 'playing', menu: 'shut' });
    expect(startCall(flow, at('2026-11-30T12:00:00Z', shut)).state).toMatchObject({ menu: 'main' });
  });

  it('lead holidays as closed where they have no exit of their own', () => {
    const plain = { ...flow, hours: new Map([hours('ask', toMenu, out('extension||closed'))]) };
    expect(startCall(plain, at('2026-12-25T10:00:00Z')).state).toMatchObject({
      destination: 'extension||closed',
    });
  });

  it('that only lead to each other end the call', () => {
    const to = (name: string): FlowTarget => ({ kind: 'hours', node: id(name) });
    const circle = {
      ...flow,
      hours: new Map([hours('ask', to('two'), to('two')), hours('two', to('ask'), to('ask'))]),
    };
    expect(startCall(circle, at(monday))).toMatchObject({ state: { kind: 'ended', destination: 'hangup' } });
  });

  it('are asked when a call comes to them, not when it begins', () => {
    const later: Flow = {
      ...dialling([], null),
      hours: new Map([hours('ask', out('extension||open'), out('extension||closed'))]),
    };
    const asking = {
      ...menu([]),
      keys: new Map([['1', { to: { kind: 'hours', node: id('ask') }, smsTemplate: null } as const]]),
    };
    const on = { ...later, menus: new Map([[asking.id, asking]]) };
    const { state } = startCall(on, at('2026-11-30T15:59:59Z'));
    expect(step(on, state, { kind: 'key', key: '1' }, at('2026-11-30T16:00:00Z')).state).toMatchObject({
      destination: 'extension||closed',
    });
  });

  it('a message plays to its end whatever is pressed, then leads on', () => {
    const { state } = startCall(flow, at('2026-11-29T10:00:00Z'));
    expect(step(flow, state, { kind: 'key', key: '1' }, anyTime)).toEqual({ state, happenings: [] });
    expect(step(flow, state, { kind: 'prompt_ended' }, anyTime)).toEqual({
      state: { kind: 'ended', destination: 'voicemail||9', node: null },
      happenings: [{ kind: 'led', menu: 'shut', port: { kind: 'then' }, to: message.then }],
    });
  });

  it('messages that lead to each other end a scenario', () => {
    const self = { ...message, then: { kind: 'message', node: message.id } as const };
    const endless = { ...flow, messages: new Map([[self.id, self]]) };
    expect(runInputs(endless, [], at('2026-11-29T10:00:00Z')).state.kind).toBe('ended');
  });
});
