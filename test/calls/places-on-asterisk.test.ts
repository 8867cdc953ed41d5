import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainDestinationRules } from '../../src/contract/calls/pbx.ts';
import type { NodeId } from '../../src/contract/menu/ivr-draft.ts';
import type { IvrId } from '../../src/contract/menu/ivr.ts';
import { handOverContext, handOverLines } from '../../src/core/calls/asterisk-lines.ts';
import { flowOfStored } from '../../src/core/calls/flow-of-stored.ts';
import { asteriskDialplan } from '../../src/core/ivr/export/asterisk-dialplan.ts';
import { dialplanNames, entryName } from '../../src/core/ivr/export/dialplan-names.ts';
import { type Flow, menusOnly } from '../../src/core/ivr/flow.ts';
import { attackNumbers } from '../fixtures/attack-numbers.ts';
import { wavFile } from '../fixtures/audio-files.ts';
import { type AsteriskCaller, AsteriskCallers } from '../tools/asterisk-callers.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';
import { CallHost, tone } from './call-host.ts';

/** Where the menus lead: the contexts of the plain rules. Whoever is let out is heard of. */
const site = `
[queues]
exten => 400,1,Answer()
 same => n,Wait(60)
[ring-groups]
exten => sales,1,Answer()
 same => n,Wait(60)
[outside]
exten => _+X.,1,Answer()
 same => n,Wait(60)
exten => _X.,1,Answer()
 same => n,Wait(60)
exten => _*X.,1,Answer()
 same => n,Wait(60)
[extensions]
exten => 101,1,Answer()
 same => n,Wait(60)
[anywhere]
exten => _ivr_.,1,Set(TIMEOUT(absolute)=15)
 same => n,Stasis(rotavox,\${EXTEN})
 same => n,Set(TIMEOUT(absolute)=0)
 same => n,Goto(given-back,s,1)
[given-back]
exten => s,1,Wait(60)
`;

const outside = { countries: ['DE', 'GB', 'US'], perHour: 3 };
const places = ['department||400', 'ring_group||sales', 'number||+4930227350'] as const;
const menu = { name: 'Places', option: ['1', '2', '3'], destination: [...places] };

let host: CallHost;
let asterisk: Asterisk;
let callers: AsteriskCallers;

beforeAll(async () => {
  host = new CallHost();
  await host.start();
  for (const id of ['11', '12', '13', '14']) await host.addRecording(id, 0.2);
  asterisk = await startAsterisk({
    modules: ['chan_bridge_media', 'func_dialplan', 'app_stasis', 'func_db', 'func_lock'],
    extensions: site,
  });
  const { url, user, password } = asterisk;
  await host.ask('addPbx', { body: { name: 'office', url, user, password, dialplan: 'asterisk' } });
  await host.pbxState(({ status }) => status === 'connected');
  await host.ask('changeSettings', {
    body: { outside_countries: ['us', 'DE', 'GB'], outside_calls_per_hour: outside.perHour },
  });
  callers = await AsteriskCallers.connect(asterisk);
});

afterAll(async () => {
  await callers.close();
  await host.close();
  await host.remove();
  await asterisk.close();
});

/** Presses a key in a live call; where the call is then, and its record. */
async function live(ivr: string, key: string, context: string) {
  const caller = await callers.call(`${ivr}@anywhere`);
  const { id } = await host.liveCall((call) => call.ivr === ivr && call.doing === 'waiting');
  await caller.press(key);
  await caller.arrivesAt(context);
  const { end } = await host.record((one) => one.id === id);
  await caller.hangUp();
  return end;
}

/** Installs the export of a flow beside the site, with what hands calls over to its menu, and says its entry. */
async function install(
  flow: Flow,
  identity: { readonly name: string; readonly id: string },
  changed: (dialplan: string) => string = (dialplan) => dialplan,
): Promise<string> {
  const entry = entryName(identity);
  const recordings = new Set(['11', '12', '13', '14']);
  const dialplan = asteriskDialplan(flow, entry, { rules: plainDestinationRules, recordings, outside });
  await asterisk.configure(`${entry}.conf`, changed(dialplan));
  for (const file of dialplanNames(flow, entry, recordings).prompts.values())
    await asterisk.addSound(`rotavox/${file}.wav`, wavFile(300));
  const lines = handOverLines(identity).lines.join('\n');
  await asterisk.configure('extensions.conf', `${site}\n${lines}\n#include ${entry}.conf\n`);
  await asterisk.console('dialplan reload');
  return entry;
}

