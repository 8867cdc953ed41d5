import { describe, expect, it } from 'vitest';
import { waitsForPerson } from '../../src/contract/credential/credential-view.ts';
import type { ProviderFile } from '../../src/contract/credential/provider-file.ts';
import type { ProviderChoice } from '../../src/contract/credential/provider.ts';
import { type Fault, type FaultyProxy, startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { ManualTimer } from '../fakes/manual-timer.ts';
import { makeAgent } from '../fixtures/make-agent.ts';
import { noon } from '../fixtures/make-events.ts';
import { type LoneAgent, setUpLoneAgent } from '../agent/agent-setup.ts';
import { Killer, type KillPoint } from '../agent/rotation/kill-point.ts';
import { StartSignIn } from '../../src/contract/credential/sign-in.ts';
import { oidcClient, type OidcServer, Visitor } from '../fakes/oidc-server.ts';
import { credentialIdNamed } from '../fixtures/credential-events.ts';
import type { Attempt } from '../../src/providers/provider-port.ts';

/** A service of a provider, real or a fake with cited rules. */
export interface ProviderWorld {
  readonly baseUrl: string;
  readonly provider: ProviderChoice;
  /** The file of the provider, where it is one. */
  readonly files?: readonly ProviderFile[];
  /** A new token of the service; what a person enters. */
  readonly token: string;
  /** For how long it is used, where its service does not say it. Default: 30 days for the token of a file. */
  readonly validityDays?: number;
  /** Adds the credential, where a person does not enter a token. */
  add?(here: LoneAgent, name: string, baseUrl: string): Promise<void>;
  /** Whether the service still accepts a token after it was replaced. */
  readonly keepsOld?: boolean;
  /** What is in a secret that nobody may see. Default: the secret itself. */
  secretsIn?(secret: string): readonly string[];
  /** Whether the service accepts the secret in the vault. */
  isAlive(token: string): boolean | Promise<boolean>;
  /** Whether a call replaces a token. */
  replaces(path: string): boolean;
  /** A second token of the same owner, which the credential gets. */
  readonly second?: string;
  /** Credentials that have to be there first, by name: their tokens. */
  readonly helpers?: Readonly<Record<string, string>>;
  /** What they are of. Default: the same provider. */
  readonly helperProvider?: ProviderChoice;
}

interface SuiteSetup {
  readonly here: LoneAgent;
  readonly world: ProviderWorld;
  readonly proxy: FaultyProxy;
  readonly time: ManualTimer;
  /** The secret in the vault before anything is replaced. */
  readonly before: string;
}

const name = 'crm';
const hourMs = 3_600_000;

interface Expected {
  /** What a reply that was lost leads to: the next attempt gets the new token, or a person has to. */
  readonly afterLostReply: 'fine' | 'reply_lost';
  /** What a rotation does. Default: replaces the token. */
  readonly rotation?: keyof typeof rotations;
}

const rotations = {
  replaces: { generationAfter: (count: number) => 1 + count, keepsToken: false },
  renews: { generationAfter: () => 1, keepsToken: true },
} as const;

/**
 * What every provider promises: whatever happens to a call or to the program, the vault has a token that works, or the state of
 * the credential says that it does not and a person is asked.
 */
export function describeProvider(
  what: string,
  start: (time: ManualTimer, proxyUrl: string) => Promise<ProviderWorld>,
  { afterLostReply, rotation = 'replaces' }: Expected,
): void {
  const { generationAfter, keepsToken } = rotations[rotation];

  async function setUp(): Promise<SuiteSetup> {
    const time = new ManualTimer(noon);
    let targetUrl = '';
    const proxy = await startFaultyProxy(() => targetUrl);
    const world = await start(time, proxy.baseUrl);
    targetUrl = world.baseUrl;
    proxy.meets = (path) => world.replaces(path);
    const here = await setUpLoneAgent({ time, providerFiles: world.files ?? [] });
    const { provider, helpers = {} } = world;
    for (const [helper, value] of Object.entries(helpers)) {
      const inputs = provider.id === 'gitlab' ? { kind: 'personal' } : world.provider.inputs;
      await here.keep({
        name: helper,
        value,
        base_url: proxy.baseUrl,
        provider: world.helperProvider ?? { id: provider.id, inputs },
        validity_days: 30,
      });
    }
    if (world.add !== undefined) await world.add(here, name, proxy.baseUrl);
    else {
      const days = world.validityDays ?? (world.files === undefined ? undefined : 30);
      const more = days === undefined ? {} : { validity_days: days };
      await here.keep({ name, value: world.token, base_url: proxy.baseUrl, provider, ...more });
    }
    if (world.second !== undefined) {
      expect((await here.agent.requests.setStandby(name, { value: world.second })).ok).toBe(true);
    }
    proxy.seen.length = 0;
    return { here, world, proxy, time, before: (await here.valueOf(name)) ?? '' };
  }

  async function attempt({ here }: SuiteSetup) {
    const rotated = await here.agent.requests.rotateNow(name);
    if (!rotated.ok) throw new Error(rotated.refusal.reason.code);
    return here.view(name);
  }

  /** Attempts until it is over, as the loop would make them. */
  async function settle(setup: SuiteSetup) {
    for (let round = 0; round < 5; round += 1) {
      const view = await attempt(setup);
      if (view.state === 'fine' || waitsForPerson(view)) return view;
      setup.time.jump(hourMs);
    }
    return setup.here.view(name);
  }

  /** The promise of all. Returns whether the token in the vault works. */
  async function expectNothingLost({ here, world, before }: SuiteSetup): Promise<boolean> {
    const value = (await here.valueOf(name)) ?? '';
    const isAlive = await world.isAlive(value);
    const view = here.view(name);
    if (!isAlive) {
      expect(waitsForPerson(view), view.state).toBe(true);
      expect(view.message).not.toBeNull();
    }
    expect(here.failures).toEqual([]);
    const secretsIn = world.secretsIn ?? ((secret) => [secret]);
    const secrets = [before, world.second ?? '', value].filter((one) => one !== '').flatMap(secretsIn);
    const shown = JSON.stringify([here.events, view]);
    for (const secret of secrets) expect(shown).not.toContain(secret);
    return isAlive;
  }

  describe(what, () => {
    it(`${rotation} a token: the one in the vault works longer, and one that was replaced does not`, async () => {
      const setup = await setUp();
      const { here, world, before, time } = setup;
      const { expires_at: endBefore } = here.view(name);
      // Right after it was obtained a token cannot get a later end.
      if (keepsToken) time.jump(hourMs);
      const view = await attempt(setup);
      expect(view).toMatchObject({ state: 'fine', generation: generationAfter(1), rotation: null });
      if (keepsToken) expect(Date.parse(view.expires_at)).toBeGreaterThan(Date.parse(endBefore));
      expect(await expectNothingLost(setup)).toBe(true);
      expect((await here.valueOf(name)) === before).toBe(keepsToken);
      // With a second token, that one was replaced, and nothing in use.
      const isKept = keepsToken || world.second !== undefined || world.keepsOld === true;
      expect(await world.isAlive(before)).toBe(isKept);
      if (world.second !== undefined) expect(await world.isAlive(world.second)).toBe(false);
      expect(await here.vault.read({ service: 'rotavox', account: `${name} (pending)` })).toBeNull();
    });

    it.each<[string, Fault]>([
      ['the reply is dropped', 'drop_reply'],
      ['half of the reply arrives', 'half_reply'],
    ])('finds out what happened when %s', async (_what, fault) => {
      const setup = await setUp();
      setup.proxy.faults.push(fault);
      expect(await attempt(setup)).toMatchObject({ state: 'failing', trouble: { kind: 'unreachable' } });
      setup.time.jump(hourMs);
      expect(await settle(setup)).toMatchObject({ state: afterLostReply });
      expect(await expectNothingLost(setup)).toBe(afterLostReply === 'fine');
    });

    it.each<[string, Fault, string]>([
      ['the call is dropped before it arrives', 'drop_call', 'failing'],
      ['the service is overloaded', { status: 503 }, 'failing'],
      ['the service fails', { status: 500, body: '{"message":"500"}' }, 'failing'],
      ['it asks to wait', { status: 429, headers: { 'retry-after': '120' } }, 'failing'],
      ['the reply is a page', { status: 200, body: '<html>Welcome</html>' }, 'failing'],
      ['the reply has no token', { status: 200, body: '{"success":true}' }, 'failing'],
      ['it redirects', { status: 307, headers: { location: 'https://elsewhere.example/x' } }, 'failing'],
    ])('rotates after all when %s', async (_what, fault, state) => {
      const setup = await setUp();
      setup.proxy.faults.push(fault);
      expect(await attempt(setup)).toMatchObject({ state, message: expect.any(String) as string });
      expect(await setup.world.isAlive(setup.before)).toBe(true);
      setup.time.jump(hourMs);
      expect(await settle(setup)).toMatchObject({ state: 'fine', generation: generationAfter(1) });
      expect(await expectNothingLost(setup)).toBe(true);
    });

    it('waits as long as the service asks for', async () => {
      const setup = await setUp();
      setup.proxy.faults.push({ status: 429, headers: { 'retry-after': '7200' } });
      const { next_rotation_at: next, expires_at: end } = await attempt(setup);
      // For a token with a short lifetime, half of what is left of it.
      const longestMs = (Date.parse(end) - setup.time.nowMs) / 2;
      const waitMs = Date.parse(next ?? '') - setup.time.nowMs;
      expect(waitMs).toBeGreaterThanOrEqual(Math.min(7_200_000, longestMs));
    });

    it.each([401, 403, 404])('keeps a token that works when the call is refused with %i', async (status) => {
      const setup = await setUp();
      const { world } = setup;
      setup.proxy.otherwise = { status, body: '{"message":"No."}' };
      const view = await settle(setup);
      if (world.second === undefined) {
        expect(view.state).not.toBe('fine');
        expect(view.message).not.toBeNull();
      }
      expect(await setup.here.valueOf(name)).toBe(setup.before);
      expect(await setup.world.isAlive(setup.before)).toBe(true);
      setup.proxy.otherwise = 'none';
      setup.time.jump(hourMs);
      expect(await settle(setup)).toMatchObject({ state: 'fine' });
      expect(await expectNothingLost(setup)).toBe(true);
    });

    it('keeps the token while nothing listens', async () => {
      const setup = await setUp();
      const { here, world, proxy, before } = setup;
      await proxy.close();
      expect(await attempt(setup)).toMatchObject({ state: 'failing', trouble: { kind: 'unreachable' } });
      expect(await here.valueOf(name)).toBe(before);
      expect(await world.isAlive(before)).toBe(true);
    });

    it('sends nothing while the vault is locked', async () => {
      const setup = await setUp();
      const { here, world, proxy } = setup;
      here.vault.fail('locked');
      expect(await attempt(setup)).toMatchObject({ state: 'vault_unavailable' });
      expect(proxy.seen.filter(({ path }) => world.replaces(path))).toEqual([]);
      here.vault.heal();
      setup.time.jump(hourMs);
      expect(await settle(setup)).toMatchObject({ state: 'fine' });
      expect(await expectNothingLost(setup)).toBe(true);
    });

    it('makes one attempt for all who ask at the same time', async () => {
      const setup = await setUp();
      const { here, proxy, world } = setup;
      await Promise.all([attempt(setup), attempt(setup), attempt(setup)]);
      expect(here.view(name)).toMatchObject({ state: 'fine', generation: generationAfter(1) });
      expect(proxy.seen.filter(({ path }) => world.replaces(path))).toHaveLength(1);
      expect(await expectNothingLost(setup)).toBe(true);
    });

    it('knows the lifetime of the new token also with a wrong clock', async () => {
      const setup = await setUp();
      const { here, time } = setup;
      const { expires_at: before } = here.view(name);
      await attempt(setup);
      const { expires_at: after } = here.view(name);
      expect(Date.parse(after)).toBeGreaterThanOrEqual(Date.parse(before));
      expect(Date.parse(after)).toBeGreaterThan(time.nowMs);
      // Back by a year, and the service with it: its dates are the service's own.
      time.jump(-365 * 24 * hourMs);
      expect(await settle(setup)).toMatchObject({ state: 'fine' });
      expect(await expectNothingLost(setup)).toBe(true);
    });

    for (const [point, tags] of killPoints) {
      it(`loses nothing when it is killed: ${JSON.stringify(point)}`, { tags: [...tags] }, async () => {
        const setup = await setUp();
        const { here, time } = setup;
        const killer = new Killer();
        const restarted = (of: Killer | null) =>
          makeAgent({
            ledger: of === null ? here.store : of.ledger(here.store),
            vault: of === null ? here.vault : of.vault(here.vault),
            clock: time.clock,
            timer: time,
            providerFiles: setup.world.files ?? [],
            embeddedUrl: () => here.baseUrl,
          });
        const dying = restarted(killer);
        killer.set(point);
        await dying.requests.rotateNow(name).catch(() => undefined);
        await dying.close();
        const next = restarted(null);
        for (let round = 0; round < 3; round += 1) {
          time.jump(hourMs);
          if (here.view(name).rotation !== null) await next.requests.rotateNow(name);
        }
        const { state: last, generation, last_rotated_at: rotatedAt } = here.view(name);
        // A token with a short lifetime is due again by now.
        const state = last === 'due' ? 'fine' : last;
        // Killed between the reply and the vault, the new token is gone: only some services can give it again.
        if (state === 'reply_lost') expect(afterLostReply).toBe('reply_lost');
        else {
          expect([state, generation]).toEqual(['fine', isBeforeAll(point) ? 1 : generationAfter(1)]);
          expect(rotatedAt === null).toBe(isBeforeAll(point));
        }
        expect(await expectNothingLost(setup)).toBe(state === 'fine');
      });
    }
  });
}

/** Every event and every call of the vault that a rotation makes; one that a provider does not make kills nothing. */
const killPoints = (['before', 'after'] as const).flatMap((when) => {
  const points: readonly KillPoint[] = [
    { when, nth: 1, on: 'event', kind: 'credential.rotation_begun' },
    { when, nth: 1, on: 'event', kind: 'credential.rotated' },
    { when, nth: 1, on: 'event', kind: 'credential.renewed' },
    ...[1, 2, 3].map((nth) => ({ when, nth, on: 'vault', call: 'write', entry: 'pending' }) as const),
    { when, nth: 1, on: 'vault', call: 'write', entry: 'current' },
    { when, nth: 1, on: 'vault', call: 'remove', entry: 'pending' },
  ];
  // One before the service acts, one between its reply and the vault, one after both.
  const usual = (place: number): boolean => (when === 'before' ? [0, 4] : [1]).includes(place);
  return points.map((point, place) => [point, usual(place) ? [] : ['long']] as const);
});

function isBeforeAll(point: KillPoint): boolean {
  return point.on === 'event' && point.kind === 'credential.rotation_begun' && point.when === 'before';
}

export interface Bundle {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly client_secret?: string;
}

export function bundleIn(secret: string): Bundle {
  return JSON.parse(secret) as Bundle;
}

export function secretsIn(secret: string): string[] {
  const { access_token, refresh_token, client_secret } = bundleIn(secret);
  return [access_token, refresh_token, client_secret].filter((one) => typeof one === 'string');
}

/** Signs in with a browser, as a person does. Throws when that does not work. */
export async function signIn(
  { agent }: LoneAgent,
  wanted: Record<string, unknown> & { readonly name: string },
): Promise<void> {
  const body = StartSignIn.parse({ method: 'browser', ...wanted });
  const started = await agent.requests.startSignIn(credentialIdNamed(body.name), body);
  if (!started.ok) throw new Error(JSON.stringify(started.refusal));
  await new Visitor().visit(started.value.url);
  const ended = agent.requests.signIn(started.value.id);
  if (ended?.status !== 'done') throw new Error(JSON.stringify(ended));
}

export function oidcChoice(issuer: string) {
  return {
    id: 'oauth2',
    inputs: { service: 'other', issuer, client_id: oidcClient, scope: 'openid offline_access' },
  } as const;
}

export function isSecretAlive(oidc: OidcServer, secret: string): Promise<boolean> {
  return oidc.isRefreshAlive(bundleIn(secret).refresh_token);
}

/** An attempt as the recipe makes it. */
export function attemptOf(one: Partial<Attempt> & Pick<Attempt, 'baseUrl' | 'token'>): Attempt {
  return {
    inputs: {},
    timeLimitMs: 20_000,
    idempotencyKey: 'key',
    upstreamId: null,
    label: 'rotavox-crm-key',
    wantedDays: 7,
    note: null,
    otherToken: null,
    remember: () => Promise.resolve(),
    tokenOf: () => Promise.resolve(null),
    ...one,
  };
}
