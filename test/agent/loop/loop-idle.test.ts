import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { noon } from '../../fixtures/make-events.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { credentialNamed } from '../../../src/core/credential/find-credential.ts';
import { credentialProblemText } from '../../../src/text/credential/credentials.ts';
import { credentialRefusalText } from '../../../src/text/credential/credential-refusal-text.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { setUpAgent } from '../agent-setup.ts';

const lives: [string, Record<string, unknown>][] = [
  ['1 day', { validity_days: 1 }],
  ['7 days', { validity_days: 7 }],
  ['15 days', { validity_days: 15 }],
  ['30 days', { validity_days: 30 }],
  ['90 days', { validity_days: 90 }],
  ['10 seconds', { validity_days: 1, expires_at: new Date(noon + 10_000).toISOString() }],
];

describe('a credential that is left alone', () => {
  for (const [name, configuration] of lives) {
    it(`is replaced before it expires, at the announced instant, again and again: ${name}`, async () => {
      const setup = await setUpLoop();
      const { value } = await setup.issue(configuration);
      const id = await setup.keep({ name: 'app', value });
      setup.agent.start();

      const values = [value];
      for (const generation of [1, 2, 3]) {
        const { next_rotation_at: announced, expires_at: end } = setup.view('app');
        if (announced === null) throw new Error('No rotation is announced');
        expect(Date.parse(announced)).toBeLessThan(Date.parse(end));
        await setup.passUntil(Date.parse(announced) - 1);
        expect(setup.view('app')).toMatchObject({ generation, state: 'fine' });
        await setup.passUntil(announced);
        expect(setup.view('app')).toMatchObject({ generation: generation + 1, last_rotated_at: announced });
        values.push((await setup.valueOf('app')) ?? 'none');
      }

      expect(setup.statusesOf('app')).toEqual(['Superseded', 'Superseded', 'Superseded', 'Active']);
      const answers = await Promise.all(values.map((one) => setup.tryValue(one)));
      expect(answers).toEqual([401, 401, 401, 200]);
      expect(setup.traffic.asked).toBe(3);
      expect(setup.eventsOf('credential.rotation_begun', id)).toHaveLength(3);
      expect(setup.failures).toEqual([]);
    });
  }

  it(
    'is planned as it then happens, for a month and many kinds of lifetime',
    { tags: ['long'] },
    async () => {
      const setup = await setUpLoop();
      const hours = { from: '22:30', to: '04:00' };
      const kinds: [string, Record<string, unknown>, Record<string, unknown>?][] = [
        ['day', { validity_days: 1 }],
        ['week', { validity_days: 7 }],
        ['nightly', { validity_days: 7 }, { preferred_hours: hours }],
        ['nightly-day', { validity_days: 1 }, { preferred_hours: hours }],
        ['early', { validity_days: 15 }, { fraction: 0.1 }],
        ['month', { validity_days: 30 }, { fraction: 0.9 }],
        ['short', { validity_days: 1, expires_at: new Date(noon + 10_000).toISOString() }],
      ];
      for (const [name, configuration, policy] of kinds) {
        const { value } = await setup.issue(configuration);
        await setup.keep({ name, value, ...(policy === undefined ? {} : { policy }) });
      }
      const end = new Date(noon + 30 * dayMs).toISOString();
      const planned = kinds.map(([name]) => setup.view(name).planned.filter((instant) => instant <= end));
      setup.agent.start();
      await setup.passUntil(end);
      const happened = kinds.map(([name]) =>
        setup.eventsOf('credential.rotated', setup.view(name).id).map(({ at }) => at),
      );
      expect(happened).toEqual(planned);
      expect(planned.map(({ length }) => length > 0)).toEqual(kinds.map(() => true));
    },
  );
});

