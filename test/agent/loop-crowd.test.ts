import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../src/contract/credential.ts';
import type { FamilyId } from '../../src/contract/token.ts';
import { issueToken } from '../../src/core/token/issue-token.ts';
import { dayMs } from '../../src/core/token/token.ts';
import { mintId, mintToken } from '../../src/service/secrets/token-value.ts';
import { type FaultyProxy, startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { configuration, noon } from '../fixtures/make-events.ts';
import { setUpAgent } from './agent-setup.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';

/** What a service is given at once at most, and what all remote ones are given together. */
const mostPerService = 8;
const remoteAtOnce = 64;

describe('many credentials that are due at once', () => {
  it('are all rotated, a thousand of them, and the service never has more than a few calls open', async () => {
    const ground = await setUpLoop();
    const names = Array.from({ length: 1_000 }, (_, place) => `app-${place}`);
    await keepMany(ground, names);
    ground.time.jump(6 * dayMs);
    ground.agent.start();
    await ground.pass(0);
    const rotated = ground.eventsOf('credential.rotated');
    expect(new Set(rotated.map(({ subject }) => subject)).size).toBe(names.length);
    expect(rotated).toHaveLength(names.length);
    expect(ground.traffic).toMatchObject({ asked: names.length, open: 0 });
    expect(ground.traffic.mostOpen).toBeLessThanOrEqual(mostPerService);
    expect(ground.store.state.tokens.counts).toMatchObject({ Active: 1_000, Superseded: 1_000 });
    expect(ground.failures).toEqual([]);
    const last = (await ground.valueOf('app-999')) ?? 'none';
    expect(await ground.tryValue(last)).toBe(200);
  });

  it('do not wait for a service that hangs', async () => {
    const ground = await setUpLoop();
    const other = await setUpAgent({ time: ground.time });
    const hanging = await startFaultyProxy(() => other.baseUrl);
    const healthy = await startFaultyProxy(() => other.baseUrl);
    hanging.otherwise = 'hang';
    const ids = { hanging: [] as CredentialId[], healthy: [] as CredentialId[] };
    for (let place = 0; place < 20; place += 1) {
      const [theirs, alsoTheirs, ours] = await Promise.all([other.issue(), other.issue(), ground.issue()]);
      const requests = [
        { name: `hanging-${place}`, value: theirs.value, base_url: hanging.baseUrl },
        { name: `remote-${place}`, value: alsoTheirs.value, base_url: healthy.baseUrl },
        { name: `embedded-${place}`, value: ours.value },
      ];
      const [first, ...rest] = await Promise.all(requests.map((wanted) => ground.keep(wanted)));
      if (first !== undefined) ids.hanging.push(first);
      ids.healthy.push(...rest);
    }
    ground.time.jump(6 * dayMs);
    ground.agent.start();
    // Not settled: what hangs is due until its time limit, which none of the others is to wait for.
    await ground.time.advance(0);
    await ground.until(() => ground.eventsOf('credential.rotated').length === ids.healthy.length);
    const rotated = ground.eventsOf('credential.rotated').map(({ subject }) => subject);
    expect(rotated.sort()).toEqual([...ids.healthy].sort());
    expect(rotationsOf(hanging)).toBeGreaterThan(0);
    expect(rotationsOf(hanging)).toBeLessThanOrEqual(mostPerService);
    expect(ground.eventsOf('credential.rotation_failed')).toEqual([]);
  });

  it('get their turn at a service that hangs, and their values once it answers', async () => {
    const ground = await setUpLoop();
    const other = await setUpAgent({ time: ground.time });
    const remote = await startFaultyProxy(() => other.baseUrl);
    remote.otherwise = 'hang';
    // A life of 12 s leaves a call one second, the shortest limit: this is real time.
    const ends = { validity_days: 1, expires_at: new Date(noon + 12_000).toISOString() };
    const names = Array.from({ length: mostPerService + 2 }, (_, place) => `app-${place}`);
    for (const name of names) {
      const { value } = await other.issue(ends);
      await ground.keep({ name, value, base_url: remote.baseUrl });
    }
    ground.time.jump(8_500);
    ground.agent.start();
    await ground.pass(0);
    expect(ground.eventsOf('credential.rotation_failed')).toHaveLength(names.length);
    remote.otherwise = 'none';
    await ground.pass(3_400);
    for (const name of names) {
      expect(ground.view(name)).toMatchObject({ state: 'fine', generation: 2 });
      expect(await other.tryValue((await ground.valueOf(name)) ?? 'none')).toBe(200);
    }
    // The service acted on the first call of each; the second one, with the same key, brought the same answer.
    expect(other.store.state.tokens.counts).toMatchObject({ Active: names.length, Superseded: names.length });
  });

  it('of the embedded service do not wait for any number of others that hang', async () => {
    const ground = await setUpLoop();
    const other = await setUpAgent({ time: ground.time });
    const proxies: FaultyProxy[] = [];
    const each = 4;
    for (let place = 0; place <= remoteAtOnce / each; place += 1) {
      const proxy = await startFaultyProxy(() => other.baseUrl);
      proxy.otherwise = 'hang';
      proxies.push(proxy);
      for (let nth = 0; nth < each; nth += 1) {
        const { value } = await other.issue();
        await ground.keep({ name: `remote-${place}-${nth}`, value, base_url: proxy.baseUrl });
      }
    }
    const { value } = await ground.issue();
    const id = await ground.keep({ name: 'embedded', value });
    ground.time.jump(6 * dayMs);
    ground.agent.start();
    await ground.time.advance(0);
    await ground.until(() => ground.eventsOf('credential.rotated').length > 0);
    expect(ground.eventsOf('credential.rotated').map(({ subject }) => subject)).toEqual([id]);
    await ground.until(() => sumOf(proxies) === remoteAtOnce);
    expect(ground.eventsOf('credential.rotation_begun')).toHaveLength(remoteAtOnce + 1);
  });
});

describe('many credentials that a locked vault held up', () => {
  it('are all rotated once it is open and the machine has woken, each once, however often it wakes', async () => {
    const ground = await setUpLoop();
    const names = Array.from({ length: 1_000 }, (_, place) => `app-${place}`);
    await keepMany(ground, names);
    ground.time.jump(6 * dayMs);
    ground.vault.fail('locked');
    ground.agent.start();
    await ground.pass(0);
    expect(ground.eventsOf('credential.rotation_failed')).toHaveLength(names.length);

    // As soon as two attempts may follow each other, and sooner than the plans.
    ground.time.jump(30_000);
    ground.vault.heal();
    const before = ground.events.length;
    for (let times = 0; times < 100; times += 1) ground.agent.wake();
    expect(ground.events, 'a wake begins nothing itself').toHaveLength(before);
    expect(ground.time.waiting).toBe(1);
    await ground.time.advance(0);
    await ground.until(() => ground.eventsOf('credential.rotated').length === names.length);
    await ground.settled();
    expect(ground.traffic).toMatchObject({ asked: names.length });
    expect(ground.traffic.mostOpen).toBeLessThanOrEqual(mostPerService);
    expect(ground.eventsOf('credential.rotation_begun')).toHaveLength(names.length);
    expect(ground.failures).toEqual([]);
  });
});

describe('a rotation that is under way', () => {
  it('is not begun again, however often the agent is woken', async () => {
    const ground = await setUpLoop();
    await keepMany(ground, ['app']);
    const vaultOpens = Promise.withResolvers<undefined>();
    ground.vault.onCall = () => vaultOpens.promise;
    ground.time.jump(6 * dayMs);
    ground.agent.start();
    for (let times = 0; times < 20; times += 1) {
      ground.agent.wake();
      await ground.time.advance(0);
      await ground.time.advance(60_000);
    }
    vaultOpens.resolve(undefined);
    await ground.settled();
    expect(ground.eventsOf('credential.rotation_begun')).toHaveLength(1);
    expect(ground.eventsOf('credential.rotated')).toHaveLength(1);
    expect(ground.traffic.asked).toBe(1);
  });
});

describe('a loop that is closed', () => {
  it('finishes what is under way and begins nothing of what waits', async () => {
    const ground = await setUpLoop();
    const names = Array.from({ length: 2 * mostPerService }, (_, place) => `app-${place}`);
    await keepMany(ground, names);
    const vaultOpens = Promise.withResolvers<undefined>();
    ground.vault.onCall = () => vaultOpens.promise;
    ground.time.jump(6 * dayMs);
    ground.agent.start();
    await ground.time.advance(0);
    await ground.until(() => ground.eventsOf('credential.rotation_begun').length > 0);
    const begun = ground.eventsOf('credential.rotation_begun').length;
    expect(begun).toBeLessThan(names.length);
    const closed = ground.agent.close();
    vaultOpens.resolve(undefined);
    await closed;
    expect(ground.eventsOf('credential.rotation_begun')).toHaveLength(begun);
    expect(ground.eventsOf('credential.rotated')).toHaveLength(begun);
    expect(ground.eventsOf('credential.rotation_failed')).toEqual([]);
    expect(ground.time.waiting).toBe(0);
  });
});

/** Tokens of the ground's own service, a week each; the portal would take a call for each. */
async function keepMany(ground: LoopSetup, names: readonly string[]): Promise<void> {
  const waiting = [...names];
  const keepNext = async (): Promise<void> => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const { value, digest } = mintToken('api');
      const familyId = mintId('fam_') as FamilyId;
      await ground.store.transact((_state, nowMs) =>
        issueToken({ familyId, digest, configuration, expiresAtMs: null }, nowMs),
      );
      await ground.keep({ name, value });
    }
  };
  await Promise.all(Array.from({ length: 50 }, keepNext));
}

function rotationsOf({ seen }: FaultyProxy): number {
  return seen.filter(({ path }) => path === '/v1/auth/rotate').length;
}

function sumOf(proxies: readonly FaultyProxy[]): number {
  return proxies.reduce((sum, proxy) => sum + rotationsOf(proxy), 0);
}
