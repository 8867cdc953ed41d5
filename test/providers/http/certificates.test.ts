import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RotavoxProvider } from '../../../src/providers/rotavox/calls.ts';
import type { CallResult, ServiceCaller } from '../../../src/providers/http/service-caller.ts';
import { attemptOf } from '../provider-suite.ts';
import { noon } from '../../fixtures/make-events.ts';
import { type AnsweringService, makeCaller, startAnsweringService } from './answering-service.ts';
import { CallBudget } from '../../../src/providers/http/call-budget.ts';
import { complaintIn } from '../../../src/providers/http/read-reply.ts';

const execute = promisify(execFile);
const folder = join(import.meta.dirname, '../../fixtures/tls');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const tls = { key: read('key.pem'), cert: read('certificate.pem') };

const said = { access_token: 'rvx_fresh', validity_days: 7, expires_at: '2026-01-17T12:00:00Z' };

function startTlsService(): Promise<AnsweringService> {
  return startAnsweringService({ status: 200, body: said }, tls);
}

/** What another process receives, and what an unprotected program in the same environment would. */
async function callInProcess(
  settings: { baseUrl: string; trusted?: string },
  environment: Record<string, string>,
): Promise<{ heard: CallResult; careless: string }> {
  const script = join(import.meta.dirname, 'call-process.ts');
  const env = { ...process.env, NODE_NO_WARNINGS: '1', ...environment };
  const { stdout } = await execute(process.execPath, [script, JSON.stringify(settings)], { env });
  return JSON.parse(stdout) as { heard: CallResult; careless: string };
}

/** One rotation call. */
function ask(caller: ServiceCaller, baseUrl: string) {
  const wanted = attemptOf({ baseUrl, token: 'rvx_of_this_test' });
  return new RotavoxProvider(caller, () => noon).rotate(wanted);
}

it('refuses a certificate that is not trusted, and sends nothing', async () => {
  const service = await startTlsService();
  const { baseUrl } = service;
  expect(await ask(makeCaller(), baseUrl)).toEqual({
    ok: false,
    refusal: {
      kind: 'unsafe',
      trouble: {
        code: 'call_failed',
        service: baseUrl,
        failure: {
          code: 'not_trusted',
          systemCode: 'DEPTH_ZERO_SELF_SIGNED_CERT',
          issuer: 'A test of Rotavox',
        },
      },
      mayHaveActed: false,
      retryAfterMs: null,
    },
  });
  const { reply } = await new RotavoxProvider(makeCaller(), () => noon).inspect(
    attemptOf({ baseUrl, token: 'rvx_of_this_test' }),
  );
  expect(reply).toMatchObject({ kind: 'unreachable' });
  expect(service.calls).toEqual([]);
});

it('accepts one that is configured as trusted', async () => {
  const { baseUrl } = await startTlsService();
  const caller = makeCaller({ trusted: tls.cert });
  expect(await ask(caller, baseUrl)).toMatchObject({ ok: true });
});

it('refuses one although another is trusted', async () => {
  const service = await startTlsService();
  const caller = makeCaller({ trusted: read('other-certificate.pem') });
  const asked = await ask(caller, service.baseUrl);
  expect(asked).toMatchObject({ ok: false, refusal: { kind: 'unsafe' } });
  expect(service.calls).toEqual([]);
});