describe('what the loop costs while nothing happens', () => {
  it('is nothing before it is started, and nothing without a credential', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue({ validity_days: 1 });
    await setup.keep({ name: 'app', value });
    expect(setup.time.waiting).toBe(0);
    await setup.pass(dayMs);
    expect(setup.traffic.asked).toBe(0);

    setup.agent.start();
    expect(setup.time.waiting).toBe(1);
    await setup.agent.requests.remove('app');
    expect(setup.time.waiting).toBe(0);
    const { wakeUps } = setup.time;
    await setup.pass(dayMs);
    expect(setup.time.wakeUps).toBe(wakeUps);
  });

  it('is one check a minute for a lifetime of 90 days, and no call before its time', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue({ validity_days: 90 });
    await setup.keep({ name: 'app', value });
    setup.agent.start();
    const dueMs = Date.parse(setup.view('app').next_rotation_at ?? '');
    const before = setup.events.length;
    await setup.passUntil(dueMs - 1);
    expect(setup.time.wakeUps).toBeLessThanOrEqual((dueMs - noon) / 60_000);
    expect(setup.events).toHaveLength(before);
    expect(setup.traffic.asked).toBe(0);
    expect(setup.time.waiting).toBe(1);
  });

  it('is one check a minute, too, for one that waits for a person', async () => {
    const setup = await setUpLoop();
    const { value, id } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value });
    await setup.wanted('POST', `/tokens/${id}/blacklist`);
    setup.agent.start();
    await setup.pass(5 * dayMs);
    expect(setup.view('app')).toMatchObject({ state: 'refused', next_rotation_at: null });
    const { wakeUps } = setup.time;
    await setup.pass(dayMs);
    expect(setup.time.wakeUps - wakeUps).toBeLessThanOrEqual(dayMs / 60_000);
    // Its state is known here, so no call is needed.
    expect(setup.traffic.asked).toBe(0);
  });
});

const minuteMs = 60_000;

/** Three credentials of a service that limits calls, and one of another; all tokens last a week. */
async function setUp() {
  const here = await setUpLoop();
  const there = await setUpAgent({ time: here.time });
  const limiting = await startFaultyProxy(() => there.baseUrl);
  const healthy = await startFaultyProxy(() => there.baseUrl);
  limiting.meets = () => true;
  const names = ['first', 'second', 'third'];
  for (const name of names) {
    await here.keep({ name, value: (await there.issue()).value, base_url: limiting.baseUrl });
  }
  await here.keep({ name: 'other', value: (await there.issue()).value, base_url: healthy.baseUrl });
  limiting.seen.length = 0;
  const tooMany = (minutes: number) => ({ status: 429, headers: { 'retry-after': `${minutes * 60}` } });
  return { here, there, limiting, healthy, names, tooMany };
}

function viewed({ store, agent, time, baseUrl }: LoopSetup, name: string) {
  const credential = credentialNamed(store.state, name);
  if (credential === undefined) throw new Error(`There is no ${name}`);
  return viewCredential(store.state, credential, {
    nowMs: time.nowMs,
    zone: () => 0,
    embeddedUrl: baseUrl,
    describe: credentialProblemText,
    agent: agent.requests,
  });
}

