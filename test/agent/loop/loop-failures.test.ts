import { describe, expect, it } from 'vitest';
import type { CredentialView } from '../../../src/contract/credential/credential-view.ts';
import { seedOf } from '../../../src/core/credential/credential-state.ts';
import { StoreUnavailable } from '../../../src/core/ledger.ts';
import { retryAt } from '../../../src/core/rotation/retry-at.ts';
import { urgencyOf } from '../../../src/core/rotation/due-at.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { type FaultyProxy, startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { noon } from '../../fixtures/make-events.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';
import { setUpFullDisk } from '../full-disk-setup.ts';

const minuteMs = 60_000;

async function startBehindProxy(
  configuration: Record<string, unknown>,
): Promise<{ setup: LoopSetup; proxy: FaultyProxy }> {
  const setup = await setUpLoop();
  const proxy = await startFaultyProxy(() => setup.baseUrl);
  const { value } = await setup.issue(configuration);
  await setup.keep({ name: 'app', value, base_url: proxy.baseUrl });
  setup.agent.start();
  return { setup, proxy };
}

describe('a service that fails', () => {
  const lives: [string, Record<string, unknown>][] = [
    ['7 days', { validity_days: 7 }],
    ['1 day', { validity_days: 1 }],
    ['10 seconds', { validity_days: 1, expires_at: new Date(noon + 10_000).toISOString() }],
  ];
  for (const [name, configuration] of lives) {
    it(`is asked again when it was said, until the token expires, and warned of in every stage: ${name}`, async () => {
      const { setup, proxy } = await startBehindProxy(configuration);
      proxy.otherwise = { status: 503 };
      const { id, obtained_at: obtained, expires_at: end, ...before } = setup.view('app');
      const lifetime = { obtainedAtMs: Date.parse(obtained), expiresAtMs: Date.parse(end) };
      const warnings: CredentialView['warning'][] = [];
      setup.store.subscribe(({ kind }) => {
        if (kind === 'credential.rotation_failed') warnings.push(setup.view('app').warning);
      });
      await setup.passUntil(Date.parse(end) - 1);

      const failed = setup.eventsOf('credential.rotation_failed');
      const attempts = failed.map(({ at }) => at);
      const nextTries = failed.map(({ data }) => data.next_try_at);
      expect(attempts).toEqual([before.next_rotation_at, ...nextTries.slice(0, -1)]);
      expect(nextTries).toEqual(
        attempts.map((at, place) => {
          const attempt = { lifetime, attempt: place + 1, nowMs: Date.parse(at), retryAfterMs: null };
          return new Date(retryAt({ ...attempt, seed: seedOf(id, 1) })).toISOString();
        }),
      );
      expect(Date.parse(nextTries.at(-1) ?? '')).toBeGreaterThanOrEqual(Date.parse(end));

      const stages = attempts.map((at) => urgencyOf(lifetime, Date.parse(at)));
      expect(warnings).toEqual(stages);
      expect(new Set(warnings)).toEqual(new Set([null, 20, 10, 2]));
    });
  }

  it('and recovers is no trouble any longer, even shortly before the expiry', async () => {
    const { setup, proxy } = await startBehindProxy({ validity_days: 7 });
    proxy.otherwise = { status: 503, body: '{"message":"closed on Sundays"}' };
    await setup.passUntil(noon + 6.95 * dayMs);
    const failing = setup.view('app');
    expect(failing).toMatchObject({ state: 'failing', warning: 2, trouble: { kind: 'service_failed' } });
    expect(failing.message).toContain('closed on Sundays');
    proxy.otherwise = 'none';
    await setup.passUntil(failing.next_rotation_at ?? '');
    expect(setup.view('app')).toMatchObject({
      state: 'fine',
      generation: 2,
      trouble: null,
      warning: null,
      rotation: null,
      message: null,
    });
    expect(setup.store.state.tokens.counts).toMatchObject({ Active: 1, Superseded: 1 });
  });

  it(
    'and still fails after the expiry is called from time to time without end',
    { tags: ['long'] },
    async () => {
      const { setup, proxy } = await startBehindProxy({ validity_days: 1 });
      proxy.otherwise = { status: 503 };
      await setup.passUntil(noon + dayMs);
      expect(setup.view('app').state).toBe('expired');
      const asked = proxy.seen.length;
      await setup.pass(7 * dayMs);
      expect(proxy.seen.length - asked).toBeGreaterThan(7 * 24);
      expect(proxy.seen.length - asked).toBeLessThan(7 * 24 * 3);
    },
  );

  it('is left alone for as long as it asks', async () => {
    const { setup, proxy } = await startBehindProxy({ validity_days: 7 });
    proxy.faults.push({ status: 429, headers: { 'retry-after': String(6 * 3_600) } });
    await setup.passUntil(setup.view('app').next_rotation_at ?? '');
    const asked = proxy.seen.length;
    await setup.pass(6 * 3_600_000 - 1);
    expect(proxy.seen).toHaveLength(asked);
    await setup.pass(3_600_000);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
  });
});

