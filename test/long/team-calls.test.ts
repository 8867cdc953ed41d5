import { expect, onTestFinished, test } from 'vitest';
import type { LiveCall } from '../../src/contract/calls/call.ts';
import { ScheduleId } from '../../src/contract/menu/schedule.ts';
import { handOverContext, handOverLines } from '../../src/core/calls/asterisk-lines.ts';
import { flowOfStored } from '../../src/core/calls/flow-of-stored.ts';
import { CallHost, startReception, tone } from '../calls/call-host.ts';
import { installExports } from '../fixtures/exported-calls.ts';
import { officeDocument } from '../fixtures/office-document.ts';
import { startTeam, type TeamHost } from '../team/team.ts';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { startAsterisk } from '../tools/asterisk.ts';

/** Nobody in a menu is dropped when another host of the team takes over, and PostgreSQL has the record of every call. */

interface Ending {
  readonly name: string;
  readonly end: (leader: TeamHost) => unknown;
  /** The host that led is back: it follows. */
  readonly comeBack: (leader: TeamHost) => unknown;
}

const endings: readonly Ending[] = [
  { name: 'is killed', end: (leader) => leader.kill(), comeBack: (leader) => leader.start() },
  { name: 'is stopped', end: (leader) => leader.stop(), comeBack: (leader) => leader.start() },
  {
    name: 'is paused for longer than its lease',
    end: (leader) => leader.pause(),
    comeBack: (leader) => leader.resume(),
  },
];

function whereItIs({ menu, keys }: LiveCall) {
  return { menu, keys };
}

/** `host`: the team as it is seen through the host that takes over, which passes everything on before. */
async function openTeam() {
  const team = await startTeam({ hosts: 2 });
  const leader = await team.leader();
  const [follower] = team.hosts.filter((one) => one !== leader);
  if (follower === undefined) throw new Error('Nobody follows.');
  const host = new CallHost(follower.dataDir);
  onTestFinished(() => host.close());
  await host.follow();
  return { team, leader, follower, host };
}

test.each(endings)('calls go on at the next host when the leader $name', async ({ end, comeBack }) => {
  const { team, leader, follower, host } = await openTeam();
  const { asterisk, place } = await startReception(host, { body: { timeout: 100 } });
  onTestFinished(() => asterisk.close());
  await host.addPbx(asterisk);
  const callers = await AsteriskCallers.connect(asterisk);
  onTestFinished(() => callers.close());
  const are = (count: number, isSo: (call: LiveCall) => boolean): Promise<true> =>
    host.until(() => ([...host.live.values()].filter(isSo).length === count ? true : null));

  const waiting = await Promise.all(Array.from({ length: 8 }, () => callers.call(place)));
  await are(8, ({ doing }) => doing === 'waiting');
  // Some are one wrong key further, and some hear a long prompt.
  await Promise.all(waiting.slice(0, 4).map((caller) => caller.press('7')));
  await are(4, ({ keys, doing }) => keys.length === 1 && doing === 'waiting');
  await host.ask('replaceRecording', { params: { id: '11' }, body: tone(8) });
  const listening = await Promise.all([callers.call(place), callers.call(place)]);
  await are(2, ({ doing }) => doing === 'playing');
  const before = new Map([...host.live].map(([id, call]) => [id, whereItIs(call)]));

  await end(leader);
  const leaving = waiting.pop();
  await leaving?.hangUp();
  const late = await callers.call(place);
  await host.follow();
  await host.pbxState(({ status }) => status === 'connected');
  await are(9, ({ id, doing }) => before.has(id) && doing === 'waiting');
  for (const [id, call] of host.live) if (before.has(id)) expect(whereItIs(call)).toEqual(before.get(id));
  await comeBack(leader);
  expect(await team.leader()).toBe(follower);

  // A wrong key has them hear prompts, from the host that leads now.
  const staying = [...waiting, ...listening];
  await Promise.all(staying.map((caller) => caller.press('7')));
  await are(
    9,
    ({ id, keys, doing }) => doing === 'waiting' && keys.length > (before.get(id)?.keys.length ?? Infinity),
  );
  await Promise.all(staying.map((caller) => caller.press('1')));
  await Promise.all(staying.map((caller) => caller.arrivesAt('from-internal')));

  // Who called meanwhile is in the menu, if the next host led by then, or in the fallback.
  const isInMenu = [...host.live.keys()].some((id) => !before.has(id));
  if (isInMenu) await late.press('1');
  await late.arrivesAt(isInMenu ? 'from-internal' : 'rotavox_reception');
  await host.until(() => (host.live.size === 0 ? true : null));
  const records = await Promise.all([...before.keys()].map((id) => host.ask('readCall', { params: { id } })));
  const gone = records.filter(({ end: { kind } }) => kind !== 'destination');
  // Whoever hung up did so before the next host was connected, or after.
  expect(gone).toHaveLength(1);
  expect(gone[0]?.end).toEqual(
    gone[0]?.end.kind === 'hung_up' ? expect.anything() : { kind: 'failed', reason: 'lost' },
  );
  for (const { id, keys, moments } of records.filter((record) => !gone.includes(record))) {
    expect(keys).toEqual([...(before.get(id)?.keys ?? []), '7', '1']);
    expect(moments.filter(({ kind }) => kind === 'resumed')).toHaveLength(1);
    expect(moments.filter((moment) => moment.kind === 'played' && moment.missing !== null)).toEqual([]);
  }
  const stored = (sql: string) => team.postgres.query<{ id: string }>(sql, { database: team.database });
  const ids = (await stored('select id from rotavox.call_record')).map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([...before.keys()]));
  expect(await stored('select id from rotavox.call_under_way')).toEqual([]);
});

