import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { noon } from '../../fixtures/make-events.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';
import { setUpFullDisk } from '../full-disk-setup.ts';
import { systemTimer } from '../../../src/agent/loop/timer.ts';

const minuteMs = 60_000;

async function setUpCredential(validityDays: number): Promise<LoopSetup> {
  const setup = await setUpLoop();
  const { value } = await setup.issue({ validity_days: validityDays, name: 'billing', category: 'jobs' });
  await setup.keep({ name: 'app', value });
  setup.agent.start();
  return setup;
}

describe('a machine that was asleep across the due time', () => {
  it('rotates at once when it wakes and the token still works', async () => {
    const setup = await setUpCredential(7);
    await setup.pass(3 * dayMs);
    setup.time.jump(3 * dayMs);
    await setup.wake();
    expect(setup.eventsOf('credential.rotated').map(({ at }) => Date.parse(at))).toEqual([noon + 6 * dayMs]);
    expect(setup.statusesOf('app')).toEqual(['Superseded', 'Active']);
  });

  it('notices it after a short timer when no wake-up is reported', async () => {
    const setup = await setUpCredential(7);
    await setup.pass(3 * dayMs);
    setup.time.jump(3 * dayMs);
    await setup.pass(minuteMs);
    expect(setup.eventsOf('credential.rotated')).toHaveLength(1);
  });

  it('says that the token expired meanwhile, makes one call, and is solved by issuing it again', async () => {
    const setup = await setUpCredential(1);
    const before = setup.view('app');
    setup.time.jump(3 * dayMs);
    await setup.wake();
    expect(setup.view('app')).toMatchObject({
      state: 'expired',
      trouble: { kind: 'expired', next_try_at: null },
      next_rotation_at: null,
      planned: [],
    });
    await setup.pass(2 * dayMs);
    await setup.wake();
    expect(setup.traffic.asked).toBe(1);

    await setup.wanted('POST', '/credentials/app/reissue');
    const after = setup.view('app');
    expect(after).toMatchObject({ state: 'fine', trouble: null, message: null, generation: 2 });
    expect(after.family_id).not.toBe(before.family_id);
    const configurations = [before, after].map(({ family_id: id }) =>
      id === null ? null : setup.store.state.tokens.family(id)?.configuration,
    );
    expect(configurations[1]).toEqual(configurations[0]);
    expect(configurations[0]).toMatchObject({ name: 'billing', category: 'jobs', validity_days: 1 });
    expect(await setup.tryValue((await setup.valueOf('app')) ?? 'none')).toBe(200);
    await setup.passUntil(after.next_rotation_at ?? '');
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 3 });
  });
});

