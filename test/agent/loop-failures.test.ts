import { describe, expect, it } from 'vitest';
import type { CredentialView } from '../../src/contract/credential-view.ts';
import { seedOf } from '../../src/core/credential/credential.ts';
import { StoreUnavailable } from '../../src/core/ledger.ts';
import { retryAt } from '../../src/core/rotation/retry-at.ts';
import { urgencyOf } from '../../src/core/rotation/urgency-of.ts';
import { dayMs } from '../../src/core/token/token.ts';
import { type FaultyProxy, startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { noon } from '../fixtures/make-events.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';
import { setUpFullDisk } from './full-disk-setup.ts';

const minuteMs = 60_000;

async function startBehindProxy(
  configuration: Record<string, unknown>,
): Promise<{ ground: LoopSetup; proxy: FaultyProxy }> {
  const ground = await setUpLoop();
  const proxy = await startFaultyProxy(() => ground.baseUrl);
  const { value } = await ground.issue(configuration);
  await ground.keep({ name: 'app', value, base_url: proxy.baseUrl });
  ground.agent.start();
  return { ground, proxy };
}

describe('a service that fails', () => {
  const lives: [string, Record<string, unknown>][] = [
    ['7 days', { validity_days: 7 }],
    ['1 day', { validity_days: 1 }],
    ['10 seconds', { validity_days: 1, expires_at: new Date(noon + 10_000).toISOString() }],
  ];
  for (const [name, configuration] of lives) {
    it(`is asked again when it was said, until the value expires, and warned of in every stage: ${name}`, async () => {
      const { ground, proxy } = await startBehindProxy(configuration);
      proxy.otherwise = { status: 503 };
      const { id, obtained_at: obtained, expires_at: end, ...before } = ground.view('app');
      const life = { obtainedAtMs: Date.parse(obtained), expiresAtMs: Date.parse(end) };
      const warnings: CredentialView['warning'][] = [];
      ground.store.subscribe(({ kind }) => {
        if (kind === 'credential.rotation_failed') warnings.push(ground.view('app').warning);
      });
      await ground.passUntil(Date.parse(end) - 1);

      const failed = ground.eventsOf('credential.rotation_failed');
      const attempts = failed.map(({ at }) => at);
      const nextTries = failed.map(({ data }) => data.next_try_at);
      expect(attempts).toEqual([before.next_rotation_at, ...nextTries.slice(0, -1)]);
      expect(nextTries).toEqual(
        attempts.map((at, place) => {
          const attempt = { life, attempt: place + 1, nowMs: Date.parse(at), retryAfterMs: null };
          return new Date(retryAt({ ...attempt, seed: seedOf(id, 1) })).toISOString();
        }),
      );
      expect(Date.parse(nextTries.at(-1) ?? '')).toBeGreaterThanOrEqual(Date.parse(end));

      const stages = attempts.map((at) => urgencyOf(life, Date.parse(at)));
      expect(warnings).toEqual(stages);
      expect(new Set(warnings)).toEqual(new Set([null, 20, 10, 2]));
    });
  }

  it('and recovers is trouble no more, even in the last moments', async () => {
    const { ground, proxy } = await startBehindProxy({ validity_days: 7 });
    proxy.otherwise = { status: 503, body: '{"message":"closed on Sundays"}' };
    await ground.passUntil(noon + 6.95 * dayMs);
    const failing = ground.view('app');
    expect(failing).toMatchObject({ state: 'failing', warning: 2, trouble: { kind: 'service_failed' } });
    expect(failing.message).toContain('closed on Sundays');
    proxy.otherwise = 'none';
    await ground.passUntil(failing.next_rotation_at ?? '');
    expect(ground.view('app')).toMatchObject({
      state: 'fine',
      generation: 2,
      trouble: null,
      warning: null,
      rotation: null,
      message: null,
    });
    expect(ground.store.state.tokens.counts).toMatchObject({ Active: 1, Superseded: 1 });
  });

  it('and still fails after the end is asked from time to time, for ever', async () => {
    const { ground, proxy } = await startBehindProxy({ validity_days: 1 });
    proxy.otherwise = { status: 503 };
    await ground.passUntil(noon + dayMs);
    expect(ground.view('app').state).toBe('expired');
    const asked = proxy.seen.length;
    await ground.pass(7 * dayMs);
    expect(proxy.seen.length - asked).toBeGreaterThan(7 * 24);
    expect(proxy.seen.length - asked).toBeLessThan(7 * 24 * 3);
  });

  it('is left alone for as long as it asks', async () => {
    const { ground, proxy } = await startBehindProxy({ validity_days: 7 });
    proxy.faults.push({ status: 429, headers: { 'retry-after': String(6 * 3_600) } });
    await ground.passUntil(ground.view('app').next_rotation_at ?? '');
    const asked = proxy.seen.length;
    await ground.pass(6 * 3_600_000 - 1);
    expect(proxy.seen).toHaveLength(asked);
    await ground.pass(3_600_000);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2 });
  });
});

