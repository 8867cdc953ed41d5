import { describe, expect, it } from 'vitest';
import { dayMs } from '../../src/core/token/token.ts';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { noon } from '../fixtures/make-events.ts';
import { startAnsweringService } from './remote/answering-service.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';
import { setUpFullDisk } from './full-disk-setup.ts';

const minuteMs = 60_000;

async function startKeeping(validityDays: number): Promise<LoopSetup> {
  const ground = await setUpLoop();
  const { value } = await ground.issue({ validity_days: validityDays, name: 'billing', category: 'jobs' });
  await ground.keep({ name: 'app', value });
  ground.agent.start();
  return ground;
}

describe('a machine that was asleep across the due time', () => {
  it('rotates at once when it wakes and the value is still alive', async () => {
    const ground = await startKeeping(7);
    await ground.pass(3 * dayMs);
    ground.time.jump(3 * dayMs);
    await ground.wake();
    expect(ground.eventsOf('credential.rotated').map(({ at }) => Date.parse(at))).toEqual([noon + 6 * dayMs]);
    expect(ground.statusesOf('app')).toEqual(['Superseded', 'Active']);
  });

  it('notices within a nap when nobody tells it that it has woken', async () => {
    const ground = await startKeeping(7);
    await ground.pass(3 * dayMs);
    ground.time.jump(3 * dayMs);
    await ground.pass(minuteMs);
    expect(ground.eventsOf('credential.rotated')).toHaveLength(1);
  });

  it('says that the value expired meanwhile, asks once, and is mended by issuing it again', async () => {
    const ground = await startKeeping(1);
    const before = ground.view('app');
    ground.time.jump(3 * dayMs);
    await ground.wake();
    expect(ground.view('app')).toMatchObject({
      state: 'expired',
      trouble: { kind: 'expired', next_try_at: null },
      next_rotation_at: null,
      planned: [],
    });
    await ground.pass(2 * dayMs);
    await ground.wake();
    expect(ground.traffic.asked).toBe(1);

    await ground.wanted('POST', '/credentials/app/reissue');
    const after = ground.view('app');
    expect(after).toMatchObject({ state: 'fine', trouble: null, message: null, generation: 2 });
    expect(after.family_id).not.toBe(before.family_id);
    const configurations = [before, after].map(({ family_id: id }) =>
      id === null ? null : ground.store.state.tokens.family(id)?.configuration,
    );
    expect(configurations[1]).toEqual(configurations[0]);
    expect(configurations[0]).toMatchObject({ name: 'billing', category: 'jobs', validity_days: 1 });
    expect(await ground.tryValue((await ground.valueOf('app')) ?? 'none')).toBe(200);
    await ground.passUntil(after.next_rotation_at ?? '');
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 3 });
  });
});

