import { describe, expect, it, onTestFinished } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import type { FamilyId } from '../../../src/contract/token/token.ts';
import { issueToken } from '../../../src/core/token/issue-token.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { mintId, mintToken } from '../../../src/service/secrets/token-value.ts';
import { type FaultyProxy, startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { configuration, noon } from '../../fixtures/make-events.ts';
import { setUpAgent } from '../agent-setup.ts';
import { type LoopSetup, setUpLoop } from './loop-setup.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { type Kind, mixed, openThousandDue, soonest } from '../../fixtures/thousand-due.ts';

/** The most calls at once to one service, and to all remote services together. */
const mostPerService = 8;
const remoteAtOnce = 64;

describe('many credentials that are due at once', () => {
  it(
    'are all rotated, a thousand of them, and the service never has more than a few calls open',
    { tags: ['long'] },
    async () => {
      const setup = await setUpLoop();
      const names = Array.from({ length: 1_000 }, (_, place) => `app-${place}`);
      await keepMany(setup, names);
      setup.time.jump(6 * dayMs);
      setup.agent.start();
      await setup.pass(0);
      const rotated = setup.eventsOf('credential.rotated');
      expect(new Set(rotated.map(({ subject }) => subject)).size).toBe(names.length);
      expect(rotated).toHaveLength(names.length);
      expect(setup.traffic).toMatchObject({ asked: names.length, open: 0 });
      expect(setup.traffic.mostOpen).toBeLessThanOrEqual(mostPerService);
      expect(setup.store.state.tokens.counts).toMatchObject({ Active: 1_000, Superseded: 1_000 });
      expect(setup.failures).toEqual([]);
      const last = (await setup.valueOf('app-999')) ?? 'none';
      expect(await setup.tryValue(last)).toBe(200);
    },
  );

  it('do not wait for a service that hangs', async () => {
    const setup = await setUpLoop();
    const other = await setUpAgent({ time: setup.time });
    const hanging = await startFaultyProxy(() => other.baseUrl);
    const healthy = await startFaultyProxy(() => other.baseUrl);
    hanging.otherwise = 'hang';
    const ids = { hanging: [] as CredentialId[], healthy: [] as CredentialId[] };
    for (let place = 0; place < 20; place += 1) {
      const [theirs, alsoTheirs, ours] = await Promise.all([other.issue(), other.issue(), setup.issue()]);
      const requests = [
        { name: `hanging-${place}`, value: theirs.value, base_url: hanging.baseUrl },
        { name: `remote-${place}`, value: alsoTheirs.value, base_url: healthy.baseUrl },
        { name: `embedded-${place}`, value: ours.value },
      ];
      const [first, ...rest] = await Promise.all(requests.map((wanted) => setup.keep(wanted)));
      if (first !== undefined) ids.hanging.push(first);
      ids.healthy.push(...rest);
    }
    setup.time.jump(6 * dayMs);
    setup.agent.start();
    // Not settled: a call that hangs is due until its time limit, and no other may wait for that.
    await setup.time.advance(0);
    await setup.until(() => setup.eventsOf('credential.rotated').length === ids.healthy.length);
    const rotated = setup.eventsOf('credential.rotated').map(({ subject }) => subject);
    expect(rotated.sort()).toEqual([...ids.healthy].sort());
    expect(rotationsOf(hanging)).toBeGreaterThan(0);
    expect(rotationsOf(hanging)).toBeLessThanOrEqual(mostPerService);
    expect(setup.eventsOf('credential.rotation_failed')).toEqual([]);
  });

  it('get their turn at a service that hangs, and their tokens once it answers', async () => {
    const setup = await setUpLoop();
    const other = await setUpAgent({ time: setup.time });
    const remote = await startFaultyProxy(() => other.baseUrl);
    remote.otherwise = 'hang';
    // A lifetime of 12 s leaves a call one second, the shortest limit: this is real time.
    const ends = { validity_days: 1, expires_at: new Date(noon + 12_000).toISOString() };
    const names = Array.from({ length: mostPerService + 2 }, (_, place) => `app-${place}`);
    for (const name of names) {
      const { value } = await other.issue(ends);
      await setup.keep({ name, value, base_url: remote.baseUrl });
    }
    setup.time.jump(8_500);
    setup.agent.start();
    await setup.pass(0);
    expect(setup.eventsOf('credential.rotation_failed')).toHaveLength(names.length);
    remote.otherwise = 'none';
    await setup.pass(3_400);
    for (const name of names) {
      expect(setup.view(name)).toMatchObject({ state: 'fine', generation: 2 });
      expect(await other.tryValue((await setup.valueOf(name)) ?? 'none')).toBe(200);
    }
    // The service acted on the first call of each; the second one, with the same key, returned the same answer.
    expect(other.store.state.tokens.counts).toMatchObject({ Active: names.length, Superseded: names.length });
  });

  it('of the embedded service do not wait for any number of others that hang', async () => {
    const setup = await setUpLoop();
    const other = await setUpAgent({ time: setup.time });
    const proxies: FaultyProxy[] = [];
    const each = 4;
    for (let place = 0; place <= remoteAtOnce / each; place += 1) {
      const proxy = await startFaultyProxy(() => other.baseUrl);
      proxy.otherwise = 'hang';
      proxies.push(proxy);
      for (let nth = 0; nth < each; nth += 1) {
        const { value } = await other.issue();
        await setup.keep({ name: `remote-${place}-${nth}`, value, base_url: proxy.baseUrl });
      }
    }
    const { value } = await setup.issue();
    const id = await setup.keep({ name: 'embedded', value });
    setup.time.jump(6 * dayMs);
    setup.agent.start();
    await setup.time.advance(0);
    await setup.until(() => setup.eventsOf('credential.rotated').length > 0);
    expect(setup.eventsOf('credential.rotated').map(({ subject }) => subject)).toEqual([id]);
    await setup.until(() => sumOf(proxies) === remoteAtOnce);
    expect(setup.eventsOf('credential.rotation_begun')).toHaveLength(remoteAtOnce + 1);
  });
});

describe('many credentials that a locked vault held up', { tags: ['long'] }, () => {
  it('are all rotated once it is open and the machine has woken, each once, however often it wakes', async () => {
    const setup = await setUpLoop();
    const names = Array.from({ length: 1_000 }, (_, place) => `app-${place}`);
    await keepMany(setup, names);
    setup.time.jump(6 * dayMs);
    setup.vault.fail('locked');
    setup.agent.start();
    await setup.pass(0);
    expect(setup.eventsOf('credential.rotation_failed')).toHaveLength(names.length);

    // As soon as two attempts may follow each other, which is sooner than planned.
    setup.time.jump(30_000);
    setup.vault.heal();
    const before = setup.events.length;
    for (let times = 0; times < 100; times += 1) setup.agent.wake();
    expect(setup.events, 'a wake begins nothing itself').toHaveLength(before);
    expect(setup.time.waiting).toBe(1);
    await setup.time.advance(0);
    await setup.until(() => setup.eventsOf('credential.rotated').length === names.length);
    await setup.settled();
    expect(setup.traffic).toMatchObject({ asked: names.length });
    expect(setup.traffic.mostOpen).toBeLessThanOrEqual(mostPerService);
    expect(setup.eventsOf('credential.rotation_begun')).toHaveLength(names.length);
    expect(setup.failures).toEqual([]);
  });
});

describe('a rotation that is under way', () => {
  it('is not begun again, however often the agent is woken', async () => {
    const setup = await setUpLoop();
    await keepMany(setup, ['app']);
    const vaultOpens = Promise.withResolvers<undefined>();
    setup.vault.onCall = () => vaultOpens.promise;
    setup.time.jump(6 * dayMs);
    setup.agent.start();
    for (let times = 0; times < 20; times += 1) {
      setup.agent.wake();
      await setup.time.advance(0);
      await setup.time.advance(60_000);
    }
    vaultOpens.resolve(undefined);
    await setup.settled();
    expect(setup.eventsOf('credential.rotation_begun')).toHaveLength(1);
    expect(setup.eventsOf('credential.rotated')).toHaveLength(1);
    expect(setup.traffic.asked).toBe(1);
  });
});

describe('a loop that is closed', () => {
  it('finishes what is running and starts nothing that waits', async () => {
    const setup = await setUpLoop();
    const names = Array.from({ length: 2 * mostPerService }, (_, place) => `app-${place}`);
    await keepMany(setup, names);
    const vaultOpens = Promise.withResolvers<undefined>();
    setup.vault.onCall = () => vaultOpens.promise;
    setup.time.jump(6 * dayMs);
    setup.agent.start();
    await setup.time.advance(0);
    await setup.until(() => setup.eventsOf('credential.rotation_begun').length > 0);
    const begun = setup.eventsOf('credential.rotation_begun').length;
    expect(begun).toBeLessThan(names.length);
    const closed = setup.agent.close();
    vaultOpens.resolve(undefined);
    await closed;
    expect(setup.eventsOf('credential.rotation_begun')).toHaveLength(begun);
    expect(setup.eventsOf('credential.rotated')).toHaveLength(begun);
    expect(setup.eventsOf('credential.rotation_failed')).toEqual([]);
    expect(setup.time.waiting).toBe(0);
  });
});

/** Issues tokens of the embedded service, each valid for a week, without one portal call per token. */
async function keepMany(setup: LoopSetup, names: readonly string[]): Promise<void> {
  const waiting = [...names];
  const keepNext = async (): Promise<void> => {
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const { value, digest } = mintToken('api');
      const familyId = mintId('fam_') as FamilyId;
      await setup.store.transact((_state, nowMs) =>
        issueToken({ familyId, digest, configuration, expiresAtMs: null }, nowMs),
      );
      await setup.keep({ name, value });
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

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const kinds = Object.keys(mixed) as Kind[];

it(
  'a thousand credentials of six services that are due at once are rotated within the limits of each',
  { tags: ['long'], timeout: 240_000 },
  async () => {
    const due = await openThousandDue(makeFolder(), 20 * secondMs);
    onTestFinished(() => due.close());
    due.agent.start();
    await due.untilRotated(20 * minuteMs);

    // None is lost, and each has a token that works.
    expect(due.rotated()).toHaveLength(1_000);
    const names = kinds.flatMap((kind) =>
      Array.from({ length: mixed[kind].count }, (_, place) => `${kind}-${place}`),
    );
    const dead: string[] = [];
    for (const name of names) if (!(await due.works(name))) dead.push(name);
    expect(dead).toEqual([]);

    for (const kind of kinds) {
      const { breaches, early, calls } = due.services[kind];
      // Where the limit is known it is never met.
      if (mixed[kind].isDocumented) expect(breaches, kind).toEqual([]);
      // Elsewhere the service complains at a few instants, and is not called before it wants to be.
      expect(new Set(breaches).size, kind).toBeLessThanOrEqual(6);
      expect(breaches.length, kind).toBeLessThanOrEqual(20);
      expect(early, kind).toBe(0);
      // No burst: the first second has a few calls.
      const [firstMs = 0] = calls;
      expect(calls.filter((atMs) => atMs < firstMs + secondMs).length, kind).toBeLessThanOrEqual(20);
      // The one whose token is about to end goes first.
      const place = due.rotated(kind).indexOf(`${kind}-${soonest(kind)}`);
      expect(place, kind).toBeGreaterThanOrEqual(0);
      expect(place, kind).toBeLessThan(8);
    }

    // A service without a limit does not wait for the others.
    expect(due.tookMs('vault')).toBeLessThan(minuteMs);
    expect(due.tookMs('vault')).toBeLessThan(due.tookMs('keys') / 2);
  },
);
