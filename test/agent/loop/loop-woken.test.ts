import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lockKeyOf, runExclusive } from '../../../src/agent/run-exclusive.ts';
import type { DeliveryTarget, TargetId } from '../../../src/contract/credential/credential.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { vaultProblems } from '../../fakes/memory-vault.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

const hourMs = 3_600_000;
/** The shortest time between two attempts, with a lifetime of a week. */
const apartMs = 30_000;

/**
 * A rotation that has failed for hours, so that its next attempt is planned far ahead; the last one was `apartMs` ago.
 */
async function startFailing(
  fault: Fault,
  spoil: (setup: LoopSetup) => void = () => undefined,
): Promise<{ setup: LoopSetup; proxy: FaultyProxy; planned: string }> {
  const setup = await setUpLoop();
  const proxy = await startFaultyProxy(() => setup.baseUrl);
  proxy.otherwise = fault;
  const { value } = await setup.issue({ validity_days: 7 });
  await setup.keep({ name: 'app', value, base_url: proxy.baseUrl });
  spoil(setup);
  setup.agent.start();
  setup.time.jump(Date.parse(setup.view('app').next_rotation_at ?? '') - setup.time.nowMs);
  await setup.pass(4 * hourMs);
  await setup.passUntil(setup.view('app').next_rotation_at ?? '');
  await setup.pass(apartMs);
  const planned = setup.view('app').next_rotation_at ?? '';
  expect(Date.parse(planned) - setup.time.nowMs, 'the plan is far ahead').toBeGreaterThan(hourMs / 6);
  return { setup, proxy, planned };
}

/** Waits for an open rotation, if there is one, to end. */
async function finish(setup: LoopSetup): Promise<void> {
  await nextTurn();
  await runExclusive(lockKeyOf(setup.view('app').id), () => Promise.resolve());
  await nextTurn();
}

/** Lets time pass, with everything that starts meanwhile. */
async function pass(setup: LoopSetup, ms: number): Promise<void> {
  await setup.time.advance(ms, () => finish(setup));
}

async function wake(setup: LoopSetup): Promise<void> {
  setup.agent.wake();
  await pass(setup, 0);
}

function failuresOf(setup: LoopSetup): number {
  return setup.eventsOf('credential.rotation_failed').length;
}

describe('a machine that wakes, is unlocked or has its network back', () => {
  it('has a service asked at once that did not answer before', async () => {
    const { setup, proxy } = await startFailing('drop_call');
    proxy.otherwise = 'none';
    const wokeAt = new Date(setup.time.nowMs).toISOString();
    await wake(setup);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2, last_rotated_at: wokeAt });
    expect(setup.eventsOf('credential.rotation_begun'), 'the same rotation, with its key').toHaveLength(1);
  });

  it('has a rotation tried at once that the locked vault held up', async () => {
    const { setup } = await startFailing('none', ({ vault }) => vault.fail('locked'));
    expect(setup.view('app').state).toBe('vault_unavailable');
    setup.vault.heal();
    const wokeAt = new Date(setup.time.nowMs).toISOString();
    await wake(setup);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2, last_rotated_at: wokeAt });
  });

  it('changes no plan when that fails again', async () => {
    const { setup, proxy, planned } = await startFailing('drop_call');
    const before = failuresOf(setup);
    await wake(setup);
    expect(failuresOf(setup)).toBe(before + 1);
    expect(setup.eventsOf('credential.rotation_failed').at(-1)?.data.next_try_at).toBe(planned);
    expect(setup.view('app').next_rotation_at).toBe(planned);

    await setup.passUntil(Date.parse(planned) - 1);
    expect(failuresOf(setup)).toBe(before + 1);
    proxy.otherwise = 'none';
    await setup.passUntil(planned);
    expect(setup.view('app')).toMatchObject({ generation: 2, last_rotated_at: planned });
  });

  it('again and again does not overload the service: one attempt now, one when another may follow, and then the plan', async () => {
    const { setup, planned } = await startFailing('drop_call');
    const before = failuresOf(setup);
    for (let times = 0; times < 25; times += 1) {
      await wake(setup);
      await pass(setup, 1_000);
    }
    expect(failuresOf(setup)).toBe(before + 1);
    await pass(setup, 5_000);
    expect(failuresOf(setup)).toBe(before + 2);
    await setup.passUntil(Date.parse(planned) - 1);
    expect(failuresOf(setup)).toBe(before + 2);
  });

  it('while an attempt is under way that then fails has it tried once more', async () => {
    const { setup, proxy, planned } = await startFailing('drop_call');
    await setup.passUntil(Date.parse(planned) - 1);
    const vaultAnswers = Promise.withResolvers<undefined>();
    setup.vault.onCall = () => vaultAnswers.promise;
    await setup.time.advance(1);
    setup.agent.wake();
    const before = failuresOf(setup);
    vaultAnswers.resolve(undefined);
    await setup.until(() => failuresOf(setup) > before);
    await finish(setup);

    proxy.otherwise = 'none';
    await pass(setup, apartMs - 1);
    expect(setup.view('app').generation).toBe(1);
    await pass(setup, 1);
    expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
  });

  it.each<[string, Fault]>([
    ['fails', { status: 503 }],
    ['refuses for now', { status: 403 }],
    ['sends on to elsewhere', { status: 307, headers: { location: 'https://elsewhere.example' } }],
    ['asks to be left alone', { status: 429, headers: { 'retry-after': '7200' } }],
  ])('does not have a service asked sooner that %s', async (_which, fault) => {
    const { setup, proxy, planned } = await startFailing(fault);
    const asked = proxy.seen.length;
    await wake(setup);
    expect(proxy.seen).toHaveLength(asked);
    expect(setup.view('app').next_rotation_at).toBe(planned);
  });

  it('leaves a paused credential to its plan', async () => {
    const { setup, proxy, planned } = await startFailing('drop_call');
    await setup.wanted('POST', '/credentials/app/pause');
    const asked = proxy.seen.length;
    await wake(setup);
    expect(proxy.seen).toHaveLength(asked);
    expect(setup.view('app')).toMatchObject({ paused: { until: null }, next_rotation_at: planned });
  });
});

