import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TroubleKind } from '../../../src/contract/credential/credential-view.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { type Fault, startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { Outgoing } from '../../../src/network/outgoing.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { noon } from '../../fixtures/make-events.ts';
import { setUpAgent, setUpLoneAgent } from '../agent-setup.ts';
import {
  attempt,
  expectNoToken,
  expectWhole,
  failures,
  keysSent,
  setUpRotation,
  name,
  type RotationSetup,
} from './rotation-setup.ts';

interface Expected {
  readonly fault: Fault;
  readonly kind: TroubleKind;
  readonly mayHaveActed: boolean;
  /** In the message for the person. */
  readonly words: string;
}

const busy = JSON.stringify({ success: false, message: 'Too busy.' });

const faults: Readonly<Record<string, Expected>> = {
  'drops the reply after the service has acted': {
    fault: 'drop_reply',
    kind: 'unreachable',
    mayHaveActed: true,
    words: 'was asked, but the connection ended before the answer arrived',
  },
  'sends half of the reply': {
    fault: 'half_reply',
    kind: 'unreachable',
    mayHaveActed: true,
    words: 'was asked, but the connection ended before the answer arrived',
  },
  'hangs after the service has acted': {
    fault: 'hang',
    kind: 'unreachable',
    mayHaveActed: true,
    words: 'did not answer within 1 s',
  },
  'drops the call': {
    fault: 'drop_call',
    kind: 'unreachable',
    mayHaveActed: true,
    words: 'was asked, but the connection ended',
  },
  'answers 500': {
    fault: { status: 500, body: busy },
    kind: 'service_failed',
    mayHaveActed: true,
    words: 'answered 500: “Too busy.”. Rotavox will retry.',
  },
  'answers 429 with Retry-After': {
    fault: { status: 429, body: busy, headers: { 'retry-after': '1' } },
    kind: 'service_failed',
    mayHaveActed: false,
    words: 'answered 429: “Too busy.”. It asks to wait until 2026-01-10T12:00:01.000Z. Rotavox will retry.',
  },
  'answers 503 with Retry-After and a page': {
    fault: { status: 503, body: '<html>Later</html>', headers: { 'retry-after': '1' } },
    kind: 'service_failed',
    mayHaveActed: true,
    words: 'is not available now (503): maintenance, or too much load.',
  },
  'answers garbage': {
    fault: { status: 200, body: '\u0000\u0001garbage {{{' },
    kind: 'service_failed',
    mayHaveActed: true,
    words: 'answered 200, but without a new token.',
  },
  'answers nothing at all': {
    fault: { status: 204 },
    kind: 'service_failed',
    mayHaveActed: true,
    words: 'answered 204, but without a new token.',
  },
  'refuses for now': {
    fault: { status: 403, body: busy },
    kind: 'refused',
    mayHaveActed: false,
    words: 'refuses for now (403: “Too busy.”)',
  },
};

/** So close to the expiry that a call that hangs is ended after the shortest time limit. */
function nearTheEnd({ time }: RotationSetup): void {
  time.jump(7 * dayMs - 3_500);
}

/** Lets the time pass for which the service has asked to wait: before that nothing is sent. */
function passWait({ time }: RotationSetup, fault: Fault): void {
  if (typeof fault === 'object' && fault.headers !== undefined) time.jump(1_000);
}

describe.each(Object.entries(faults))('a service that %s', (_what, { fault, kind, mayHaveActed, words }) => {
  it('is asked again with the same key, and the rotation ends well', async () => {
    const setup = await setUpRotation();
    const { here, proxy, time, first } = setup;
    if (fault === 'hang') nearTheEnd(setup);
    proxy.faults.push(fault);

    const failed = await attempt(setup);
    expect(failed.trouble).toMatchObject({ kind, attempts: 1 });
    expect(failed.message).toContain(words);
    expect(failed.message).toContain(proxy.baseUrl);
    expect(Date.parse(failed.trouble?.next_try_at ?? '')).toBeGreaterThan(time.nowMs);
    expect(failed.generation).toBe(1);
    expect(await here.valueOf(name), 'the old value stays until there is another').toBe(first);
    expect(failures(setup).map(({ data }) => data)).toMatchObject([
      { kind, may_have_acted: mayHaveActed, message: failed.message },
    ]);

    passWait(setup, fault);
    await attempt(setup);
    await expectWhole(setup, 2);
    const keys = keysSent(setup);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);

    await attempt(setup);
    await expectWhole(setup, 3);
    expect(keysSent(setup).at(-1), 'the next rotation has a key of its own').not.toBe(keys[0]);
  });
});

// Hanging costs a second each time, and has the same effect as a dropped reply.
const repeatable = Object.entries(faults).filter(([, { fault }]) => fault !== 'hang');

describe.each(repeatable)('a service that %s, again and again', (_what, { fault, kind, mayHaveActed }) => {
  it('is asked by the loop at the instants that are shown, with one key, until it is well', async () => {
    const setup = await setUpRotation();
    const { here, proxy, time } = setup;
    proxy.otherwise = fault;
    here.agent.start();
    for (let round = 1; round <= 4; round += 1) {
      const failed = here.next('credential.rotation_failed');
      await comeTo(setup, Date.parse(here.view(name).next_rotation_at ?? ''));
      expect((await failed).data).toMatchObject({ kind, may_have_acted: mayHaveActed });
      expect(here.view(name).trouble?.attempts).toBe(round);
    }
    proxy.otherwise = 'none';
    const rotated = here.next('credential.rotated');
    await comeTo(setup, Date.parse(here.view(name).next_rotation_at ?? ''));
    await rotated;
    await here.agent.close(); // waits for the rest of the rotation
    await expectWhole(setup, 2);
    expect(keysSent(setup)).toHaveLength(5);
    expect(new Set(keysSent(setup)).size).toBe(1);
    expect(here.events.filter(({ kind: one }) => one === 'credential.rotation_begun')).toHaveLength(1);
    expect(time.nowMs).toBeLessThan(noon + 7 * dayMs);
  });
});

