/**
 * Toll fraud by telephone keys: what attackers type into a menu that dials the numbers of the directory, live and in its export on a real
 * Asterisk. Whatever they type, only numbers of the directory are reached.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IvrId } from '../../src/contract/menu/ivr.ts';
import { flowOfStored } from '../../src/core/calls/flow-of-stored.ts';
import { entryName } from '../../src/core/ivr/export/dialplan-names.ts';
import type { Flow } from '../../src/core/ivr/flow.ts';
import { attackEntries } from '../fixtures/attack-numbers.ts';
import { dialled } from '../fixtures/dialled.ts';
import { installExports } from '../fixtures/exported-calls.ts';
import { type AriEvent, type AsteriskCaller, AsteriskCallers } from '../tools/asterisk-callers.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';
import { liveDialplan } from './agreeing-calls.ts';
import { CallHost } from './call-host.ts';

/** Every context that a call could get into takes whatever it is given. */
const everywhere = `${liveDialplan}
[default]
exten => _[0-9A-Za-z*#+]!,1,NoOp(arrived)
 same => n,Hangup()
`;
/** Queues and phones that keys of the menu lead to. */
const menu = {
  name: 'Attacked',
  option: ['1', '10', '*1', '0'],
  destination: ['extension||700', 'department||701', 'voicemail||702', 'extension||703'],
  incorrect_count: 0,
  timeout_tries: 0,
  invalid_destination: 'hangup',
  timeout_destination: 'hangup',
  timeout: 2,
  direct_dial: { numbers: 'directory' as const, digit_timeout: 1 },
};
/** The directory, with numbers that no menu dials for anybody. */
const numbers = ['101', '102', '12', '2001', '45', '0815', '*72', '4930123456'];
const allowed = ['101', '102', '12', '2001', '45', '700', '701', '*702', '703'];

let host: CallHost;
let asterisk: Asterisk;
let callers: AsteriskCallers;
let ivr: string;
let flow: Flow;

beforeAll(async () => {
  host = new CallHost();
  await host.start();
  for (const id of ['11', '12', '13', '14']) await host.addRecording(id, 0.4);
  await setNumbers(numbers);
  ivr = await host.addMenu(menu);
  asterisk = await startAsterisk({
    modules: ['chan_bridge_media', 'func_dialplan', 'func_db'],
    extensions: everywhere,
  });
  await host.addPbx(asterisk);
  callers = await AsteriskCallers.connect(asterisk);
  const stored = await host.ask('portalReadIvr', { params: { id: ivr } });
  const extensions = new Map(numbers.map((id) => [id, {}]));
  flow = flowOfStored(new Map([[ivr as IvrId, stored]]), ivr, { extensions })!;
  await installExports(asterisk, [{ name: ivr, flow }], everywhere);
});

afterAll(async () => {
  await callers.close();
  await host.close();
  await host.remove();
  await asterisk.close();
});

async function setNumbers(set: readonly string[], remove: string[] = []): Promise<void> {
  await host.ask('changeExtensions', { body: { set: set.map((id) => ({ id, name: id })), remove } });
}

interface Way {
  readonly name: string;
  readonly place: () => string;
  readonly hears: (event: AriEvent) => boolean;
  readonly waits: (event: AriEvent) => boolean;
}

const ways: readonly Way[] = [
  {
    name: 'a live menu',
    place: () => `${ivr}@live`,
    hears: ({ type }) => type === 'PlaybackStarted',
    waits: ({ type, variable, value = '' }) =>
      type === 'ChannelVarset' && variable === 'ROTAVOX_CALL' && value.includes('"kind":"waiting"'),
  },
  {
    name: 'an exported menu',
    place: () => `s@${entryName({ name: ivr, id: ivr })}`,
    hears: ({ dialplan_app: app }) => app === 'BackGround',
    waits: ({ dialplan_app: app }) => app === 'WaitExten',
  },
];

/** Where a call arrived that was followed to its end; `h` only says that it has ended. */
async function arrivals(caller: AsteriskCaller): Promise<string[]> {
  await caller.next(({ type }) => type === 'ChannelDestroyed');
  return caller.events.flatMap(({ type, dialplan_app_data: data, channel }) =>
    type === 'ChannelDialplan' && data === 'arrived' && channel!.dialplan.exten !== 'h'
      ? [channel!.dialplan.exten]
      : [],
  );
}

/** Where the simulator leads a caller who types this. */
function simulated(keys: string): string[] {
  const { key = null, number = null } = dialled(flow, [...keys.split(''), '-']) ?? {};
  if (number !== null) return [number];
  return key === null ? [] : [['700', '701', '*702', '703'][menu.option.indexOf(key)]!];
}

/** Less than the 50 ms that a key should last. */
const hasty = { key: 30, pause: 15 };

async function attack(way: Way, entries: readonly string[]): Promise<void> {
  const next = entries.entries();
  /** A call in which that was typed: on a busy machine one may end before, and another takes its place. */
  const typedBy = async (place: number, keys: string, isHasty: boolean): Promise<AsteriskCaller> => {
    for (;;) {
      const caller = await callers.call(way.place());
      await caller.next(place % 2 === 0 ? way.hears : way.waits);
      if (await caller.press(keys, isHasty ? hasty : undefined)) return caller;
    }
  };
  const attackOneAfterAnother = async (): Promise<void> => {
    for (const [place, keys] of next) {
      const isHasty = place % 3 === 0;
      const caller = await typedBy(place, keys, isHasty);
      const reached = await arrivals(caller);
      const note = `${keys}\n${caller.story()}`;
      expect(allowed, note).toEqual(expect.arrayContaining(reached));
      // Hasty keys may be heard as fewer.
      if (!isHasty) expect(reached, note).toEqual(simulated(keys));
    }
  };
  await Promise.all(Array.from({ length: 30 }, attackOneAfterAnother));
}

describe.each(ways)('$name that dials the directory', (way) => {
  test('leads to nothing else, whatever is typed', () =>
    attack(
      way,
      attackEntries.filter((_, place) => place % 9 === 0),
    ));

  test('leads to nothing else, whatever of 200 entries is typed', { tags: ['long'] }, async () => {
    expect(attackEntries.length).toBeGreaterThanOrEqual(200);
    await attack(way, attackEntries);
  });

  test('leads nowhere after a hang-up', async () => {
    const caller = await callers.call(way.place());
    await caller.next(way.hears);
    await caller.press('10');
    await caller.next(({ type }) => type === 'ChannelDtmfReceived');
    await caller.hangUp();
    await caller.press('1');
    expect(caller.story()).not.toContain('arrived');
  });
});

test('a call dials the numbers that the directory had when it began, and the next call those that it has now', async () => {
  const [live] = ways;
  const begin = async (): Promise<AsteriskCaller> => {
    const caller = await callers.call(live!.place());
    await caller.next(live!.waits);
    return caller;
  };
  const dial = async (caller: AsteriskCaller, number: string): Promise<string[]> => {
    await caller.press(number);
    return arrivals(caller);
  };
  const [first, second] = [await begin(), await begin()];
  await setNumbers(['103'], ['102']);
  expect(await Promise.all([dial(first, '103'), dial(second, '102')])).toEqual([[], ['102']]);
  expect(await dial(await begin(), '102')).toEqual([]);
  expect(await dial(await begin(), '103')).toEqual(['103']);
  await setNumbers(['102'], ['103']);
});