describe('a clock that is set', () => {
  for (const isTold of [true, false]) {
    const how = isTold ? 'and the agent is told' : 'and nobody tells';
    it(`back by a week: no rotation comes sooner, later or twice (${how})`, async () => {
      const ground = await startKeeping(7);
      await ground.pass(2 * dayMs);
      const { next_rotation_at: announced } = ground.view('app');
      ground.time.jump(-7 * dayMs);
      if (isTold) await ground.wake();
      expect(ground.view('app').next_rotation_at).toBe(announced);
      await ground.passUntil(Date.parse(announced ?? '') - 1);
      expect(ground.traffic.asked).toBe(0);
      await ground.passUntil(announced ?? '');
      expect(ground.eventsOf('credential.rotated').map(({ at }) => at)).toEqual([announced]);
    });

    it(`forward by a week and back: nothing happens while nothing is due (${how})`, async () => {
      const ground = await startKeeping(30);
      await ground.pass(10 * dayMs);
      const { next_rotation_at: announced } = ground.view('app');
      for (const jumpMs of [7 * dayMs, -7 * dayMs]) {
        ground.time.jump(jumpMs);
        if (isTold) await ground.wake();
        await ground.pass(2 * minuteMs);
      }
      expect(ground.traffic.asked).toBe(0);
      await ground.passUntil(announced ?? '');
      expect(ground.eventsOf('credential.rotated').map(({ at }) => at)).toEqual([announced]);
    });

    it(`forward past the due time and back: one rotation, and the next as announced (${how})`, async () => {
      const ground = await startKeeping(30);
      await ground.pass(15 * dayMs);
      ground.time.jump(7 * dayMs);
      if (isTold) await ground.wake();
      await ground.pass(minuteMs);
      expect(ground.eventsOf('credential.rotated')).toHaveLength(1);
      const { next_rotation_at: announced } = ground.view('app');
      ground.time.jump(-7 * dayMs);
      if (isTold) await ground.wake();
      await ground.passUntil(announced ?? '');
      expect(ground.traffic.asked).toBe(2);
      expect(ground.view('app').last_rotated_at).toBe(announced);
    });
  }

  it('back, after attempts failed by the wrong clock: the next one does not wait for that clock', async () => {
    const ground = await setUpLoop();
    const proxy = await startFaultyProxy(() => ground.baseUrl);
    proxy.otherwise = { status: 503 };
    const { value } = await ground.issue({ validity_days: 30 });
    await ground.keep({ name: 'app', value, base_url: proxy.baseUrl });
    ground.agent.start();
    await ground.pass(15 * dayMs);
    ground.time.jump(14 * dayMs);
    await ground.pass(minuteMs);
    expect(ground.view('app')).toMatchObject({ state: 'failing' });
    ground.time.jump(-14 * dayMs);
    proxy.otherwise = 'none';
    await ground.pass(minuteMs);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('back, while a rotation could not be written down: it is finished within a nap', async () => {
    const { ground, ledger } = await setUpFullDisk();
    const { value } = await ground.issue({ validity_days: 7 });
    await ground.keep({ name: 'app', value });
    ground.agent.start();
    ledger.refuses = 'credential.rotated';
    const dueMs = Date.parse(ground.view('app').next_rotation_at ?? '');
    await ground.passUntil(dueMs - 1);
    await ground.time.advance(1, () => ground.untilFailed(1));
    ledger.refuses = 'nothing';
    ground.time.jump(-7 * dayMs);
    await ground.pass(minuteMs);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2 });
    expect(ground.traffic.asked).toBe(1);
  });
});

describe('another zone', () => {
  it.each([
    ['of another time now', 0],
    ['of another time only after the next clock change', 40 * dayMs],
  ])('%s: the rotation comes at the preferred hours there, also when those are sooner', async (_, fromMs) => {
    let offset = 0;
    const ground = await setUpLoop({ zone: (atMs) => (atMs < noon + fromMs ? 0 : offset) });
    const { value } = await ground.issue({ validity_days: 90 });
    const policy = { fraction: 0.5, preferred_hours: { from: '20:00', to: '20:30' } };
    await ground.keep({ name: 'app', value, policy });
    ground.agent.start();
    await ground.pass(10 * dayMs);
    const instants = Array.from({ length: 24 }, (_, hours) => {
      offset = hours * 60;
      return ground.view('app').next_rotation_at ?? '';
    });
    const [before = ''] = instants;
    const soonest = [...instants].sort()[0] ?? '';
    expect(soonest < before).toBe(true);
    offset = instants.indexOf(soonest) * 60;
    await ground.passUntil(soonest);
    expect(ground.eventsOf('credential.rotated').map(({ at }) => at)).toEqual([soonest]);
  });
});

describe('a token of another service that was obtained while the clock was ahead', () => {
  const name = 'crm';
  const wanted = { name, value: 'rvx_TheFirst', validity_days: 7 };

  /** A service with a clock of its own, and the agent at work on a machine whose clock is ahead of that. */
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
      await here.agent.keeper.valueOf(name); // its turn is over
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

  it('is left alone where the clock was ahead by little of its life', async () => {
    const { here, service } = await startAhead(dayMs / 4);
    here.time.jump(-dayMs / 4);
    await here.wake();
    await here.time.advance(minuteMs);
    await here.agent.close();
    expect(service.calls).toEqual([]);
    expect(here.eventsOf('credential.rotation_begun')).toEqual([]);
  });
});

it('tells each end of a nap, so that others can look around then, and none without credentials', async () => {
  const ends: number[] = [];
  const ground = await setUpLoop({ onNapEnd: () => ends.push(ground.time.nowMs) });
  ground.agent.start();
  await ground.pass(5 * minuteMs);
  expect(ends).toEqual([]);
  const { value } = await ground.issue({ validity_days: 7 });
  await ground.keep({ name: 'app', value });
  const fromMs = ground.time.nowMs;
  await ground.pass(3 * minuteMs);
  expect(ends).toEqual([1, 2, 3].map((minutes) => fromMs + minutes * minuteMs));
});
