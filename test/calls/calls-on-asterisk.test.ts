import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flowOfBody } from '../../src/core/ivr/body/flow-of-body.ts';
import { parseIvrBody } from '../../src/core/ivr/body/parse-ivr-body.ts';
import type { Asterisk } from '../tools/asterisk.ts';
import { type AsteriskCaller, AsteriskCallers } from '../tools/asterisk-callers.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';
import { CallHost, startReception, tone } from './call-host.ts';
import { callSteps, simulatedSteps } from './call-steps.ts';

let host: CallHost;
let asterisk: Asterisk;
let callers: AsteriskCallers;
let place: string;
let ivr: string;

/** Hands every extension over as the id of a menu. */
const anywhere = `
[anywhere]
exten => _ivr_.,1,Set(TIMEOUT(absolute)=15)
 same => n,Stasis(rotavox,\${EXTEN})
 same => n,Goto(T,1)
exten => T,1,Set(TIMEOUT(absolute)=0)
 same => n,Goto(rotavox_reception,s,1)
[limited]
exten => _X.,1,Set(TIMEOUT(absolute)=\${EXTEN})
 same => n,Goto(menu,s,1)
[limited-without-our-lines]
exten => _ivr_.,1,Set(TIMEOUT(absolute)=600)
 same => n,Stasis(rotavox,\${EXTEN})
 same => n,Hangup()
`;

beforeAll(async () => {
  host = new CallHost();
  await host.start();
  ({ asterisk, place, ivr } = await startReception(host, { extensions: anywhere }));
  await host.addPbx(asterisk);
  callers = await AsteriskCallers.connect(asterisk);
});

afterAll(async () => {
  await callers.close();
  await host.close();
  await host.remove();
  await asterisk.close();
});

function simulated(keys: readonly string[]): string[] {
  const parsed = parseIvrBody(ivrBody, { smsTemplatesEnabled: false });
  if (!parsed.ok) throw new Error('not a body');
  return simulatedSteps(flowOfBody(parsed.value.body, ivr), keys);
}

describe('a call on a real Asterisk', () => {
  test('hears its menu, presses a key and reaches its destination in the dialplan', async () => {
    const caller = await callers.call(place);
    const live = await host.liveCall(({ doing }) => doing === 'waiting');
    expect(live).toMatchObject({ ivr, pbx: 'office', draft: null, menu: ivr, keys: [] });
    await caller.press('1');
    await caller.arrivesAt('from-internal');
    const record = await host.record(({ id }) => id === live.id);
    expect(record).toMatchObject({
      keys: ['1'],
      end: { kind: 'destination', destination: 'extension||101' },
      menu_names: { [ivr]: 'Reception' },
    });
    expect(record.moments.map(({ kind }) => kind)).toEqual(['entered', 'played', 'waited', 'key', 'led']);
    expect(record.moments[1]).toMatchObject({ recording: 'recording||11', missing: null });
    await caller.hangUp();
  });

  test('takes wrong keys and timeouts as the simulator does', async () => {
    const caller = await callers.call(place);
    const { id } = await host.liveCall(({ doing }) => doing === 'waiting');
    await caller.press('7');
    await host.liveCall((call) => call.id === id && call.keys.join('') === '7' && call.doing === 'waiting');
    await caller.press('2');
    await caller.arrivesAt('from-internal');
    const record = await host.record((one) => one.id === id);
    const steps = callSteps(record);
    expect(steps).toEqual(simulated(['7', '2']));
    await caller.hangUp();
  });

  test('a key during the prompt stops it at once, and a hang-up is recorded with its menu', async () => {
    await host.ask('replaceRecording', { params: { id: '11' }, body: tone(20) });
    const caller = await callers.call(place);
    const { id } = await host.liveCall(({ doing }) => doing === 'playing');
    await caller.press('9');
    await host.liveCall((call) => call.id === id && call.keys.length === 1);
    await caller.hangUp();
    const record = await host.record((one) => one.id === id);
    expect(record.end).toEqual({ kind: 'hung_up', menu: ivr });
    expect(record.moments.some(({ kind }) => kind === 'waited')).toBe(false);
    await host.ask('replaceRecording', { params: { id: '11' }, body: tone(0.3) });
  });

  test('goes to the fallback when the destination is not in the dialplan', async () => {
    const menu = await host.addMenu({
      name: 'Lost',
      destination: ['extension||101', 'extension||999', 'hangup'],
    });
    const caller = await callers.call(`${menu}@anywhere`);
    const { id } = await host.liveCall((call) => call.ivr === menu && call.doing === 'waiting');
    await caller.press('2');
    await caller.arrivesAt('rotavox_reception');
    const record = await host.record((one) => one.id === id);
    expect(record.end).toEqual({ kind: 'failed', reason: 'no_such_place' });
    await caller.hangUp();
  });

  test('goes to the fallback at once when no menu has the id of the dialplan', async () => {
    const caller = await callers.call('ivr_unknown@anywhere');
    await caller.arrivesAt('rotavox_reception');
    const record = await host.record(({ ivr: first }) => first === 'ivr_unknown');
    expect(record.end).toEqual({ kind: 'failed', reason: 'no_such_menu' });
    await caller.hangUp();
  });

  test('passes over a recording that is gone, and says so', async () => {
    const menu = await host.addMenu({ name: 'Silent', recording: 'recording||nowhere' });
    const caller = await callers.call(`${menu}@anywhere`);
    const { id } = await host.liveCall((call) => call.ivr === menu && call.doing === 'waiting');
    await caller.press('1');
    await caller.arrivesAt('from-internal');
    const record = await host.record((one) => one.id === id);
    expect(record.moments[1]).toMatchObject({ kind: 'played', missing: 'gone' });
    await caller.hangUp();
  });

  test('leads from menu to menu, and keeps the menus that it began with', async () => {
    const second = await host.addMenu({ name: 'Second' });
    const first = await host.addMenu({ name: 'First', destination: [`ivr||${second}`, 'hangup', 'hangup'] });
    const caller = await callers.call(`${first}@anywhere`);
    const { id } = await host.liveCall((call) => call.ivr === first && call.doing === 'waiting');
    await host.ask('portalDeleteIvr', { params: { id: second } });
    await caller.press('1');
    await host.liveCall((call) => call.id === id && call.menu === second && call.doing === 'waiting');
    await caller.press('1');
    await caller.arrivesAt('from-internal');
    const record = await host.record((one) => one.id === id);
    expect(record.menu_names).toEqual({ [first]: 'First', [second]: 'Second' });
    await caller.hangUp();
  });

  test('rings a phone and runs a menu on it', async () => {
    const { call } = await host.ask('ringPhone', {
      params: { name: 'office' },
      body: { endpoint: 'Local/101@from-internal', menu: { ivr } },
    });
    const live = await host.liveCall(({ id, doing }) => id === call && doing === 'waiting');
    expect(live).toMatchObject({ ivr, caller: 'Local/101@from-internal' });
    await asterisk.ari('DELETE', `/channels/${call}`);
    const record = await host.record(({ id }) => id === call);
    expect(record.end.kind).toBe('hung_up');
  });
});