describe('a target in a locked keychain', () => {
  const keychain: DeliveryTarget = { kind: 'keychain', service: 'crm', account: 'me' };

  /** Both targets have failed for hours; the keychain has its own lock, like KeePassXC. */
  async function startUndelivered(): Promise<{ setup: LoopSetup; unlock: () => void }> {
    const setup = await setUpLoop();
    setup.vault.onCall = ({ entry }) => {
      if (entry.service === 'crm') throw new VaultUnavailable(vaultProblems.locked);
    };
    const { value } = await setup.issue({ validity_days: 7 });
    await setup.keep({ name: 'app', value });
    const file: DeliveryTarget = { kind: 'file', path: join(makeFolder(), 'missing', 'token') };
    for (const [place, target] of [keychain, file].entries()) {
      await setup.store.transact((state) => addTarget(state, 'app', `tgt_${place}` as TargetId, target));
    }
    setup.agent.start();
    await setup.pass(4 * hourMs);
    await setup.passUntil(setup.view('app').targets[0]?.next_try_at ?? '');
    await setup.pass(apartMs);
    return { setup, unlock: () => (setup.vault.onCall = () => undefined) };
  }

  it('gets the token at once when the machine is unlocked; a file that failed keeps its plan', async () => {
    const { setup, unlock } = await startUndelivered();
    const [, missing] = setup.view('app').targets;
    unlock();
    const wokeAt = new Date(setup.time.nowMs).toISOString();
    const delivered = setup.next('credential.delivered');
    setup.agent.wake();
    await setup.time.advance(0);
    await delivered;
    await setup.agent.close(); // and with it everything else that was started
    expect(setup.view('app').targets).toMatchObject([
      { status: 'delivered', delivered_at: wokeAt },
      missing ?? {},
    ]);
  });

  it('keeps its plan when it is still locked, however often the machine is unlocked', async () => {
    const { setup } = await startUndelivered();
    const failures = (): number =>
      setup.eventsOf('credential.delivery_failed').filter(({ data }) => data.target_id === 'tgt_0').length;
    const planned = setup.view('app').targets[0]?.next_try_at;
    const before = failures();
    for (let times = 0; times < 20; times += 1) {
      setup.agent.wake();
      await setup.time.advance(0);
      await setup.until(() => failures() > before);
      await nextTurn();
    }
    expect(failures()).toBe(before + 1);
    expect(setup.view('app').targets[0]?.next_try_at).toBe(planned);
  });
});