async function storedFlow(ivr: string): Promise<Flow> {
  const stored = await host.ask('portalReadIvr', { params: { id: ivr } });
  const flow = flowOfStored(new Map([[ivr as IvrId, stored]]), ivr);
  if (flow === null) throw new Error('no menu');
  return flow;
}

/** Where the exported dialplan leads on from its destinations, such as `queues,400,1`; null: it hangs up. */
async function exported(place: string, key: string, entry: string): Promise<string | null> {
  return chosen(await waiting(place), key, entry);
}

async function waiting(place: string): Promise<AsteriskCaller> {
  const caller = await callers.call(place);
  await caller.begins('WaitExten');
  return caller;
}

async function chosen(caller: AsteriskCaller, key: string, entry: string): Promise<string | null> {
  await caller.press(key);
  const { dialplan_app: app, dialplan_app_data: data = '' } = await caller.next(
    ({ type, channel, dialplan_app: doing, dialplan_app_data: with_ = '' }) =>
      type === 'ChannelDialplan' &&
      channel?.dialplan.context === `${entry}_destinations` &&
      (doing === 'Hangup' || (doing === 'Goto' && with_.split(',').length === 3)),
  );
  await caller.hangUp();
  return app === 'Hangup' ? null : data;
}

const reached = ['queues,400,1', 'ring-groups,sales,1', 'outside,+4930227350,1'];

describe('a queue, a ring group and an outside number', () => {
  test('are reached by live calls, by the exported menu, and by it when nobody takes calls over', async () => {
    const ivr = await host.addMenu({ ...menu, destination: ['queue||400', places[1], places[2]] });
    expect((await host.ask('portalReadIvr', { params: { id: ivr } })).destination).toEqual(places);
    for (const [at, context] of ['queues', 'ring-groups', 'outside'].entries())
      expect(await live(ivr, String(at + 1), context)).toEqual({
        kind: 'destination',
        destination: places[at],
      });

    const entry = await install(await storedFlow(ivr), { id: ivr, name: menu.name });
    for (const [at, place] of reached.entries())
      expect(await exported(`s@${entry}`, String(at + 1), entry)).toBe(place);

    // The third call to an outside number: live calls and the export are counted together. Nobody takes calls over.
    await host.close();
    const place = `s@${handOverContext({ id: ivr, name: menu.name })}`;
    for (const [at, to] of reached.entries()) expect(await exported(place, String(at + 1), entry)).toBe(to);
    expect(await exported(place, '3', entry)).toBeNull();

    // A restart of either does not begin to count again.
    await host.start();
    await host.pbxState(({ status }) => status === 'connected');
    expect(await live(ivr, '3', 'given-back')).toEqual({ kind: 'failed', reason: 'outside_limit' });
    expect(await live(ivr, '1', 'queues')).toMatchObject({ kind: 'destination' });
    expect(await asterisk.console('database show rotavox')).toMatch(/\/rotavox\/outside\s*: \d{10}-3\b/);
    await asterisk.console('database put rotavox outside 0');
  });
});

