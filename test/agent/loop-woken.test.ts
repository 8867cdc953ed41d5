import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { turnOf } from '../../src/agent/deliver-value.ts';
import { inTurn } from '../../src/agent/in-turn.ts';
import type { DeliveryTarget, TargetId } from '../../src/contract/credential.ts';
import { addTarget } from '../../src/core/credential/change-credential.ts';
import { VaultUnavailable } from '../../src/core/vault.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { vaultProblems } from '../fakes/memory-vault.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

const hourMs = 3_600_000;
/** What two attempts are apart at least, with a life of a week. */
const apartMs = 30_000;

/**
 * A rotation that has failed for hours, so that its next attempt is planned far ahead; the last one was `apartMs` ago.
 */
async function startFailing(
  fault: Fault,
  spoil: (ground: LoopSetup) => void = () => undefined,
): Promise<{ ground: LoopSetup; proxy: FaultyProxy; planned: string }> {
  const ground = await setUpLoop();
  const proxy = await startFaultyProxy(() => ground.baseUrl);
  proxy.otherwise = fault;
  const { value } = await ground.issue({ validity_days: 7 });
  await ground.keep({ name: 'app', value, base_url: proxy.baseUrl });
  spoil(ground);
  ground.agent.start();
  ground.time.jump(Date.parse(ground.view('app').next_rotation_at ?? '') - ground.time.nowMs);
  await ground.pass(4 * hourMs);
  await ground.passUntil(ground.view('app').next_rotation_at ?? '');
  await ground.pass(apartMs);
  const planned = ground.view('app').next_rotation_at ?? '';
  expect(Date.parse(planned) - ground.time.nowMs, 'the plan is far ahead').toBeGreaterThan(hourMs / 6);
  return { ground, proxy, planned };
}

/** Lets the rotation that was begun, if one was, come to its end. */
async function finish(ground: LoopSetup): Promise<void> {
  await nextTurn();
  await inTurn(turnOf(ground.view('app').id), () => Promise.resolve());
  await nextTurn();
}

/** Lets time pass, with what is begun on the way. */
async function pass(ground: LoopSetup, ms: number): Promise<void> {
  await ground.time.advance(ms, () => finish(ground));
}

async function wake(ground: LoopSetup): Promise<void> {
  ground.agent.wake();
  await pass(ground, 0);
}

function failuresOf(ground: LoopSetup): number {
  return ground.eventsOf('credential.rotation_failed').length;
}

describe('a machine that wakes, is unlocked or has its network back', () => {
  it('has a service asked at once that did not answer before', async () => {
    const { ground, proxy } = await startFailing('drop_call');
    proxy.otherwise = 'none';
    const wokeAt = new Date(ground.time.nowMs).toISOString();
    await wake(ground);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2, last_rotated_at: wokeAt });
    expect(ground.eventsOf('credential.rotation_begun'), 'the same rotation, with its key').toHaveLength(1);
  });

  it('has a rotation tried at once that the locked vault held up', async () => {
    const { ground } = await startFailing('none', ({ vault }) => vault.fail('locked'));
    expect(ground.view('app').state).toBe('vault_unavailable');
    ground.vault.heal();
    const wokeAt = new Date(ground.time.nowMs).toISOString();
    await wake(ground);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2, last_rotated_at: wokeAt });
  });

  it('changes no plan when that fails again', async () => {
    const { ground, proxy, planned } = await startFailing('drop_call');
    const before = failuresOf(ground);
    await wake(ground);
    expect(failuresOf(ground)).toBe(before + 1);
    expect(ground.eventsOf('credential.rotation_failed').at(-1)?.data.next_try_at).toBe(planned);
    expect(ground.view('app').next_rotation_at).toBe(planned);

    await ground.passUntil(Date.parse(planned) - 1);
    expect(failuresOf(ground)).toBe(before + 1);
    proxy.otherwise = 'none';
    await ground.passUntil(planned);
    expect(ground.view('app')).toMatchObject({ generation: 2, last_rotated_at: planned });
  });

  it('again and again hammers nobody: one attempt now, one when another may follow, and then the plan', async () => {
    const { ground, planned } = await startFailing('drop_call');
    const before = failuresOf(ground);
    for (let times = 0; times < 25; times += 1) {
      await wake(ground);
      await pass(ground, 1_000);
    }
    expect(failuresOf(ground)).toBe(before + 1);
    await pass(ground, 5_000);
    expect(failuresOf(ground)).toBe(before + 2);
    await ground.passUntil(Date.parse(planned) - 1);
    expect(failuresOf(ground)).toBe(before + 2);
  });

  it('while an attempt is under way that then fails has it tried once more', async () => {
    const { ground, proxy, planned } = await startFailing('drop_call');
    await ground.passUntil(Date.parse(planned) - 1);
    const vaultAnswers = Promise.withResolvers<undefined>();
    ground.vault.onCall = () => vaultAnswers.promise;
    await ground.time.advance(1);
    ground.agent.wake();
    const before = failuresOf(ground);
    vaultAnswers.resolve(undefined);
    await ground.until(() => failuresOf(ground) > before);
    await finish(ground);

    proxy.otherwise = 'none';
    await pass(ground, apartMs - 1);
    expect(ground.view('app').generation).toBe(1);
    await pass(ground, 1);
    expect(ground.view('app')).toMatchObject({ state: 'fine', generation: 2 });
  });

  it.each<[string, Fault]>([
    ['fails', { status: 503 }],
    ['refuses for now', { status: 403 }],
    ['sends on to elsewhere', { status: 307, headers: { location: 'https://elsewhere.example' } }],
    ['asks to be left alone', { status: 429, headers: { 'retry-after': '7200' } }],
  ])('does not have a service asked sooner that %s', async (_which, fault) => {
    const { ground, proxy, planned } = await startFailing(fault);
    const asked = proxy.seen.length;
    await wake(ground);
    expect(proxy.seen).toHaveLength(asked);
    expect(ground.view('app').next_rotation_at).toBe(planned);
  });

  it('leaves a paused credential to its plan', async () => {
    const { ground, proxy, planned } = await startFailing('drop_call');
    await ground.wanted('POST', '/credentials/app/pause');
    const asked = proxy.seen.length;
    await wake(ground);
    expect(proxy.seen).toHaveLength(asked);
    expect(ground.view('app')).toMatchObject({ paused: { until: null }, next_rotation_at: planned });
  });
});