describe('a service that answers one credential that it gets too many calls', () => {
  it('is not called about any other until then, and another service is', async () => {
    const { here, limiting, names, tooMany } = await setUp();
    limiting.otherwise = tooMany(5);
    here.time.jump(6 * dayMs);
    const failed = here.next('credential.rotation_failed');
    expect(await here.agent.requests.rotateNow('first')).toMatchObject({ ok: true });
    await failed;
    limiting.otherwise = 'none';
    const untilMs = here.time.nowMs + 5 * minuteMs;
    const until = new Date(untilMs).toISOString();
    expect(limiting.seen).toHaveLength(1);

    const other = here.next('credential.rotated');
    here.agent.start();
    await here.time.advance(0);
    expect((await other).subject).toBe('cred_other');
    for (let minute = 0; minute < 4; minute += 1) await here.time.advance(minuteMs);
    expect(limiting.seen).toHaveLength(1);
    expect(viewed(here, 'second')).toMatchObject({
      state: 'due',
      next_rotation_at: until,
      service_waits_until: until,
      service_asks_until: until,
      planned: expect.arrayContaining([until]) as unknown,
      message: `${limiting.baseUrl} got too many calls and asks to wait until ${until}. Rotavox rotates after that.`,
    });
    expect(viewed(here, 'first').trouble?.next_try_at).not.toBeNull();

    await here.time.advance(minuteMs);
    await here.until(() => here.eventsOf('credential.rotated').length === names.length);
    expect(viewed(here, 'second')).not.toHaveProperty('service_waits_until');
  });

  it.each([
    ['longer than a day', '604800', 7 * 24 * 60, 24 * 60, 'Rotavox waits for a day at most, until '],
    ['a time with parts of a second', '90.2', 90.2 / 60, 90.2 / 60, 'Rotavox rotates after that.'],
    ['two times in one header', '30, 60', 1, 1, 'Rotavox rotates after that.'],
    ['nothing', undefined, null, 1, 'does not say how long to wait. Rotavox waits until '],
  ])('is quoted with what it asks for: %s', async (_what, header, askedMinutes, minutes, words) => {
    const { here, limiting } = await setUp();
    limiting.otherwise = { status: 429, headers: header === undefined ? {} : { 'retry-after': header } };
    here.time.jump(6 * dayMs);
    await here.agent.requests.rotateNow('first');
    const after = (span: number) => new Date(here.time.nowMs + Math.ceil(span * minuteMs)).toISOString();
    const asked = askedMinutes === null ? null : after(askedMinutes);
    const second = viewed(here, 'second');
    expect(second).toMatchObject({ service_waits_until: after(minutes) });
    expect(second.service_asks_until ?? null).toBe(asked);
    expect(second.message).toContain(words);
    if (asked === null) return;
    expect(second.message).toContain(`got too many calls and asks to wait until ${asked}.`);
    expect(viewed(here, 'first').trouble?.message).toContain(`It asks to wait until ${asked}.`);
  });

  it('is not called for a person either, who is told until when', async () => {
    const { here, there, limiting, tooMany } = await setUp();
    limiting.otherwise = tooMany(5);
    await here.agent.requests.rotateNow('first');
    limiting.otherwise = 'none';
    limiting.seen.length = 0;
    const until = new Date(here.time.nowMs + 5 * minuteMs).toISOString();
    const waits = `${limiting.baseUrl} got too many calls and asks to wait until ${until}.`;

    const rotated = await here.agent.requests.rotateNow('second');
    expect(rotated.ok ? '' : credentialRefusalText(rotated.refusal.reason)).toBe(
      `${waits} Nothing was sent: rotate again after that, or wait for the planned rotation.`,
    );
    const tested = await here.agent.requests.testCredential('second');
    expect(tested).toMatchObject({ ok: true, value: { outcome: 'unreachable' } });
    expect(tested.ok ? tested.value.message : '').toContain(waits);
    const { value } = await there.issue();
    const pasted = await here.agent.requests.testConnection({ value, base_url: limiting.baseUrl });
    expect(pasted).toMatchObject({ outcome: 'unreachable' });
    expect(pasted.message).toContain(`${waits} Nothing was sent.`);
    expect(limiting.seen).toEqual([]);
    expect(here.eventsOf('credential.rotation_failed')).toHaveLength(1);

    here.time.jump(5 * minuteMs);
    expect(await here.agent.requests.rotateNow('second')).toMatchObject({ ok: true });
    expect(viewed(here, 'second')).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('is called once for a token that would end before that, when half of the time that it had left is over', async () => {
    const { here, there, limiting, tooMany } = await setUp();
    const ends = {
      validity_days: 7,
      expires_at: new Date(here.time.nowMs + 6 * dayMs + 10 * minuteMs).toISOString(),
    };
    await here.keep({ name: 'ending', value: (await there.issue(ends)).value, base_url: limiting.baseUrl });
    limiting.otherwise = tooMany(60);
    here.time.jump(6 * dayMs);
    await here.agent.requests.rotateNow('first');
    limiting.otherwise = 'none';
    limiting.seen.length = 0;
    here.agent.start();
    await here.time.advance(4 * minuteMs);
    expect(limiting.seen).toEqual([]);
    const rotated = here.next('credential.rotated');
    await here.time.advance(minuteMs);
    await here.until(() =>
      here.eventsOf('credential.rotated').some(({ subject }) => subject === 'cred_ending'),
    );
    await rotated;
    expect(new Set(limiting.seen.map(({ path }) => path))).toEqual(
      new Set(['/v1/auth/rotate', '/v1/auth/token']),
    );
    expect(viewed(here, 'ending')).toMatchObject({ state: 'fine', generation: 2 });
    expect(viewed(here, 'second').generation).toBe(1);
  });
});