describe('a credential that rotates well', () => {
  it('is never warned of, however near its end', async () => {
    const ground = await setUpLoop();
    const { value } = await ground.issue({ validity_days: 7 });
    await ground.keep({ name: 'app', value, policy: { fraction: 0.9 } });
    const due = ground.view('app').next_rotation_at ?? '';
    await ground.passUntil(Date.parse(due) + 1);
    expect(ground.view('app')).toMatchObject({ state: 'due', warning: null });
    // The loop was not started so far.
    await ground.passUntil(noon + 6.99 * dayMs);
    expect(ground.view('app')).toMatchObject({ state: 'due', warning: null });
    await ground.wake();
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2, warning: null });
  });
});

describe('a disk that refuses', () => {
  it('has nothing sent that is not written down first, tells of it, and lets go on afterwards', async () => {
    const { ground, ledger } = await setUpFullDisk();
    const { value } = await ground.issue({ validity_days: 7 });
    await ground.keep({ name: 'app', value });
    ground.agent.start();
    const due = ground.view('app').next_rotation_at ?? '';
    await ground.passUntil(Date.parse(due) - 1);
    ledger.refuses = 'everything';
    await ground.time.advance(1, () => ground.untilFailed(1));
    let refused = 1;
    await ground.time.advance(20 * minuteMs, () => {
      refused += 1;
      return ground.untilFailed(refused);
    });
    expect(ground.traffic.asked).toBe(0);
    expect(ground.failures).toHaveLength(ledger.refused);
    expect(ground.failures.every((one) => one instanceof StoreUnavailable)).toBe(true);
    // Half a minute to a minute apart: no hot loop, and no long wait after the disk has room.
    expect(ledger.refused).toBeGreaterThanOrEqual(20);
    expect(ledger.refused).toBeLessThanOrEqual(41);
    ledger.refuses = 'nothing';
    await ground.pass(minuteMs);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2 });
    expect(ground.statusesOf('app')).toEqual(['Superseded', 'Active']);
  });

  it('after the service has acted loses nothing: the value is kept and the service is not asked again', async () => {
    const { ground, ledger } = await setUpFullDisk();
    const { value } = await ground.issue({ validity_days: 7 });
    await ground.keep({ name: 'app', value });
    ground.agent.start();
    const due = ground.view('app').next_rotation_at ?? '';
    await ground.passUntil(Date.parse(due) - 1);
    ledger.refuses = 'credential.rotated';
    await ground.time.advance(1, () => ground.untilFailed(1));
    expect(ground.view('app')).toMatchObject({ state: 'rotating', generation: 1 });
    expect(await ground.tryValue((await ground.valueOf('app')) ?? 'none')).toBe(200);
    ledger.refuses = 'nothing';
    await ground.pass(minuteMs);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2 });
    expect(ground.traffic.asked).toBe(1);
    expect(ground.statusesOf('app')).toEqual(['Superseded', 'Active']);
  });

  it('does not make a short life outlast its rest', async () => {
    const { ground, ledger } = await setUpFullDisk();
    const ends = { validity_days: 1, expires_at: new Date(noon + 10_000).toISOString() };
    const { value } = await ground.issue(ends);
    await ground.keep({ name: 'app', value });
    ground.agent.start();
    const due = ground.view('app').next_rotation_at ?? '';
    await ground.passUntil(Date.parse(due) - 1);
    ledger.refuses = 'everything';
    await ground.time.advance(1, () => ground.untilFailed(1));
    ledger.refuses = 'nothing';
    await ground.passUntil(noon + 9_000);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2 });
  });
});