test('what is set by hand reaches the next caller within a second, also at the next host, and the fallback when no host is left', async () => {
  const { leader, follower, host } = await openTeam();
  const { id } = await host.ask('createSchedule', {
    body: { name: 'Office', time_zone: 'Europe/Berlin', weekly: { mon: [{ from: '08:00', to: '17:00' }] } },
  });
  const asks = ScheduleId.parse(id);
  const nodes = Object.values(officeDocument.nodes).map((node) =>
    node.kind === 'hours' ? { ...node, hours: asks } : node,
  );
  const first = await host.publish({
    ...officeDocument,
    nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
  });
  const { ivrs, parts = [] } = await host.ask('portalListIvrs');
  const flow = flowOfStored(new Map(ivrs.map((ivr) => [ivr.id, ivr])), first, {
    flowParts: new Map(parts.map((part) => [part.id, part])),
    schedules: new Map((await host.ask('listSchedules')).schedules.map((one) => [one.id, one])),
  });
  const asterisk = await startAsterisk({ modules: ['chan_bridge_media', 'func_db', 'func_dialplan'] });
  onTestFinished(() => asterisk.close());
  const identity = { id: first, name: first };
  const lines = `${handOverLines(identity).lines.join('\n')}\n[from-internal]\nexten => _*X.,1,NoOp(voicemail)\n`;
  await installExports(asterisk, [{ name: first, flow: flow! }], lines);
  await host.addPbx(asterisk);
  const callers = await AsteriskCallers.connect(asterisk);
  onTestFinished(() => callers.close());

  const place = `s@${handOverContext(identity)}`;
  /** Closed: a message, then voicemail. Open: a menu, live or in the export. */
  const meets = async (): Promise<string> => {
    const caller = await callers.call(place);
    const { type, dialplan_app: app } = await caller.next(
      ({ type: kind, value = '', dialplan_app: doing, dialplan_app_data: data }) =>
        (kind === 'ChannelVarset' && value.includes('"kind":"waiting"')) ||
        doing === 'BackGround' ||
        data === 'voicemail',
    );
    const wasLive = !caller.story().includes('Playback(') && app !== 'BackGround';
    await caller.hangUp();
    return `${type === 'ChannelVarset' || app === 'BackGround' ? 'open' : 'closed'} ${wasLive ? 'live' : 'in the fallback'}`;
  };
  /** The next caller, and the fallback of the one after. */
  const setAndMeet = async (to: 'open' | 'closed'): Promise<void> => {
    await host.ask('setSwitch', { params: { id }, body: { to } });
    await expect
      .poll(() => asterisk.console(`database get rotavox hours_${id}`), { timeout: 1_000, interval: 50 })
      .toContain(`Value: ${to}:0`);
    expect(await meets()).toBe(`${to} live`);
  };

  await setAndMeet('open');
  await setAndMeet('closed');
  await leader.kill();
  await host.follow();
  await host.pbxState(({ status }) => status === 'connected');
  expect(await meets()).toBe('closed live');
  await setAndMeet('open');
  await setAndMeet('closed');
  await setAndMeet('open');

  await follower.kill();
  expect(await meets()).toBe('open in the fallback');
  await asterisk.stop();
  await asterisk.run();
  const later = await AsteriskCallers.connect(asterisk);
  onTestFinished(() => later.close());
  const caller = await later.call(place);
  await caller.begins('BackGround');
  await caller.hangUp();
});