describe('the time limit of a site', () => {
  const isNearly600 = (seconds: number): boolean => seconds > 570 && seconds <= 600;
  async function leftOf({ ids }: AsteriskCaller): Promise<number> {
    const query = { variable: 'TIMEOUT(absolute)' };
    const answer = await asterisk.ari<{ value: string }>('GET', `/channels/${ids.call}/variable`, { query });
    return Number(answer.value);
  }

  test.each(['600@limited', () => `${ivr}@limited-without-our-lines`])(
    'goes on where the call leaves its menu (%s)',
    async (limited) => {
      const caller = await callers.call(typeof limited === 'string' ? limited : limited());
      const { id } = await host.liveCall(({ doing }) => doing === 'waiting');
      expect(await leftOf(caller)).toBeLessThanOrEqual(15);
      await caller.press('1');
      await caller.arrivesAt('from-internal');
      expect(await leftOf(caller)).toSatisfy(isNearly600);
      await caller.hangUp();
      await host.record((one) => one.id === id);
    },
  );

  test('goes on in the fallback', async () => {
    const caller = await callers.call('600@limited');
    await host.liveCall(({ doing }) => doing === 'waiting');
    await asterisk.ari('POST', `/channels/${caller.ids.call}/continue`);
    await caller.arrivesAt('rotavox_reception');
    expect(await leftOf(caller)).toSatisfy(isNearly600);
    await caller.hangUp();
  });

  test('ends the call in its menu, and gives nothing to the fallback', async () => {
    const caller = await callers.call('02@limited');
    await caller.next(({ type }) => type === 'ChannelDestroyed');
    expect(caller.story()).not.toContain(' rotavox_reception,');
    expect(caller.story()).toContain('Stasis(rotavox,');
  });
});

test('a telephone system is tested the way calls use it', async () => {
  const test = await host.ask('testPbx', { params: { name: 'office' } });
  expect(test).toEqual({
    version: expect.stringMatching(/^22\./) as string,
    checks: ['reach', 'sign_in', 'version', 'modules', 'rights', 'application', 'prompts'].map((check) => ({
      check,
      trouble: null,
    })),
    add: [],
    silent: expect.any(Array) as unknown,
  });
});

