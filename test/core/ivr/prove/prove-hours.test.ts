import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DraftNode, type IvrDocument, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import type { IvrDirectory } from '../../../../src/contract/menu/ivr-reference.ts';
import {
  type ScheduleHours,
  ScheduleId,
  type ScheduleSwitch,
} from '../../../../src/contract/menu/schedule.ts';
import { type CallState, startCall, step } from '../../../../src/core/ivr/call/step.ts';
import { checkDraft } from '../../../../src/core/ivr/check-draft.ts';
import {
  changeMenu,
  newEnd,
  newHours,
  newMenu,
  newMessage,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { checkForOtherService } from '../../../../src/core/ivr/prove/check-other-service.ts';
import { menusOnly } from '../../../../src/core/ivr/flow.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const place = { x: 0, y: 0 };
const day = [{ from: '08:00', to: '17:00' }];
const week = { mon: day, tue: day, wed: day, thu: day, fri: [], sat: [], sun: [] };

function schedule(id: string, change: Partial<ScheduleHours> = {}): ScheduleHours {
  return { id: ScheduleId.parse(id), name: id, time_zone: 'UTC', weekly: week, exceptions: [], ...change };
}

const known: IvrDirectory = {
  recordings: { has: () => true },
  extensions: new Set(['101', '102', '7']),
  menus: new Set(),
  smsTemplates: new Set(),
  routedTypes: new Set(['extension', 'voicemail']),
  smsTemplatesEnabled: true,
  schedules: { get: (id) => (id.startsWith('gone') ? undefined : schedule(id)) },
};

const id = (text: string) => NodeId.parse(text);

function draw(nodes: readonly DraftNode[], first: string): IvrDocument {
  return {
    name: 'Drawn',
    caller: { place, to: id(first) },
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    scenarios: {},
  };
}

function elsewhere(document: IvrDocument) {
  return checkForOtherService(document, menusOnly(id('reception'), new Map()));
}

function found(document: IvrDocument, directory: IvrDirectory | null = known) {
  return checkDraft(document, directory, 0).problems.map(({ severity, code, path }) => [
    severity,
    code,
    path,
  ]);
}

const bye = newEnd(id('bye'), 'hangup', '', place);
const hours = (name: string, open: string | null, closed: string | null, of: string | null = name) => ({
  ...newHours(id(name), of === null ? null : ScheduleId.parse(of), place),
  open: open === null ? null : id(open),
  closed: closed === null ? null : id(closed),
});
const message = (name: string, then: string | null) => ({
  ...newMessage(id(name), name, place),
  recording: 'recording||1',
  then: then === null ? null : id(then),
});

describe('the checks of opening hours and messages', () => {
  it.each<[string, IvrDocument, unknown[]]>([
    ['nothing', draw([hours('ask', 'say', 'bye'), message('say', 'bye'), bye], 'ask'), []],
    [
      'no schedule and no exits',
      draw([hours('ask', null, null, null)], 'ask'),
      [
        ['error', 'field_open', 'nodes.ask.hours'],
        ['error', 'destination_open', 'nodes.ask.open'],
        ['error', 'destination_open', 'nodes.ask.closed'],
      ],
    ],
    [
      'a schedule that is gone',
      draw([hours('ask', 'bye', 'bye', 'gone1'), bye], 'ask'),
      [['error', 'schedule_unknown', 'nodes.ask.hours']],
    ],
    [
      'hours that only lead to each other',
      draw([hours('one', 'two', 'two'), hours('two', 'one', 'bye'), bye], 'one'),
      [['error', 'circle_unheard', 'nodes.one.open']],
    ],
    [
      'a message that leads to itself',
      draw([message('say', 'say')], 'say'),
      [['error', 'message_to_itself', 'nodes.say.then']],
    ],
    [
      'messages that nobody leaves',
      draw([message('say', 'more'), message('more', 'say')], 'say'),
      [
        ['error', 'no_way_out', 'nodes.say.then'],
        ['error', 'no_way_out', 'nodes.more.then'],
      ],
    ],
    [
      'a message that is repeated while it is closed',
      draw([hours('ask', 'bye', 'say'), message('say', 'ask'), bye], 'ask'),
      [['error', 'endless_without_key', 'nodes.ask.closed']],
    ],
    [
      'what no call reaches',
      draw([hours('ask', 'bye', 'bye'), message('say', 'bye'), bye], 'ask'),
      [['error', 'unreachable', 'nodes.say']],
    ],
  ])('find %s', (_what, document, problems) => {
    expect(found(document)).toEqual(problems);
  });

  it('warn of a schedule that is never open or never closed', () => {
    const document = draw([hours('ask', 'bye', 'bye'), bye], 'ask');
    const always = [{ from: '00:00', to: '24:00' }];
    const of = (ranges: typeof always) => ({
      ...known,
      schedules: {
        get: (name: string) =>
          schedule(name, {
            weekly: {
              ...{ mon: ranges, tue: ranges, wed: ranges, thu: ranges, fri: ranges, sat: ranges },
              sun: ranges,
            },
          }),
      },
    });
    expect(checkDraft(document, of([]), 0).problems).toMatchObject([
      { severity: 'warning', code: 'hours_never', params: { state: 'open' } },
    ]);
    expect(checkDraft(document, of(always), 0).problems).toMatchObject([{ params: { state: 'closed' } }]);
  });
});

describe('the checks of keys of several digits and of direct dial', () => {
  const reception = id('reception');
  const first = twoMenus.nodes[reception];
  const withKeys = (keys: readonly string[]) => {
    if (first?.kind !== 'menu') throw new Error('a menu');
    const [key] = first.keys;
    const opening = first.keys[1];
    if (key === undefined || opening === undefined) throw new Error('two keys');
    return changeMenu(twoMenus, reception, {
      keys: [...keys.map((one) => ({ ...key, key: one })), { ...opening, key: '*' }],
    });
  };
  const about = (document: IvrDocument) =>
    checkDraft({ ...document, scenarios: {} }, known, 0).problems.map(({ code, params }) => ({
      code,
      params,
    }));

  it('say which key waits, and for what', () => {
    expect(about(withKeys(['1', '101', '2']))).toContainEqual({
      code: 'key_waits',
      params: { menu: 'Reception', key: '1', longer: '101', seconds: 2 },
    });
    const dialling = changeMenu(withKeys(['1', '7']), reception, {
      direct_dial: { numbers: 'directory', digit_timeout: 3 },
    });
    expect(about(dialling)).toContainEqual({
      code: 'key_waits',
      params: { menu: 'Reception', key: '1', longer: '102', seconds: 3 },
    });
    expect(about(dialling)).toContainEqual({
      code: 'number_is_key',
      params: { menu: 'Reception', key: '7' },
    });
  });

  it('ask to look at patterns, and refuse those that could leave the telephone system', () => {
    const dial = (numbers: string[]) =>
      about(changeMenu(withKeys(['1']), reception, { direct_dial: { numbers, digit_timeout: 2 } }));
    expect(dial(['1XX'])).toContainEqual({
      code: 'numbers_by_pattern',
      params: { menu: 'Reception', patterns: ['1XX'], numbers: 100, unlisted: 98 },
    });
    expect(dial(['101']).map(({ code }) => code)).not.toContain('numbers_by_pattern');
    expect(dial(['*72'])).toContainEqual({
      code: 'field_not_allowed',
      params: { of: 'pattern', menu: 'Reception', pattern: '*72', why: 'first' },
    });
    expect(dial([])).toContainEqual({ code: 'field_open', params: { of: 'numbers', menu: 'Reception' } });
  });

  it('name numbers of the directory that cannot be dialled', () => {
    const document = changeMenu(withKeys(['1']), reception, {
      direct_dial: { numbers: 'directory', digit_timeout: 2 },
    });
    const of = (extensions: string[]) =>
      checkDraft({ ...document, scenarios: {} }, { ...known, extensions: new Set(extensions) }, 0).problems;
    expect(of(['101', '0049151', '*72'])).toContainEqual(
      expect.objectContaining({
        code: 'numbers_not_dialled',
        params: { menu: 'Reception', numbers: ['0049151', '*72'], count: 2, all: false },
      }),
    );
    expect(of([])).toContainEqual(
      expect.objectContaining({ params: { menu: 'Reception', numbers: [], count: 0, all: true } }),
    );
  });

  it('say what another service cannot have', () => {
    const document = changeMenu(withKeys(['1', '10']), reception, {
      direct_dial: { numbers: 'directory', digit_timeout: 2 },
    });
    expect(elsewhere(twoMenus)).toEqual([]);
    expect(elsewhere(document).map(({ path, params }) => [path, params])).toEqual([
      ['nodes.reception.direct_dial', { what: 'direct_dial', name: 'Reception', key: null }],
      ['nodes.reception.keys.1.key', { what: 'long_key', name: 'Reception', key: '10' }],
    ]);
  });
});

const names = ['one', 'two', 'three', 'four'] as const;

/** Any nodes that lead anywhere; opening hours each with a schedule of their own. */
const anyFlow: fc.Arbitrary<IvrDocument> = fc
  .tuple(
    ...names.map((name) =>
      fc.record({
        name: fc.constant(name),
        kind: fc.constantFrom('menu' as const, 'hours' as const, 'message' as const),
        to: fc.array(fc.constantFrom(...names, 'bye', 'bye', 'bye', 'bye'), { minLength: 3, maxLength: 3 }),
      }),
    ),
  )
  .map((plans) => {
    const nodes = plans.map(
      ({ name, kind, to: [first = 'bye', second = 'bye', third = 'bye'] }): DraftNode => {
        if (kind === 'hours') return { ...hours(name, first, second), holiday: id(third) };
        if (kind === 'message') return message(name, first);
        return {
          ...newMenu(id(name), name, place),
          ...{ description: name, recording: 'recording||1', invalid_recording: 'recording||2' },
          ...{ timeout_retry_recording: 'recording||3', timeout_recording: 'recording||4' },
          ...{ incorrect_count: 0, timeout_tries: 0 },
          keys: [{ key: '1', to: id(first), sms_template: null }],
          invalid_destination: id(second),
          timeout_destination: id(third),
        };
      },
    );
    return draw([...nodes, bye], 'one');
  });

/** Whether a caller who does the same in every menu comes out, with opening hours set like this. */
function comesOut(flow: Flow, switches: ReadonlyMap<ScheduleId, ScheduleSwitch>, isSilent: boolean): boolean {
  const now = { at: 0, switches };
  let { state }: { state: CallState } = startCall(flow, now);
  for (let steps = 0; steps < 60 && state.kind !== 'ended'; steps += 1) {
    const next = state.kind === 'playing' ? 'prompt_ended' : 'silence';
    const wrong = state.kind === 'waiting' && !isSilent;
    ({ state } = step(flow, state, wrong ? { kind: 'key', key: '9' } : { kind: next }, now));
  }
  return state.kind === 'ended';
}

describe('a proof without an error', () => {
  const circles = new Set(['circle_unheard', 'endless_without_key', 'no_way_out', 'message_to_itself']);

  it('means that every caller comes out, however opening hours are set', () => {
    let proved = 0;
    fc.assert(
      fc.property(anyFlow, (document) => {
        const { flow, problems } = checkDraft(document, known, 0);
        const isProved = !problems.some(({ code }) => circles.has(code));
        if (flow === null || !isProved) return;
        proved += 1;
        const asked = [...flow.hours.values()].map(({ schedule: { id: one } }) => one);
        for (let choice = 0; choice < 2 ** asked.length; choice += 1) {
          const switches = new Map(
            asked.map((one, bit) => [
              one,
              { to: (choice >> bit) % 2 === 0 ? 'open' : 'closed', until: null } as const,
            ]),
          );
          expect(comesOut(flow, switches, true)).toBe(true);
          expect(comesOut(flow, switches, false)).toBe(true);
        }
        expect(comesOut(flow, new Map(), true)).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(proved).toBeGreaterThan(10);
  });
});