test('of 20 calls at once to an outside number the exported menu lets out as many as an hour allows', async () => {
  const ivr = await host.addMenu(menu);
  // So long that every call has read the count before the first one writes its own.
  const slowly = (dialplan: string): string =>
    dialplan.replace(/^ same => n,Set\(ROTAVOX_OUTSIDE=\$\{DB\(.*$/m, '$&\n same => n,Wait(0.2)');
  const entry = await install(await storedFlow(ivr), { id: ivr, name: menu.name }, slowly);
  expect(await asterisk.console(`dialplan show ${entry}_destinations`)).toContain('Wait(0.2)');
  const crowd = await Promise.all(Array.from({ length: 20 }, () => waiting(`s@${entry}`)));
  const ends = await Promise.all(crowd.map((caller) => chosen(caller, '3', entry)));
  expect(ends.filter((end) => end !== null)).toEqual(
    Array.from({ length: outside.perHour }, () => reached[2]),
  );
  await asterisk.console('database put rotavox outside 0');
});

test('what an attacker enters as an outside number is not called by the exported menu', async () => {
  const menus = new Map<NodeId, Flow['menus'] extends ReadonlyMap<NodeId, infer M> ? M : never>();
  const [first] = (await storedFlow(await host.addMenu(menu))).menus.values();
  for (let at = 0; at < attackNumbers.length; at += 10) {
    const id = `menu_${at}` as NodeId;
    const keys = attackNumbers.slice(at, at + 10).map((number, key) => {
      const to = { kind: 'destination', destination: `number||${number}`, node: null } as const;
      return [String(key), { to, smsTemplate: null }] as const;
    });
    menus.set(id, { ...first!, id, keys: new Map(keys) });
  }
  const flow = menusOnly('menu_0' as NodeId, menus);
  const entry = await install(flow, { id: 'attack', name: 'Attack' });
  const shown = await asterisk.console(`dialplan show ${entry}_destinations`);
  expect(shown.match(/^ {2}'/gm)?.length).toBeGreaterThan(attackNumbers.length - 5);
  // The menu that it was made of ends calls at an extension and a hang-up.
  expect(Array.from(shown.matchAll(/Goto\(([^)]*)\)/g), ([, place]) => place)).toEqual(['extensions,100,1']);
  expect(await exported(`s@${entry}`, '0', entry)).toBeNull();
});

test('what an attacker stores as an outside number is not called by live calls', async () => {
  const keys = '1234567890*#'.split('');
  // Spread over the list, as far as a body can hold them.
  const fit = attackNumbers.filter((number) => /^[^|\s\p{Cc}]+$/u.test(number));
  const some = keys.map((_, at) => fit[Math.floor((at * fit.length) / keys.length)]!);
  const destination = some.map((number) => `number||${number}`);
  const ivr = await host.addMenu({ ...menu, option: keys, destination });
  for (const [at, key] of keys.entries())
    expect(await live(ivr, key, 'given-back'), some[at]).toMatchObject({ kind: 'failed' });
  expect(await asterisk.console('database show rotavox')).not.toMatch(/\d{10}-/);
});

test('a sound of the telephone system is offered, checked and played by its name', async () => {
  await asterisk.addSound('custom/hello.wav', tone(0.2));
  await asterisk.addSound('en/office/closed.wav', tone(0.2));
  const { pbxs } = await host.ask('listPbxSounds');
  const names = pbxs.flatMap(({ sounds }) => (sounds ?? []).map(({ name }) => name));
  expect(names).toContain('custom/hello');
  expect(names).toContain('office/closed');
  const prompts = ['sound||custom/hello', 'sound||office/closed', 'sound||custom/none'];
  expect((await host.ask('checkPrompts', { body: { prompts } })).silent).toEqual([
    { prompt: 'sound||custom/none', reason: 'no_sound', pbx: 'office' },
  ]);
  // An uploaded recording of the same name is not meant.
  await host.addRecording('hello', 0.2);
  const ivr = await host.addMenu({ ...menu, recording: 'sound||custom/hello' });
  await live(ivr, '1', 'queues');
  const record = await host.record(({ ivr: first }) => first === ivr);
  expect(record.moments[1]).toMatchObject({ recording: 'sound||custom/hello', missing: null });
});

test('where Asterisk cannot count calls no outside number is called, and the test of the connection says so', async () => {
  const ivr = await host.addMenu(menu);
  const entry = await install(await storedFlow(ivr), { id: ivr, name: menu.name });
  const checked = async () => {
    const { checks } = await host.ask('testPbx', { params: { name: 'office' } });
    return checks.find(({ check }) => check === 'modules')?.trouble ?? null;
  };
  expect(await checked()).toBeNull();
  await asterisk.console('module unload func_db.so');
  expect(await checked()).toEqual({ code: 'module_missing', detail: 'func_db' });
  expect(await live(ivr, '3', 'given-back')).toEqual({ kind: 'failed', reason: 'outside_limit' });
  expect(await exported(`s@${entry}`, '3', entry)).toBeNull();
  expect(await exported(`s@${entry}`, '2', entry)).toBe('ring-groups,sales,1');
});
