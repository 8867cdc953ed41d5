import { describe, expect, it } from 'vitest';
import { changePolicy } from '../../../src/core/credential/change-credential.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { attempt, blacklist, expectWhole, keysSent, setUpRotation, name, restart } from './rotation-setup.ts';

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