/** The previous attempt is over, the clock is set to an instant, and the loop notices. */
async function comeTo({ here, time }: RotationSetup, atMs: number): Promise<void> {
  await here.agent.requests.valueOf(name);
  await new Promise(setImmediate);
  expect(atMs).toBeGreaterThanOrEqual(time.nowMs);
  time.jump(atMs - time.nowMs);
  here.agent.wake();
  await time.advance(0);
}

it('goes through every fault in one rotation, with one key and one new token', async () => {
  const setup = await setUpRotation();
  nearTheEnd(setup);
  const all = Object.values(faults);
  setup.proxy.faults.push(...all.map(({ fault }) => fault));
  for (const { kind, fault } of all) {
    expect((await attempt(setup)).trouble?.kind).toBe(kind);
    passWait(setup, fault);
  }
  await attempt(setup);
  await expectWhole(setup, 2);
  expect(keysSent(setup)).toHaveLength(all.length + 1);
  expect(new Set(keysSent(setup)).size).toBe(1);
  expect(setup.there.events.filter(({ kind }) => kind === 'token.rotated')).toHaveLength(1);
});

describe('Retry-After', () => {
  const hourMs = 3_600_000;

  it.each([
    ['seconds', () => '7200'],
    ['a date', (nowMs: number) => new Date(nowMs + 2 * hourMs).toUTCString()],
  ])('in %s is honoured: not before it, and not long after', async (_what, header) => {
    for (const status of [429, 503]) {
      const setup = await setUpRotation();
      const { proxy, time } = setup;
      proxy.faults.push({ status, headers: { 'retry-after': header(time.nowMs) } });
      const { trouble, next_rotation_at: next } = await attempt(setup);
      const waitMs = Date.parse(trouble?.next_try_at ?? '') - time.nowMs;
      expect(waitMs).toBeGreaterThanOrEqual(2 * hourMs);
      expect(waitMs).toBeLessThanOrEqual(2.2 * hourMs + 1);
      expect(next).toBe(trouble?.next_try_at);
    }
  });

  it('never makes it wait past the end of the token', async () => {
    const setup = await setUpRotation();
    const { proxy, time } = setup;
    proxy.faults.push({ status: 429, headers: { 'retry-after': String(30 * 24 * 3600) } });
    const { trouble } = await attempt(setup);
    expect(Date.parse(trouble?.next_try_at ?? '')).toBeLessThan(time.nowMs + 7 * dayMs);
  });
});

describe('a redirect to another host', () => {
  it.each([301, 302, 303, 307, 308])(
    'with %i is refused, and the other host hears nothing',
    async (status) => {
      const setup = await setUpRotation();
      const { here, there, proxy } = setup;
      const elsewhere = await startFaultyProxy(() => there.baseUrl);
      proxy.otherwise = { status, headers: { location: `${elsewhere.baseUrl}/v1/auth/rotate` } };
      for (let round = 1; round <= 3; round += 1) {
        const { state, message, trouble } = await attempt(setup);
        expect(state).toBe('failing');
        expect(trouble).toMatchObject({ kind: 'unsafe', attempts: round });
        expect(message).toContain(
          `${proxy.baseUrl} redirects to ${elsewhere.baseUrl}. The token was not sent there`,
        );
      }
      expect(elsewhere.seen).toEqual([]);
      expectNoToken(setup);

      proxy.otherwise = 'none';
      await attempt(setup);
      await expectWhole(setup, 2);
      expect(new Set(keysSent(setup)).size).toBe(1);
      expect(here.events.filter(({ kind }) => kind === 'credential.rotated')).toHaveLength(1);
    },
  );
});

describe('a certificate that does not verify', () => {
  const read = (file: string) => readFileSync(join(import.meta.dirname, '../../fixtures/tls', file), 'utf8');
  const tls = { key: read('key.pem'), cert: read('certificate.pem') };

  it('ends the call before anything is sent, and the rotation continues once it is trusted', async () => {
    const there = await setUpAgent();
    const { time } = there;
    const here = await setUpLoneAgent({ time });
    const proxy = await startFaultyProxy(() => there.baseUrl, { tls });
    const { value: first } = await there.issue();
    const wanted = { name, value: first, base_url: proxy.baseUrl };

    await expect(here.keep(wanted)).rejects.toThrow('not_trusted');
    // It can be added anyway, and the trouble is reported.
    await here.keep({ ...wanted, validity_days: 7 });
    await here.agent.requests.rotateNow(name);
    const { state, trouble, next_rotation_at: next } = here.view(name);
    expect(state).toBe('failing');
    expect(trouble?.kind).toBe('unsafe');
    expect(trouble?.message).toBe(
      `${proxy.baseUrl} cannot be trusted: its certificate does not verify (DEPTH_ZERO_SELF_SIGNED_CERT). It was issued by “A test of Rotavox”, which this machine does not trust. If that is your company, ask for the certificate of “A test of Rotavox” as a file and name it in the setting “certificates” or in NODE_EXTRA_CA_CERTS. The token was not sent.`,
    );
    expect(next).not.toBeNull();
    expect(proxy.seen).toEqual([]);

    const trusting = makeAgent({
      ledger: here.store,
      vault: here.vault,
      clock: time.clock,
      timer: time,
      embeddedUrl: () => here.baseUrl,
      outgoing: new Outgoing({ trusted: tls.cert }),
    });
    await trusting.requests.rotateNow(name);
    await expectWhole({ here, there, proxy, time, first }, 2);
  });
});