describe('a credential that rotates well', () => {
  it('is never warned of, however near its end', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value, policy: { fraction: 0.9 } });
    const due = setup.view('app').next_rotation_at ?? '';
    await setup.passUntil(Date.parse(due) + 1);
    expect(setup.view('app')).toMatchObject({ state: 'due', warning: null });
    // The loop was not started until here.
    await setup.passUntil(noon + 6.99 * dayMs);
    expect(setup.view('app')).toMatchObject({ state: 'due', warning: null });
    await setup.wake();
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2, warning: null });
  });
});

describe('a disk that refuses', () => {
  it('prevents every call that is not recorded first, is reported, and lets calls continue afterwards', async () => {
    const { setup, ledger } = await setUpFullDisk();
    const { value } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value });
    setup.agent.start();
    const due = setup.view('app').next_rotation_at ?? '';
    await setup.passUntil(Date.parse(due) - 1);
    ledger.refuses = 'everything';
    await setup.time.advance(1, () => setup.untilFailed(1));
    let refused = 1;
    await setup.time.advance(20 * minuteMs, () => {
      refused += 1;
      return setup.untilFailed(refused);
    });
    expect(setup.traffic.asked).toBe(0);
    expect(setup.failures).toHaveLength(ledger.refused);
    expect(setup.failures.every((one) => one instanceof StoreUnavailable)).toBe(true);
    // Half a minute to a minute apart: no busy loop, and no long wait after the disk has room.
    expect(ledger.refused).toBeGreaterThanOrEqual(20);
    expect(ledger.refused).toBeLessThanOrEqual(41);
    ledger.refuses = 'nothing';
    await setup.pass(minuteMs);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
    expect(setup.statusesOf('app')).toEqual(['Superseded', 'Active']);
  });

  it('after the service has acted loses nothing: the token is kept and the service is not asked again', async () => {
    const { setup, ledger } = await setUpFullDisk();
    const { value } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value });
    setup.agent.start();
    const due = setup.view('app').next_rotation_at ?? '';
    await setup.passUntil(Date.parse(due) - 1);
    ledger.refuses = 'credential.rotated';
    await setup.time.advance(1, () => setup.untilFailed(1));
    expect(setup.view('app')).toMatchObject({ state: 'rotating', generation: 1 });
    expect(await setup.tryValue((await setup.valueOf('app')) ?? 'none')).toBe(200);
    ledger.refuses = 'nothing';
    await setup.pass(minuteMs);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
    expect(setup.traffic.asked).toBe(1);
    expect(setup.statusesOf('app')).toEqual(['Superseded', 'Active']);
  });

  it('does not make a short lifetime outlast its rest', async () => {
    const { setup, ledger } = await setUpFullDisk();
    const ends = { validity_days: 1, expires_at: new Date(noon + 10_000).toISOString() };
    const { value } = await setup.issue(ends);
    await setup.keep({ name: 'app', value });
    setup.agent.start();
    const due = setup.view('app').next_rotation_at ?? '';
    await setup.passUntil(Date.parse(due) - 1);
    ledger.refuses = 'everything';
    await setup.time.advance(1, () => setup.untilFailed(1));
    ledger.refuses = 'nothing';
    await setup.passUntil(noon + 9_000);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
  });
});
