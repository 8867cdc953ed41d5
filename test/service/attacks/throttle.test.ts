import { describe, expect, it } from 'vitest';
import type { ThrottleLimits } from '../../../src/service/guard/failure-throttle.ts';
import type { Answer } from '../../fixtures/send-call.ts';
import { type AttackSetup, makeSetup, rotate, expectRefusal } from './attack-setup.ts';

const tight: ThrottleLimits = {
  perSource: { burst: 30, perSecond: 5 },
  perSourceAndToken: { burst: 10, perSecond: 1 },
};

interface TestClock {
  (): number;
  pass(ms: number): void;
}

function makeClock(): TestClock {
  let nowMs = Date.parse('2026-03-01T10:00:00.000Z');
  return Object.assign(() => nowMs, {
    pass(ms: number) {
      nowMs += ms;
    },
  });
}

function readSelf(setup: AttackSetup, bearer: string, headers: Record<string, string> = {}): Promise<Answer> {
  return setup.call({ method: 'GET', path: '/v1/auth/token', bearer, headers });
}

async function runExclusive<T>(count: number, act: (place: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let place = 0; place < count; place += 1) results.push(await act(place));
  return results;
}

function statuses(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('a storm of failed authentications', () => {
  it('with one token has to wait after its burst, and may return when it has waited', async () => {
    const clock = makeClock();
    const setup = await makeSetup({ clock, throttleLimits: tight, keepsConnection: true });
    const storm = await runExclusive(15, () => readSelf(setup, 'rvx_made_up'));
    expect(statuses(storm)).toEqual({ 401: 10, 429: 5 });
    const refused = storm.at(-1)!;
    expectRefusal(refused, 'too_many_failures', 'auth');
    const waitSeconds = Number(refused.headers['retry-after']);
    expect(waitSeconds).toBeGreaterThanOrEqual(1);
    clock.pass(waitSeconds * 1000);
    expect((await readSelf(setup, 'rvx_made_up')).status).toBe(401);
  });

  it('with a new token each time has to wait after the burst of its source', async () => {
    const setup = await makeSetup({ clock: makeClock(), throttleLimits: tight, keepsConnection: true });
    const storm = await runExclusive(50, (place) => readSelf(setup, `rvx_made_up_${place}`));
    expect(statuses(storm)).toEqual({ 401: 30, 429: 20 });
  });

  it.each([
    ['without a header', {}],
    ['with a malformed header', { authorization: 'Basic eDp5' }],
  ])('%s has to wait too', async (_what, headers) => {
    const setup = await makeSetup({ clock: makeClock(), throttleLimits: tight, keepsConnection: true });
    const storm = await runExclusive(15, () => setup.call({ method: 'GET', path: '/v1/ivrs', headers }));
    expect(statuses(storm)).toEqual({ 401: 10, 429: 5 });
    expectRefusal(storm.at(-1)!, 'too_many_failures', 'ivr');
  });

  it('with a suspended token has to wait too', async () => {
    const setup = await makeSetup({ clock: makeClock(), throttleLimits: tight, keepsConnection: true });
    const token = await setup.issue();
    await setup.owner('POST', `/portal/tokens/${token.id}/suspend`);
    const storm = await runExclusive(15, () => rotate(setup, token.access_token));
    expect(statuses(storm)).toEqual({ 403: 10, 429: 5 });
  });

  it('never slows or refuses a valid call from the same source, nor one with a valid token that lacks a scope', async () => {
    const setup = await makeSetup({ clock: makeClock(), throttleLimits: tight, keepsConnection: true });
    const good = await setup.issue();
    const reader = await setup.issue({ scopes: ['ivr:read'] });
    let current = good.access_token;
    const storm = await runExclusive(200, (place) => readSelf(setup, `rvx_made_up_${place % 3}`));
    expect(storm.some(({ status }) => status === 429)).toBe(true);
    for (let round = 0; round < 40; round += 1) {
      const [failed, read, denied] = await Promise.all([
        readSelf(setup, 'rvx_made_up'),
        readSelf(setup, current),
        setup.call({ method: 'POST', path: '/v1/ivr', bearer: reader.access_token, body: {} }),
      ]);
      expect([failed.status, read.status, denied.status]).toEqual([429, 200, 403]);
      const rotated = await rotate(setup, current);
      expect(rotated.status).toBe(200);
      current = (JSON.parse(rotated.text) as { access_token: string }).access_token;
      expect((await setup.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
      expect((await setup.owner('GET', '/portal/status')).status).toBe(200);
    }
  });

  it('does not use up what a token may do that becomes valid again', async () => {
    const setup = await makeSetup({ clock: makeClock(), throttleLimits: tight, keepsConnection: true });
    const token = await setup.issue();
    await setup.owner('POST', `/portal/tokens/${token.id}/suspend`);
    await runExclusive(40, () => readSelf(setup, token.access_token));
    await setup.owner('POST', `/portal/tokens/${token.id}/resume`);
    expect((await readSelf(setup, token.access_token)).status).toBe(200);
  });

  it('with a previous token adds nothing to the history once it has to wait', async () => {
    const setup = await makeSetup({ clock: makeClock(), throttleLimits: tight, keepsConnection: true });
    const token = await setup.issue();
    await rotate(setup, token.access_token);
    const storm = await runExclusive(100, (place) =>
      readSelf(setup, token.access_token, { 'user-agent': `another disguise ${place}` }),
    );
    expect(storm.some(({ status }) => status === 429)).toBe(true);
    const reused = setup.events.filter(({ kind }) => kind === 'token.reused').length;
    expect(reused).toBeGreaterThanOrEqual(1);
    expect(reused).toBeLessThanOrEqual(tight.perSourceAndToken.burst);
  });

  it('with a previous token under a new name each time writes a bounded number of events, and later uses again', async () => {
    const clock = makeClock();
    const setup = await makeSetup({ clock });
    const { access_token: old } = await setup.issue();
    await rotate(setup, old);
    const reused = () => setup.events.filter(({ kind }) => kind === 'token.reused').length;
    await runExclusive(100, (place) => readSelf(setup, old, { 'user-agent': `app/${place}` }));
    expect(reused()).toBe(20);
    clock.pass(60_000);
    await runExclusive(10, (place) => readSelf(setup, old, { 'user-agent': `app/${place}` }));
    expect(reused()).toBe(21);
  });

  it('with the sign-in code or the portal key guessed never locks the owner out', async () => {
    const setup = await makeSetup({ clock: makeClock(), throttleLimits: tight, keepsConnection: true });
    const code = setup.service.sessions.createCode();
    const guesses = await runExclusive(150, (place) =>
      setup.call({ method: 'GET', path: `/?code=rvl_${place}` }),
    );
    expect(Object.keys(statuses(guesses)).every((status) => ['401', '429'].includes(status))).toBe(true);
    await runExclusive(150, (place) =>
      setup.call({ method: 'GET', path: '/portal/status', bearer: `rvp_${place}` }),
    );
    expect((await setup.owner('GET', '/portal/status')).status).toBe(200);
    expect((await setup.call({ method: 'GET', path: `/?code=${code}` })).status).toBe(303);
  });

  it(
    'is forgotten in bounded memory: twenty thousand made-up tokens do not free the source of its wait',
    { tags: ['long'] },
    async () => {
      const setup = await makeSetup({ clock: makeClock(), throttleLimits: tight, keepsConnection: true });
      for (let round = 0; round < 40; round += 1) {
        const answers = await Promise.all(
          Array.from({ length: 500 }, (_, place) =>
            setup.service.app.inject({
              method: 'GET',
              url: '/v1/auth/token',
              headers: { authorization: `Bearer rvx_${round}_${place}` },
              remoteAddress: '127.0.0.1',
            }),
          ),
        );
        if (round > 0) expect(answers.every(({ statusCode }) => statusCode === 429)).toBe(true);
      }
    },
  );
});
