import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScheduleSwitch } from '../../src/contract/menu/schedule.ts';
import { compileDraft } from '../../src/core/ivr/compile/compile-draft.ts';
import { startCall } from '../../src/core/ivr/call/step.ts';
import { entryName } from '../../src/core/ivr/export/dialplan-names.ts';
import { switchFunction, switchValue } from '../../src/core/ivr/export/dialplan-hours.ts';
import type { Flow } from '../../src/core/ivr/flow.ts';
import { dialled, type Dialled } from '../fixtures/dialled.ts';
import { installExports } from '../fixtures/exported-calls.ts';
import { officeDocument, officeHours, officeSources } from '../fixtures/office-document.ts';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';

const office = flowOf(officeDocument);
const entered = entryName({ name: 'Office', id: 'Office' });

function flowOf(document: typeof officeDocument): Flow {
  const compiled = compileDraft(document, officeSources);
  expect(compiled.ok).toBe(true);
  return compiled.ok ? compiled.value : expect.fail();
}

describe('an exported menu with opening hours', () => {
  it.each([
    { clock: '2026-11-27T12:00:00Z', arrives: 'menu_reception' },
    { clock: '2026-11-28T12:00:00Z', arrives: 'message_we_are_closed' },
    { clock: '2026-12-25T09:00:00Z', arrives: 'message_merry_christmas' },
  ])('leads a caller at $clock to $arrives, as the simulator does', async ({ clock, arrives }) => {
    await using asterisk = await startAsterisk({ modules: ['func_db'], startsAt: new Date(clock) });
    await installExports(asterisk, [{ name: 'Office', flow: office }]);
    expect(await asterisk.log()).not.toMatch(/WARNING|ERROR/);
    expect(await arrival(asterisk)).toBe(arrives);
    const { state } = startCall(office, { at: Date.parse(clock), switches: new Map() });
    expect(state.kind === 'playing' && arrives.endsWith(state.menu)).toBe(true);
  });

  it('leads callers where a person has set it by hand, until that ends', async () => {
    const clock = Date.parse('2026-11-27T12:00:00Z');
    await using asterisk = await startAsterisk({ modules: ['func_db'], startsAt: new Date(clock) });
    await installExports(asterisk, [{ name: 'Office', flow: office }]);
    const set = (value: ScheduleSwitch) =>
      asterisk.ari('POST', '/asterisk/variable', {
        query: { variable: switchFunction(officeHours.id), value: switchValue(value) },
      });
    await set({ to: 'closed', until: null });
    expect(await arrival(asterisk)).toBe('message_we_are_closed');
    await set({ to: 'closed', until: '2026-11-27T11:00:00.000Z' });
    expect(await arrival(asterisk)).toBe('menu_reception');
    await set({ to: 'closed', until: '2026-11-27T16:00:00.000Z' });
    expect(await arrival(asterisk)).toBe('message_we_are_closed');
    // What was set stays when Asterisk is started again and Rotavox is not there.
    await asterisk.stop();
    await asterisk.run();
    expect(await arrival(asterisk)).toBe('message_we_are_closed');
    await set({ to: 'schedule', until: null });
    expect(await arrival(asterisk)).toBe('menu_reception');
  });
});

/** The context in which a caller hears the first prompt. */
async function arrival(asterisk: Asterisk): Promise<string> {
  const callers = await AsteriskCallers.connect(asterisk);
  const caller = await callers.call(`s@${entered}`);
  const { channel } = await caller.next(
    ({ type, dialplan_app: app }) =>
      type === 'ChannelDialplan' && (app === 'BackGround' || app === 'Playback'),
  );
  await caller.hangUp();
  await callers.close();
  return channel!.dialplan.context.slice(entered.length + 1);
}

describe('an exported menu that takes several digits', () => {
  let asterisk: Asterisk;
  let callers: AsteriskCallers;

  beforeAll(async () => {
    asterisk = await startAsterisk({ modules: ['func_db'] });
    callers = await AsteriskCallers.connect(asterisk);
    await installExports(asterisk, [{ name: 'Office', flow: office }]);
    await asterisk.ari('POST', '/asterisk/variable', {
      query: { variable: switchFunction(officeHours.id), value: 'open:0' },
    });
  });
  afterAll(async () => {
    await callers.close();
    await asterisk.close();
  });

  it.concurrent.each([
    ...['0', '1', '10', '101', '102', '12', '2001', '1#', '12#', '*1', '10#'],
    // Toll fraud: feature codes, outside lines, long numbers, what begins with something that is allowed.
    ...[
      '*72',
      '*729011',
      '9',
      '9011',
      '90114930123456',
      '00',
      '0049301234',
      '011',
      '#',
      '2001#',
      '20',
      '200',
      '20019',
    ],
    ...[
      '1019',
      '12345678901234567890',
      '112',
      '911',
      '4930123456',
      '0815',
      '**',
      '##1',
      '3#101',
      '9*72#2001',
    ],
  ])('leads a caller who dials %s as the simulator does', async (typed) => {
    const caller = await callers.call(`s@${entered}`);
    await caller.begins('BackGround');
    await caller.press(typed);
    const { channel } = await caller.next(
      ({ type, channel }) => type === 'ChannelDialplan' && isChosen(channel!.dialplan),
    );
    await caller.hangUp();
    const { context, exten } = channel!.dialplan;
    expect(chosen(context.slice(entered.length + 1), exten), caller.story()).toEqual(
      simulated(office, typed),
    );
  });

  // FreePBX/issue-tracker#604: `#` made every key wait. irontec/ivozprovider#16: numbers of a known length waited, too.
  it.each([
    ['0', false],
    ['101', false],
    ['10', true],
    ['1', true],
    ['12', false],
    ['1#', false],
  ])('lets a caller who dials %s wait: %s', async (typed, doesWait) => {
    const caller = await callers.call(`s@${entered}`);
    await caller.begins('WaitExten');
    await caller.press(typed);
    const event = await caller.next(
      ({ type, channel }) => type === 'ChannelDialplan' && isChosen(channel!.dialplan),
    );
    const last = caller.events.findLast(({ type }) => type === 'ChannelDtmfReceived');
    const waited = Date.parse(event.timestamp) - Date.parse(last!.timestamp);
    await caller.hangUp();
    if (doesWait) expect(waited).toBeGreaterThan(950);
    else expect(waited, caller.story()).toBeLessThan(800);
  });
});

/** Where a call goes on that is no menu any more, or the prompt for a wrong key. */
function isChosen({ context, exten }: { readonly context: string; readonly exten: string }): boolean {
  return exten === 'wrong' || /_(?:destinations|direct_dial)$/.test(context);
}

function chosen(context: string, exten: string): string {
  return exten === 'wrong' ? 'wrong' : `${context},${exten}`;
}

/** The same for the simulator: after the last digit nothing comes for a while. */
function simulated(flow: Flow, typed: string): string {
  const choice: Dialled | null = dialled(flow, [...Array.from(typed), '-']);
  const { destination } = choice ?? {};
  if (destination === undefined) return 'wrong';
  const number = choice?.number ?? null;
  return number === null ? `destinations,${destination.replace('||', '_')}` : `direct_dial,${number}`;
}
