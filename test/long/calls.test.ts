import { createConnection, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { IvrBodyInput } from '../../src/contract/menu/ivr.ts';
import { CallHost, startReception, tone } from '../calls/call-host.ts';
import { type AriEvent, type AsteriskCaller, AsteriskCallers } from '../tools/asterisk-callers.ts';
import type { Asterisk } from '../tools/asterisk.ts';

/** Nobody who is in a menu is dropped, whatever ends or breaks around the call. */

const crowd = 50;

interface Office {
  readonly host: CallHost;
  readonly asterisk: Asterisk;
  readonly callers: AsteriskCallers;
  readonly place: string;
  readonly ivr: string;
}

async function openOffice(
  body: Partial<IvrBodyInput> = {},
  {
    inProcess = false,
    through,
  }: { inProcess?: boolean; through?: (asterisk: Asterisk) => Promise<string> } = {},
): Promise<Office> {
  const host = new CallHost();
  onTestFinished(() => host.remove());
  await host.start({ inProcess });
  onTestFinished(() => host.kill());
  const reception = await startReception(host, { body: { timeout: 100, ...body } });
  const { asterisk } = reception;
  onTestFinished(() => asterisk.close());
  await host.addPbx(asterisk, await through?.(asterisk));
  const callers = await AsteriskCallers.connect(asterisk);
  onTestFinished(() => callers.close());
  return { host, callers, ...reception };
}

async function callTogether({ callers, place }: Office, count: number): Promise<AsteriskCaller[]> {
  return Promise.all(Array.from({ length: count }, () => callers.call(place)));
}

function allWait({ host }: Office, count: number): Promise<true> {
  return host.until(() => {
    const waiting = [...host.live.values()].filter(({ doing }) => doing === 'waiting');
    return waiting.length === count ? true : null;
  });
}

/** Whether a sound of this call plays: the first one, or one that took the place of a sound that Asterisk could not fetch. */
async function isHeard({ asterisk }: Office, id: string): Promise<boolean> {
  for (const place of [1, 2, 3]) {
    const found = await asterisk
      .ari<{ readonly state: string }>('GET', `/playbacks/${encodeURIComponent(`${id}.${String(place)}`)}`)
      .catch(() => null);
    if (found?.state === 'playing') return true;
  }
  return false;
}

test('a killed program continues every call where it was, once it is started again', async () => {
  const office = await openOffice();
  const { host } = office;
  const callers = await callTogether(office, crowd);
  await allWait(office, crowd);
  // Half of them are one wrong key further.
  const half = callers.slice(0, crowd / 2);
  await Promise.all(half.map((caller) => caller.press('7')));
  await host.until(() => {
    const further = [...host.live.values()].filter(
      ({ keys, doing }) => keys.length === 1 && doing === 'waiting',
    );
    return further.length === half.length ? true : null;
  });
  const before = new Map([...host.live].map(([id, { menu, keys }]) => [id, { menu, keys }]));
  await host.load();
  await host.kill();
  await host.start({ inProcess: false });
  await allWait(office, crowd);
  expect(new Map([...host.live].map(([id, { menu, keys }]) => [id, { menu, keys }]))).toEqual(before);
  await Promise.all(callers.map((caller) => caller.press('1')));
  await Promise.all(callers.map((caller) => caller.arrivesAt('from-internal')));
  await host.until(() => (host.live.size === 0 ? true : null));
});

test('calls of a program that was killed in a prompt hear it to its end, and go on', async () => {
  const office = await openOffice({}, {});
  const { host } = office;
  await host.ask('replaceRecording', {
    params: { id: '11' },
    body: tone(8),
  });
  const callers = await callTogether(office, 10);
  await host.until(() => (host.live.size === 10 ? true : null));
  // Asterisk has fetched the prompt, and each of them hears it.
  await expect
    .poll(() => Promise.all([...host.live.keys()].map((id) => isHeard(office, id))), { timeout: 60_000 })
    .toEqual(Array.from({ length: 10 }, () => true));
  await host.load();
  await host.kill();
  await host.start({ inProcess: false });
  await allWait(office, 10);
  await Promise.all(callers.map((caller) => caller.press('2')));
  await Promise.all(callers.map((caller) => caller.arrivesAt('from-internal')));
});

test('the fallback of the dialplan answers every call of a program that does not come back', async () => {
  const office = await openOffice();
  const callers = await callTogether(office, crowd);
  await allWait(office, crowd);
  await office.host.kill();
  await Promise.all(callers.map((caller) => caller.arrivesAt('rotavox_reception')));
  await office.host.start({ inProcess: false });
  await office.host.pbxState(({ status }) => status === 'connected');
  expect((await office.host.ask('liveCalls')).calls).toEqual([]);
  const { calls } = await office.host.ask('listCalls', { query: {} });
  expect(calls.map(({ end }) => end)).toEqual(
    Array.from({ length: crowd }, () => ({ kind: 'failed', reason: 'fallback' })),
  );
});

test('calls go on after the connection was cut, and those that ended meanwhile are no longer live', async () => {
  let cut: () => void = () => undefined;
  const office = await openOffice(
    {},
    {
      inProcess: true,
      through: async (asterisk) => {
        const wire = await openWire(asterisk);
        cut = wire.cut;
        return wire.url;
      },
    },
  );
  const { host } = office;
  const callers = await callTogether(office, 20);
  await allWait(office, 20);
  cut();
  const [first, ...others] = callers;
  await first?.hangUp();
  await host.pbxState(({ status }) => status === 'unreachable');
  await host.pbxState(({ status }) => status === 'connected');
  await host.until(() => (host.live.size === others.length ? true : null));
  await Promise.all(others.map((caller) => caller.press('1')));
  await Promise.all(others.map((caller) => caller.arrivesAt('from-internal')));
  const ends = (await host.ask('listCalls', { query: {} })).calls.map(({ end }) => end.kind);
  expect(ends.filter((kind) => kind === 'destination')).toHaveLength(others.length);
});

test('no call is live after Asterisk was restarted, and the next call is answered', async () => {
  const office = await openOffice({}, { inProcess: true });
  const { host, asterisk } = office;
  await callTogether(office, 20);
  await allWait(office, 20);
  await asterisk.kill();
  await host.pbxState(({ status }) => status === 'unreachable');
  await asterisk.run();
  await host.pbxState(({ status }) => status === 'connected');
  await host.until(() => (host.live.size === 0 ? true : null));
  const { calls } = await host.ask('listCalls', { query: {} });
  expect(new Set(calls.map(({ end }) => JSON.stringify(end)))).toEqual(
    new Set([JSON.stringify({ kind: 'failed', reason: 'lost' })]),
  );
  const callers = await AsteriskCallers.connect(asterisk);
  onTestFinished(() => callers.close());
  const caller = await callers.call(office.place);
  await host.liveCall(({ doing }) => doing === 'waiting');
  await caller.press('1');
  await caller.arrivesAt('from-internal');
});

test('of 500 calls at once, those beyond the limit are answered by the fallback, and no one is dropped', async () => {
  const office = await openOffice({}, { inProcess: true });
  const { host } = office;
  const callers = await callTogether(office, 500);
  await host.until(() => {
    const waiting = [...host.live.values()].filter(({ doing }) => doing === 'waiting').length;
    return waiting + host.ended.length === callers.length ? true : null;
  });
  const answered = host.live.size;
  const { calls } = await host.ask('listCalls', { query: { limit: '1000' } });
  expect(answered).toBeGreaterThanOrEqual(200);
  expect(calls).toHaveLength(callers.length - answered);
  expect(new Set(calls.map(({ end }) => JSON.stringify(end)))).toEqual(
    new Set([JSON.stringify({ kind: 'failed', reason: 'too_many' })]),
  );
  await Promise.all(callers.map((caller) => caller.press('1')));
  await host.until(() => (host.live.size === 0 ? true : null));
  const ended = await host.ask('listCalls', { query: { limit: '1000', end: 'destination' } });
  expect(ended.total).toBe(answered);
});

/** So many offices at once, with so many kills each, in the middle of so many calls: most of the time is spent waiting for leases. */
const kills = { offices: 4, each: 5, calls: 5 };
/** With the lease less than a caller of these tests waits for something to happen. */
const promptSeconds = 3;

/** Kills the program of an office at random moments, from the arrival of calls until their first prompt is fetched. */
async function killedInFetches(
  then: (office: Office, callers: AsteriskCaller[]) => Promise<void>,
): Promise<void> {
  const offices = await Promise.all(
    Array.from({ length: kills.offices }, () => openOffice({ timeout: 60 }, {})),
  );
  await Promise.all(
    offices.map(async (office) => {
      const { host } = office;
      const startMs = performance.now();
      const first = await callTogether(office, kills.calls);
      await Promise.all(first.map((caller) => caller.next(({ type }) => type === 'PlaybackStarted')));
      const fetchedMs = (performance.now() - startMs) * 1.3;
      await Promise.all(first.map((caller) => caller.hangUp()));
      for (let kill = 0; kill < kills.each; kill += 1) {
        // Other content than before, so that it is fetched.
        const body = tone(promptSeconds + kill / 100);
        await host.ask('replaceRecording', { params: { id: '11' }, body });
        const calling = callTogether(office, kills.calls);
        await wait(Math.random() * fetchedMs);
        await host.kill();
        const callers = await calling;
        await then(office, callers);
        await Promise.all(callers.map((caller) => caller.hangUp()));
        await host.kill();
        await host.start({ inProcess: false });
        await host.pbxState(({ status }) => status === 'connected');
      }
    }),
  );
}

// decisions/calls-through-asterisk.md: what a caller waits for at most
test('callers of a program that is killed while their first prompt is fetched come to the fallback', async () => {
  await killedInFetches(async (_office, callers) => {
    await Promise.all(callers.map((caller) => caller.arrivesAt('rotavox_reception')));
  });
});

test('callers of a program that is killed while their first prompt is fetched go on once it is started again', async () => {
  await killedInFetches(async ({ host }, callers) => {
    await host.start({ inProcess: false });
    for (const caller of callers) {
      const { type } = await caller.next(
        (event) => isWaiting(event) || event.channel?.dialplan.context === 'rotavox_reception',
      );
      // What was not stored yet when the program was killed is given back to the dialplan.
      if (type !== 'ChannelVarset') continue;
      await caller.press('1');
      await caller.arrivesAt('from-internal');
    }
  });
});

function isWaiting({ type, variable, value = '' }: AriEvent): boolean {
  return type === 'ChannelVarset' && variable === 'ROTAVOX_CALL' && value.includes('"kind":"waiting"');
}

/** A wire to Asterisk that can be cut: every connection ends at once, and new ones are made again. */
async function openWire(asterisk: Asterisk): Promise<{ url: string; cut: () => void }> {
  const open = new Set<Socket>();
  const { port } = new URL(asterisk.url);
  const server = createServer((near) => {
    const far = createConnection(Number(port), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of open) socket.destroy();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut: () => {
      for (const socket of open) socket.destroy();
    },
  };
}