test('what callers do not hear is said by the test, and the telephone system is asked for its sounds', async () => {
  const prompts = ['custom/welcome', 'custom/hello', 'custom/nothing', 'wrong', 'a&b'];
  await asterisk.addSound('custom/welcome.wav', tone(0.2));
  await asterisk.addSound('en/custom/hello.wav', tone(0.2));
  const { silent } = await host.ask('checkPrompts', {
    body: {
      prompts: [
        ...prompts.map((id) => `recording||${id}`),
        'recording||11',
        // Spoken when its menu is stored.
        'outbound_tts||Hello',
        'outbound_tts||<play>',
      ],
    },
  });
  expect(silent).toEqual([
    { prompt: 'recording||custom/nothing', reason: 'no_sound', pbx: 'office' },
    { prompt: 'recording||wrong', reason: 'unknown_sound', pbx: null },
    { prompt: 'recording||a&b', reason: 'gone', pbx: null },
    {
      prompt: 'outbound_tts||<play>',
      reason: 'not_speech',
      pbx: null,
      speech: { kind: 'unreadable', at: 0, found: '<play>', fault: 'unknown' },
    },
  ]);
  const menu = await host.addMenu({ name: 'Own sounds', recording: 'recording||custom/nothing' });
  const test = await host.ask('testPbx', { params: { name: 'office' } });
  expect(test.silent).toContainEqual({
    menu: 'Own sounds',
    prompt: 'recording||custom/nothing',
    reason: 'no_sound',
    pbx: 'office',
  });
  await host.ask('portalDeleteIvr', { params: { id: menu } });
});

test('plays a sound of the telephone system by its name, and passes over one that it does not have', async () => {
  await asterisk.addSound('custom/welcome.wav', tone(0.2));
  const menu = await host.addMenu({
    name: 'Sounds of Asterisk',
    recording: 'recording||custom/welcome',
    invalid_recording: 'recording||custom/nothing',
  });
  const caller = await callers.call(`${menu}@anywhere`);
  const { id } = await host.liveCall((call) => call.ivr === menu && call.doing === 'waiting');
  await caller.press('7');
  await host.liveCall((call) => call.id === id && call.keys.length === 1 && call.doing === 'waiting');
  await caller.press('1');
  await caller.arrivesAt('from-internal');
  const record = await host.record((one) => one.id === id);
  expect(record.moments.filter(({ kind }) => kind === 'played')).toMatchObject([
    { recording: 'recording||custom/welcome', missing: null },
    { recording: 'recording||custom/nothing', missing: 'gone' },
    { recording: 'recording||custom/welcome', missing: null },
  ]);
  await caller.hangUp();
});

test('a test that comes while the connection is being made waits for it', async () => {
  const { password } = asterisk;
  const { state } = await host.ask('changePbx', { params: { name: 'office' }, body: { password } });
  expect(state.status).toBe('connecting');
  const { checks } = await host.ask('testPbx', { params: { name: 'office' } });
  expect(checks.filter(({ trouble }) => trouble !== null)).toEqual([]);
  expect(checks).toHaveLength(7);
});

test('what is set by hand for opening hours is in the database of Asterisk within a second, and again after it lost it', async () => {
  const day = [{ from: '08:00', to: '17:00' }];
  const { id } = await host.ask('createSchedule', {
    body: {
      name: 'Office',
      time_zone: 'Europe/Berlin',
      weekly: { mon: day, tue: day, wed: day, thu: day, fri: day, sat: [], sun: [] },
      exceptions: [],
    },
  });
  const key = `hours_${id}`;
  const told = async () => {
    const shown = await asterisk.console(`database get rotavox ${key}`);
    return /Value: (.*)/.exec(shown)?.[1]?.trim() ?? '';
  };
  const set = (to: 'schedule' | 'open' | 'closed', until: string | null = null) =>
    host.ask('setSwitch', { params: { id }, body: { to, until } });

  await set('closed');
  await expect.poll(told, { timeout: 1_000 }).toBe('closed:0');
  await Promise.all([set('open'), set('closed'), set('open', '2099-01-01T00:00:00Z')]);
  await expect.poll(told, { timeout: 1_000 }).toBe(`open:${Date.parse('2099-01-01T00:00:00Z') / 1000}`);

  await asterisk.stop();
  await host.pbxState(({ status }) => status === 'unreachable');
  await set('closed');
  await asterisk.run();
  // It connects again at once.
  await host.ask('testPbx', { params: { name: 'office' } });
  await expect.poll(told).toBe('closed:0');
  await asterisk.console(`database put rotavox ${key} lost`);
  await host.ask('changePbx', { params: { name: 'office' }, body: { password: asterisk.password } });
  await expect.poll(told).toBe('closed:0');

  await host.ask('deleteSchedule', { params: { id } });
  await expect.poll(told, { timeout: 1_000 }).toBe('');
});