describe('a clock that is set', () => {
  for (const isTold of [true, false]) {
    const how = isTold ? 'and the agent is told' : 'and nobody tells';
    it(`back by a week: no rotation happens earlier, later or twice (${how})`, async () => {
      const setup = await setUpCredential(7);
      await setup.pass(2 * dayMs);
      const { next_rotation_at: announced } = setup.view('app');
      setup.time.jump(-7 * dayMs);
      if (isTold) await setup.wake();
      expect(setup.view('app').next_rotation_at).toBe(announced);
      await setup.passUntil(Date.parse(announced ?? '') - 1);
      expect(setup.traffic.asked).toBe(0);
      await setup.passUntil(announced ?? '');
      expect(setup.eventsOf('credential.rotated').map(({ at }) => at)).toEqual([announced]);
    });

    it(`forward by a week and back: nothing happens while nothing is due (${how})`, async () => {
      const setup = await setUpCredential(30);
      await setup.pass(10 * dayMs);
      const { next_rotation_at: announced } = setup.view('app');
      for (const jumpMs of [7 * dayMs, -7 * dayMs]) {
        setup.time.jump(jumpMs);
        if (isTold) await setup.wake();
        await setup.pass(2 * minuteMs);
      }
      expect(setup.traffic.asked).toBe(0);
      await setup.passUntil(announced ?? '');
      expect(setup.eventsOf('credential.rotated').map(({ at }) => at)).toEqual([announced]);
    });

    it(`forward past the due time and back: one rotation, and the next as announced (${how})`, async () => {
      const setup = await setUpCredential(30);
      await setup.pass(15 * dayMs);
      setup.time.jump(7 * dayMs);
      if (isTold) await setup.wake();
      await setup.pass(minuteMs);
      expect(setup.eventsOf('credential.rotated')).toHaveLength(1);
      const { next_rotation_at: announced } = setup.view('app');
      setup.time.jump(-7 * dayMs);
      if (isTold) await setup.wake();
      await setup.passUntil(announced ?? '');
      expect(setup.traffic.asked).toBe(2);
      expect(setup.view('app').last_rotated_at).toBe(announced);
    });
  }

  it('back, after attempts failed by the wrong clock: the next one does not wait for that clock', async () => {
    const setup = await setUpLoop();
    const proxy = await startFaultyProxy(() => setup.baseUrl);
    proxy.otherwise = { status: 503 };
    const { value } = await setup.issue({ validity_days: 30 });
    await setup.keep({ name: 'app', value, base_url: proxy.baseUrl });
    setup.agent.start();
    await setup.pass(15 * dayMs);
    setup.time.jump(14 * dayMs);
    await setup.pass(minuteMs);
    expect(setup.view('app')).toMatchObject({ state: 'failing' });
    setup.time.jump(-14 * dayMs);
    proxy.otherwise = 'none';
    await setup.pass(minuteMs);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('back, while a rotation could not be recorded: it is finished after a short timer', async () => {
    const { setup, ledger } = await setUpFullDisk();
    const { value } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value });
    setup.agent.start();
    ledger.refuses = 'credential.rotated';
    const dueMs = Date.parse(setup.view('app').next_rotation_at ?? '');
    await setup.passUntil(dueMs - 1);
    await setup.time.advance(1, () => setup.untilFailed(1));
    ledger.refuses = 'nothing';
    setup.time.jump(-7 * dayMs);
    await setup.pass(minuteMs);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
    expect(setup.traffic.asked).toBe(1);
  });
});

describe('another zone', () => {
  it.each([
    ['of another time now', 0],
    ['of another time only after the next clock change', 40 * dayMs],
  ])(
    '%s: the rotation happens at the preferred hours there, even when those are sooner',
    async (_, fromMs) => {
      let offset = 0;
      const setup = await setUpLoop({ zone: (atMs) => (atMs < noon + fromMs ? 0 : offset) });
      const { value } = await setup.issue({ validity_days: 90 });
      const policy = { fraction: 0.5, preferred_hours: { from: '20:00', to: '20:30' } };
      await setup.keep({ name: 'app', value, policy });
      setup.agent.start();
      await setup.pass(10 * dayMs);
      const instants = Array.from({ length: 24 }, (_, hours) => {
        offset = hours * 60;
        return setup.view('app').next_rotation_at ?? '';
      });
      const [before = ''] = instants;
      const soonest = [...instants].sort()[0] ?? '';
      expect(soonest < before).toBe(true);
      offset = instants.indexOf(soonest) * 60;
      await setup.passUntil(soonest);
      expect(setup.eventsOf('credential.rotated').map(({ at }) => at)).toEqual([soonest]);
    },
  );
});

