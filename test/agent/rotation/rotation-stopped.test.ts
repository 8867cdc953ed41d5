import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DeliveryTarget, TargetId } from '../../../src/contract/credential/credential.ts';
import { addTarget, changePolicy } from '../../../src/core/credential/change-credential.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import {
  attempt,
  blacklist,
  expectWhole,
  failures,
  keysSent,
  name,
  restart,
  type RotationSetup,
  setUpRotation,
} from './rotation-setup.ts';
import { waitFor } from '../../fixtures/wait-for.ts';

/** A program on what the stopped one left, as another host of the team is one. */
function startNext({ here, time }: RotationSetup) {
  const { store: ledger, vault, baseUrl } = here;
  const next = makeAgent({ ledger, vault, clock: time.clock, timer: time, embeddedUrl: () => baseUrl });
  next.start();
  return next;
}

/** Settles when the service has got the call for a new token, which it does not answer. */
function asked({ proxy }: RotationSetup): Promise<void> {
  proxy.otherwise = 'hang';
  const { promise, resolve } = Promise.withResolvers<undefined>();
  proxy.onAnswered = (path) => {
    if (path === '/v1/auth/rotate') resolve(undefined);
  };
  return promise;
}

async function expectContinuedAtOnce(setup: RotationSetup): Promise<void> {
  const { here, there, proxy, time } = setup;
  proxy.otherwise = 'none';
  const rotated = here.next('credential.rotated');
  const next = startNext(setup);
  await time.advance(0);
  await rotated;
  await next.close();
  await expectWhole(setup, 2);
  expect(new Set(keysSent(setup)).size).toBe(1);
  expect(there.events.filter(({ kind }) => kind === 'token.rotated')).toHaveLength(1);
}

describe('a rotation that a stop interrupts is continued at once by the next start', () => {
  it('when it was due', async () => {
    const setup = await setUpRotation();
    const { here, time } = setup;
    const call = asked(setup);
    here.agent.start();
    await time.advance(6 * dayMs);
    await call;
    await here.agent.close(0);
    expect(failures(setup)).toEqual([]);
    await expectContinuedAtOnce(setup);
  });

  it('when the owner asked for it', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    const call = asked(setup);
    const rotating = attempt(setup);
    await call;
    await here.agent.close(0);
    expect(await rotating).toMatchObject({ trouble: null, rotation: { cause: 'owner' } });
    await expectContinuedAtOnce(setup);
  });

  it('when an earlier attempt failed and the next one was planned for later', async () => {
    const setup = await setUpRotation();
    const { here, proxy, time } = setup;
    proxy.faults.push({ status: 500 });
    const { trouble } = await attempt(setup);
    expect(Date.parse(trouble?.next_try_at ?? '')).toBeGreaterThan(time.nowMs);
    const call = asked(setup);
    const rotating = attempt(setup);
    await call;
    await here.agent.close(0);
    await rotating;
    await expectContinuedAtOnce(setup);
  });
});

it('waits for a rotation that the owner asked for, as for one that was due', async () => {
  const setup = await setUpRotation();
  const { here, proxy } = setup;
  const closed = Promise.withResolvers<undefined>();
  proxy.onAnswered = (path) => {
    // The answer is on its way.
    if (path === '/v1/auth/rotate') here.agent.close().then(() => closed.resolve(undefined), closed.reject);
  };
  const rotating = attempt(setup);
  await closed.promise;
  await expectWhole(setup, 2);
  expect(await rotating).toMatchObject({ generation: 2 });
});

it.runIf(process.platform !== 'win32')(
  'runs a command at once that a stop interrupted, and calls that no failure',
  async () => {
    const setup = await setUpRotation();
    const { here, time } = setup;
    const folder = makeFolder();
    const code = 'if [ -e "$1/ran" ]; then cat > "$1/token"; else touch "$1/ran"; exec sleep 60; fi';
    const target: DeliveryTarget = {
      kind: 'hook',
      command: ['sh', '-c', code, 'hook', folder],
      pass: 'stdin',
      variable: 'TOKEN',
      time_limit_seconds: 60,
    };
    await here.store.transact((state) => addTarget(state, name, 'tgt_x' as TargetId, target));
    here.agent.start();
    await time.advance(0);
    await waitFor(() => expect(existsSync(join(folder, 'ran'))).toBe(true));
    await here.agent.close(0);

    const delivered = here.next('credential.delivered');
    startNext(setup);
    await time.advance(0);
    await delivered;
    expect(readFileSync(join(folder, 'token'), 'utf8')).toBe(`${setup.first}\n`);
    expect(here.events.filter(({ kind }) => kind === 'credential.delivery_failed')).toEqual([]);
  },
);

it('is made once where two people ask for it at the same time', async () => {
  const setup = await setUpRotation();
  const { requests } = setup.here.agent;
  const both = await Promise.all([requests.rotateNow(name), requests.rotateNow(name)]);
  expect(both.map(({ ok }) => ok)).toEqual([true, true]);
  expect(keysSent(setup)).toHaveLength(1);
  await expectWhole(setup, 2);
  await requests.rotateNow(name);
  expect(keysSent(setup)).toHaveLength(2);
});

it('asks its service for the validity that the owner wants, and for that of before when it is taken back', async () => {
  const setup = await setUpRotation();
  const { here } = setup;
  const want = (days: number | null) =>
    here.store.transact((state) => changePolicy(state, name, { validity_days: days }));
  const lifetimeOf = ({ obtained_at: from, expires_at: to }: { obtained_at: string; expires_at: string }) =>
    Date.parse(to) - Date.parse(from);
  await want(2);
  expect(lifetimeOf(await attempt(setup))).toBe(2 * dayMs);
  await want(null);
  expect(lifetimeOf(await attempt(setup))).toBe(7 * dayMs);
  await want(365);
  expect(lifetimeOf(await attempt(setup))).toBe(7 * dayMs);
  await expectWhole(setup, 4);
});

describe('a first attempt that is refused', () => {
  it('with 401 is a token that the service does not know, and no lost reply', async () => {
    const setup = await setUpRotation();
    const { proxy } = setup;
    proxy.otherwise = { status: 401, body: '{"message":"Who are you?"}' };
    for (let round = 1; round <= 2; round += 1) {
      expect(await attempt(setup)).toMatchObject({
        state: 'refused',
        message: `${proxy.baseUrl} does not know the token (401: “Who are you?”).`,
        trouble: { kind: 'invalid', next_try_at: null },
        next_rotation_at: null,
      });
    }
    const next = await restart(setup);
    proxy.otherwise = 'none';
    await next.requests.rotateNow(name);
    await expectWhole(setup, 2);
  });

  it('because it was blacklisted says so', async () => {
    const setup = await setUpRotation();
    await blacklist(setup);
    expect(await attempt(setup)).toMatchObject({
      state: 'refused',
      trouble: { kind: 'blacklisted', next_try_at: null },
    });
  });

  it('because it has expired says so', async () => {
    const setup = await setUpRotation();
    setup.time.jump(8 * dayMs);
    expect(await attempt(setup)).toMatchObject({
      state: 'expired',
      trouble: { kind: 'expired', next_try_at: null },
    });
  });
});