it('refuses a trusted one that is for another host', async () => {
  const service = await startTlsService();
  const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
  const caller = makeCaller({ trusted: tls.cert });
  const asked = await ask(caller, baseUrl);
  expect(asked).toMatchObject({ ok: false, refusal: { kind: 'unsafe', mayHaveActed: false } });
  expect(asked).toMatchObject({
    refusal: { trouble: { failure: { systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID' } } },
  });
  expect(service.calls).toEqual([]);
});

it('refuses a host that speaks no TLS', async () => {
  const plain = await startAnsweringService({ status: 200, body: said });
  const baseUrl = plain.baseUrl.replace('http:', 'https:');
  const asked = await ask(makeCaller(), baseUrl);
  expect(asked).toMatchObject({ ok: false, refusal: { kind: 'unsafe', mayHaveActed: false } });
  expect(plain.calls).toEqual([]);
});

it('refuses it also where the environment switches the check off', async () => {
  const service = await startTlsService();
  const { heard, careless } = await callInProcess(service, { NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  expect(careless).toBe('answered');
  expect(heard).toMatchObject({ kind: 'not_sent', failure: { code: 'not_trusted' } });
  expect(service.calls).toEqual(['GET /careless']);
});

it(
  'trusts the certificates of the environment in addition to the configured ones',
  { tags: ['long'] },
  async () => {
    const service = await startTlsService();
    const settings = { baseUrl: service.baseUrl, trusted: join(folder, 'other-certificate.pem') };
    const environment = { NODE_EXTRA_CA_CERTS: join(folder, 'certificate.pem') };
    const { heard, careless } = await callInProcess(settings, environment);
    expect(careless).toBe('answered');
    expect(heard).toMatchObject({ kind: 'answer', status: 200 });
  },
);

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Makes as many calls as it may until an instant; answers when each began. `reply`: whether the service complains. */
function callUntil(
  budget: CallBudget,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  reply: (nowMs: number) => number | 'ok' = () => 'ok',
): number[] {
  const calls: number[] = [];
  for (let nowMs = fromMs; nowMs < untilMs;) {
    const startMs = budget.hold(nowMs)?.untilMs ?? budget.nextCallMs(nowMs);
    if (startMs > nowMs) {
      nowMs = startMs;
      continue;
    }
    budget.take(nowMs);
    calls.push(nowMs);
    const waitMs = reply(nowMs);
    if (waitMs === 'ok') budget.answered(nowMs, nowMs);
    else budget.complained(nowMs, nowMs, waitMs);
  }
  return calls;
}

describe('the calls to a service whose limit is not known', () => {
  it('are few at first, and more while it does not complain', () => {
    const calls = callUntil(new CallBudget(null, 0), { fromMs: 0, untilMs: 10 * minuteMs });
    const within = (fromMs: number) => calls.filter((at) => at >= fromMs && at < fromMs + secondMs).length;
    expect(within(0)).toBeLessThanOrEqual(14);
    expect(within(2 * secondMs)).toBeLessThanOrEqual(5);
    expect(within(minuteMs)).toBeGreaterThanOrEqual(15);
    expect(within(9 * minuteMs)).toBeLessThanOrEqual(16);
  });

  it('end while it asks to wait, and go on more slowly than it complained of', () => {
    const budget = new CallBudget(null, 0);
    let complained = 0;
    const calls = callUntil(budget, { fromMs: 0, untilMs: 2 * minuteMs }, (nowMs) =>
      nowMs >= 10 * secondMs && complained++ === 0 ? 30 * secondMs : 'ok',
    );
    const breachMs = calls.find((at) => at >= 10 * secondMs) ?? 0;
    expect(calls.filter((at) => at > breachMs && at < breachMs + 30 * secondMs)).toEqual([]);
    expect(calls.find((at) => at > breachMs)).toBeLessThan(breachMs + 31 * secondMs);
    const within = (fromMs: number) =>
      calls.filter((at) => at >= fromMs && at < fromMs + 9 * secondMs).length;
    // From its second half on the first minute was at the rate that was complained of.
    expect(within(breachMs + 60 * secondMs)).toBeLessThanOrEqual(0.8 * 9 * 9);
  });

  it('meet any limit a few times only, before the rate fits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 200 }), fc.integer({ min: 1, max: 60 }), (most, seconds) => {
        const accepted: number[] = [];
        let breaches = 0;
        callUntil(new CallBudget(null, 0), { fromMs: 0, untilMs: 30 * minuteMs }, (nowMs) => {
          while ((accepted[0] ?? nowMs) <= nowMs - seconds * secondMs) accepted.shift();
          const [oldest] = accepted;
          if (oldest !== undefined && accepted.length >= most) {
            breaches += 1;
            return oldest + seconds * secondMs - nowMs;
          }
          accepted.push(nowMs);
          return 'ok';
        });
        expect(breaches).toBeLessThanOrEqual(30);
      }),
      { numRuns: 50 },
    );
  });

  it('wait a minute where it does not say how long, and twice as long each time, a quarter of an hour at most', () => {
    const budget = new CallBudget(null, 0);
    let nowMs = 0;
    const waits = Array.from({ length: 6 }, () => {
      budget.complained(nowMs, nowMs, null);
      const untilMs = budget.hold(nowMs)?.untilMs ?? nowMs;
      const waitMs = untilMs - nowMs;
      nowMs = untilMs;
      return waitMs / minuteMs;
    });
    expect(waits).toEqual([1, 2, 4, 8, 15, 15]);
    budget.answered(nowMs, nowMs);
    budget.complained(nowMs, nowMs, null);
    expect(budget.hold(nowMs)?.untilMs).toBe(nowMs + minuteMs);
  });
});

describe('a service that asks to wait', () => {
  it('is left alone for a day at most', () => {
    const budget = new CallBudget(null, 0);
    budget.complained(0, 0, 400 * hourMs);
    expect(budget.hold(1)).toEqual({ fromMs: 0, untilMs: 24 * hourMs, askedUntilMs: 400 * hourMs });
  });

  it('is not slowed down once more by answers to calls that were sent before', () => {
    const one = new CallBudget(null, 0);
    const many = new CallBudget(null, 0);
    for (const budget of [one, many]) budget.complained(5, 10, secondMs);
    for (let nth = 0; nth < 7; nth += 1) many.complained(6, 12, secondMs);
    const span = { fromMs: 2 * secondMs, untilMs: minuteMs };
    expect(callUntil(many, span).length).toBe(callUntil(one, span).length);
  });

  it('waits as long as it was told when the clock is set back', () => {
    const budget = new CallBudget(null, hourMs);
    budget.complained(hourMs, hourMs, minuteMs);
    expect(budget.hold(0)).toEqual({ fromMs: 0, untilMs: minuteMs, askedUntilMs: minuteMs });
    expect(budget.hold(minuteMs)).toBeNull();
  });
});

it('a documented limit is never met: half of it is used', () => {
  const budget = new CallBudget({ calls: 180, perSeconds: 60 }, 0);
  const calls = callUntil(budget, { fromMs: 0, untilMs: 10 * minuteMs });
  const most = Math.max(
    ...calls.map((from) => calls.filter((at) => at >= from && at < from + minuteMs).length),
  );
  expect(most).toBeLessThanOrEqual(100);
  expect(most).toBeGreaterThan(85);
});

describe('an answer', () => {
  const nowMs = Date.parse('2026-01-10T12:00:00Z');
  it.each([
    [429, {}, { waitMs: null }],
    [429, { 'retry-after': '30' }, { waitMs: 30_000 }],
    [429, { 'retry-after': '0.493' }, { waitMs: 493 }],
    [429, { 'retry-after': '292.052427053' }, { waitMs: 292_053 }],
    [429, { 'retry-after': '2814, 2' }, { waitMs: 2_814_000 }],
    [429, { 'retry-after': 'Sun, 11 Jan 2026 12:00:00 GMT' }, { waitMs: 86_400_000 }],
    [429, { 'retry-after': '-5' }, { waitMs: null }],
    [429, { 'retry-after': 'soon' }, { waitMs: null }],
    [429, { 'retry-after': '' }, { waitMs: null }],
    [503, { 'retry-after': '30' }, null],
    [503, {}, null],
    [403, {}, null],
    [403, { 'retry-after': '60' }, { waitMs: 60_000 }],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1768046460' }, { waitMs: 60_000 }],
    [403, { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': '1768046460' }, null],
    [200, { 'retry-after': '30' }, null],
    [500, { 'retry-after': '30' }, null],
  ])('%i with %j complains of too many calls: %j', (status, headers, complaint) => {
    expect(complaintIn(status, headers, nowMs)).toEqual(complaint);
  });
});