describe('a token of another service that was obtained while the clock was ahead', () => {
  const name = 'crm';
  const wanted = { name, value: 'rvx_TheFirst', validity_days: 7 };

  /** A service with its own clock, and a running agent on a machine whose clock is ahead. */
  async function startAhead(aheadMs: number) {
    const service = await startAnsweringService();
    const theirs = { nowMs: noon, news: Promise.withResolvers<undefined>() };
    service.answer = (incoming, answer) => {
      answer.setHeader('date', new Date(theirs.nowMs).toUTCString());
      answer.statusCode = incoming.method === 'POST' ? 200 : 404;
      answer.end(JSON.stringify({ access_token: 'rvx_TheSecond', validity_days: 7 }));
      theirs.news.resolve(undefined);
    };
    const here = await setUpLoop({ nowMs: noon + aheadMs });
    await here.keep({ ...wanted, base_url: service.baseUrl });
    here.agent.start();
    service.calls.length = 0;
    return { here, service, theirs };
  }

  it('is rotated as soon as the clock was set and the service agrees with it', async () => {
    const { here, service } = await startAhead(3 * dayMs);
    const rotated = here.next('credential.rotated');
    here.time.jump(-3 * dayMs);
    await here.time.advance(minuteMs);
    await rotated;
    await here.agent.close();
    expect(service.calls).toEqual(['GET /v1/auth/token', 'POST /v1/auth/rotate', 'GET /v1/auth/token']);
    expect(here.view(name)).toMatchObject({
      generation: 2,
      obtained_at: new Date(here.time.nowMs).toISOString(),
      expires_at: new Date(here.time.nowMs + 7 * dayMs).toISOString(),
    });
    expect(await here.valueOf(name)).toBe('rvx_TheSecond');
  });

  it('is left alone while the clocks differ: ours may be the wrong one now, and is asked about now and then', async () => {
    const { here, service, theirs } = await startAhead(0);
    const askedBy = async (wait: () => Promise<void>) => {
      theirs.news = Promise.withResolvers();
      await wait();
      await theirs.news.promise;
      await here.agent.requests.valueOf(name); // waits for its lock
      await new Promise(setImmediate);
    };
    await askedBy(async () => {
      here.time.jump(-30 * dayMs);
      await here.wake();
    });
    await here.time.advance(9 * minuteMs);
    expect(service.calls).toEqual(['GET /v1/auth/token']);
    await askedBy(() => here.time.advance(2 * minuteMs));
    await here.agent.close();
    expect(service.calls).toEqual(['GET /v1/auth/token', 'GET /v1/auth/token']);
    expect(here.eventsOf('credential.rotation_begun')).toEqual([]);
  });

  it('is left alone where the clock was ahead by little of its lifetime', async () => {
    const { here, service } = await startAhead(dayMs / 4);
    here.time.jump(-dayMs / 4);
    await here.wake();
    await here.time.advance(minuteMs);
    await here.agent.close();
    expect(service.calls).toEqual([]);
    expect(here.eventsOf('credential.rotation_begun')).toEqual([]);
  });
});

it('reports each timer, so that other checks can run then, and none without credentials', async () => {
  const ends: number[] = [];
  const setup = await setUpLoop({ onNapEnd: () => ends.push(setup.time.nowMs) });
  setup.agent.start();
  await setup.pass(5 * minuteMs);
  expect(ends).toEqual([]);
  const { value } = await setup.issue({ validity_days: 7 });
  await setup.keep({ name: 'app', value });
  const fromMs = setup.time.nowMs;
  await setup.pass(3 * minuteMs);
  expect(ends).toEqual([1, 2, 3].map((minutes) => fromMs + minutes * minuteMs));
});

// sentry-electron#441, fluent-logger-forward-node#44, zigbee2mqtt#17659: a wait of more than 2^31-1 ms was over after 1 ms.
it('waits for weeks too, acts once, and can be cancelled on the way', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const dayMs = 86_400_000;
  const [acts, cancelled] = [vi.fn(), vi.fn()];
  systemTimer.start(60 * dayMs, acts);
  const cancel = systemTimer.start(60 * dayMs, cancelled);
  vi.advanceTimersByTime(60 * dayMs - 1);
  expect(acts).not.toHaveBeenCalled();
  cancel();
  vi.advanceTimersByTime(100 * dayMs);
  expect([acts.mock.calls.length, cancelled.mock.calls.length]).toEqual([1, 0]);
});