describe('a target in a locked keychain', () => {
  const keychain: DeliveryTarget = { kind: 'keychain', service: 'crm', account: 'me' };

  /** Neither target has taken the value for hours; the keychain has its own lock, as KeePassXC has. */
  async function startUndelivered(): Promise<{ ground: LoopSetup; unlock: () => void }> {
    const ground = await setUpLoop();
    ground.vault.onCall = ({ entry }) => {
      if (entry.service === 'crm') throw new VaultUnavailable(vaultProblems.locked);
    };
    const { value } = await ground.issue({ validity_days: 7 });
    await ground.keep({ name: 'app', value });
    const file: DeliveryTarget = { kind: 'file', path: join(makeFolder(), 'missing', 'token') };
    for (const [place, target] of [keychain, file].entries()) {
      await ground.store.transact((state) => addTarget(state, 'app', `tgt_${place}` as TargetId, target));
    }
    ground.agent.start();
    await ground.pass(4 * hourMs);
    await ground.passUntil(ground.view('app').targets[0]?.next_try_at ?? '');
    await ground.pass(apartMs);
    return { ground, unlock: () => (ground.vault.onCall = () => undefined) };
  }

  it('gets the value at once when the machine is unlocked; a file that failed keeps its plan', async () => {
    const { ground, unlock } = await startUndelivered();
    const [, missing] = ground.view('app').targets;
    unlock();
    const wokeAt = new Date(ground.time.nowMs).toISOString();
    const delivered = ground.next('credential.delivered');
    ground.agent.wake();
    await ground.time.advance(0);
    await delivered;
    await ground.agent.close(); // and with it whatever else was begun
    expect(ground.view('app').targets).toMatchObject([
      { status: 'delivered', delivered_at: wokeAt },
      missing ?? {},
    ]);
  });

  it('keeps its plan when it is still locked, however often the machine is unlocked', async () => {
    const { ground } = await startUndelivered();
    const failures = (): number =>
      ground.eventsOf('credential.delivery_failed').filter(({ data }) => data.target_id === 'tgt_0').length;
    const planned = ground.view('app').targets[0]?.next_try_at;
    const before = failures();
    for (let times = 0; times < 20; times += 1) {
      ground.agent.wake();
      await ground.time.advance(0);
      await ground.until(() => failures() > before);
      await nextTurn();
    }
    expect(failures()).toBe(before + 1);
    expect(ground.view('app').targets[0]?.next_try_at).toBe(planned);
  });
});
