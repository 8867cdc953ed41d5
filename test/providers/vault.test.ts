import { describe, expect, it } from 'vitest';
import { VaultProvider } from '../../src/providers/vault/calls.ts';
import { addTarget } from '../../src/core/credential/change-credential.ts';
import { credentialSpans } from '../../src/core/lifeline/token-spans.ts';
import type { TargetId } from '../../src/contract/credential/credential.ts';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { startVaultServer, type VaultToken } from '../fakes/vault-server.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { noon } from '../fixtures/make-events.ts';
import { setUpLoop } from '../agent/loop/loop-setup.ts';
import { makeCaller } from './http/answering-service.ts';
import { attemptOf, describeProvider } from './provider-suite.ts';

const hourMs = 3_600_000;
const provider = { id: 'vault', inputs: {} };

describeProvider(
  'a token of Vault',
  async (time) => {
    const vault = await startVaultServer(time.clock);
    return {
      baseUrl: vault.baseUrl,
      provider: { id: 'vault', inputs: {} },
      token: vault.issue().value,
      isAlive: (token) => vault.isAlive(token),
      replaces: (path) => path.endsWith('/renew-self'),
    };
  },
  { afterLostReply: 'fine', rotation: 'renews' },
);

describe('a renewal at Vault', () => {
  async function setUp(one: Partial<VaultToken> = {}) {
    let nowMs = noon;
    const vault = await startVaultServer(() => nowMs);
    const at = new VaultProvider(makeCaller(), () => nowMs);
    const token = vault.issue(one);
    const held = attemptOf({ baseUrl: vault.baseUrl, token: token.value });
    const jump = (ms: number) => void (nowMs += ms);
    return { vault, at, token, held, jump, now: () => nowMs };
  }

  it('is for the lifetime with which the token was created, and gives the same token', async () => {
    const { vault, at, token, held, jump, now } = await setUp({ creationTtl: 3600 });
    jump(hourMs / 2);
    expect(await at.renew(held)).toEqual({
      ok: true,
      value: { token: token.value, validityDays: null, expiresAtMs: now() + hourMs, isLast: false },
    });
    expect(vault.calls).toEqual(['GET /v1/auth/token/lookup-self', 'POST /v1/auth/token/renew-self']);
  });

  it('of a token in a namespace has the namespace in its path', async () => {
    const { vault, at, held } = await setUp();
    expect(await at.renew({ ...held, inputs: { namespace: 'team/' } })).toMatchObject({ ok: true });
    expect(vault.calls.at(-1)).toBe('POST /v1/team/auth/token/renew-self');
  });

  it('is the last one when it reaches the limit of the token, which is known', async () => {
    const { vault, at, held, jump } = await setUp({ creationTtl: 3600, explicitMaxTtl: 5400 });
    jump(hourMs * 0.6);
    expect(await at.renew(held)).toMatchObject({ value: { expiresAtMs: noon + 1.5 * hourMs } });
    expect(await at.inspectRotation(held)).toEqual({
      outcome: 'cannot_rotate',
      service: vault.baseUrl,
      reason: { code: 'not_renewable', until: new Date(noon + 1.5 * hourMs).toISOString() },
    });
    const calls = vault.calls.length;
    expect(await at.renew(held)).toMatchObject({
      value: { expiresAtMs: noon + 1.5 * hourMs, isLast: true },
    });
    expect(vault.calls.slice(calls)).toEqual(['GET /v1/auth/token/lookup-self']);
  });

  it('is the last one when it brings nothing: the limit of the server is not told', async () => {
    const { vault, at, held, jump } = await setUp({ creationTtl: 3600 });
    vault.maxTtl = 5400;
    jump(hourMs * 0.6);
    expect(await at.renew(held)).toMatchObject({
      value: { expiresAtMs: noon + 1.5 * hourMs, isLast: false },
    });
    jump(hourMs * 0.6);
    expect(await at.renew(held)).toMatchObject({
      value: { expiresAtMs: noon + 1.5 * hourMs, isLast: true },
    });
  });

  it('right after another one says nothing about the limit', async () => {
    const { at, held, jump } = await setUp();
    jump(hourMs);
    await at.renew(held);
    jump(1000);
    expect(await at.renew(held)).toMatchObject({ value: { isLast: false } });
  });

  it('of a token with a period has no limit', async () => {
    const { vault, at, held, jump } = await setUp({ creationTtl: 3600, period: 3600 });
    vault.maxTtl = 3600;
    for (let count = 0; count < 10; count += 1) {
      jump(hourMs / 2);
      expect(await at.renew(held)).toMatchObject({ value: { isLast: false } });
    }
  });

  it.each<[string, Partial<VaultToken>, object, string | null]>([
    ['a token that is not renewable', { isRenewable: false }, { kind: 'known' }, '2026-01-17T12:00:00.000Z'],
    ['a root token', { creationTtl: null }, { kind: 'not_told', reason: { code: 'never_expires' } }, null],
  ])('is not tried for %s', async (_what, one, reply, until) => {
    const { vault, at, held } = await setUp(one);
    expect((await at.inspect(held)).reply).toMatchObject(reply);
    const reason = { code: 'not_renewable', until };
    expect(await at.inspectRotation(held)).toMatchObject({ outcome: 'cannot_rotate', reason });
    await at.renew(held);
    expect(vault.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
  });

  it.each([
    ['is not known', { isRevoked: true }, 'lookup-self'],
    ['may not renew itself', { denied: ['renew-self'] }, 'renew-self'],
  ])('is tried again later when the token %s: Vault answers both alike', async (_what, one, last) => {
    const { vault, at, held } = await setUp(one);
    expect(await at.renew(held)).toMatchObject({
      refusal: { kind: 'refused', trouble: { said: 'permission denied' }, mayHaveActed: false },
    });
    expect(vault.calls.at(-1)).toContain(last);
  });
});

describe('a credential of Vault', () => {
  const name = 'vault';

  async function setUp(one: Partial<VaultToken> = {}) {
    const here = await setUpLoop();
    const vault = await startVaultServer(here.time.clock);
    const proxy = await startFaultyProxy(() => vault.baseUrl);
    const { value } = vault.issue({ creationTtl: 3600, ...one });
    const add = (more = {}) => here.keep({ name, value, base_url: proxy.baseUrl, provider, ...more });
    return { here, vault, proxy, value, add };
  }

  it('is renewed in time up to its limit, and then reminds of its end', async () => {
    const { here, vault, value, add } = await setUp();
    vault.maxTtl = 4 * 3600;
    await add();
    const end = new Date(here.time.nowMs + 4 * hourMs).toISOString();
    const begun = here.view(name).obtained_at;
    here.agent.start();
    let minutes = 0;
    for (; here.view(name).state !== 'reminder' && minutes < 240; minutes += 1) {
      await here.pass(60_000);
      expect(vault.isAlive(value)).toBe(true);
    }
    expect(here.view(name)).toMatchObject({
      state: 'reminder',
      can_rotate: false,
      trouble: null,
      generation: 1,
      expires_at: end,
      held_since: begun,
      // Warnings are a share of its whole life.
      obtained_at: begun,
      next_rotation_at: null,
      planned: [],
      warning: 10,
    });
    expect(await here.valueOf(name)).toBe(value);
    const kinds = here.events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'credential.renewed').length).toBeGreaterThan(4);
    expect(kinds).not.toContain('credential.rotated');
  });

  it('delivers nothing again, and keeps its receipts', async () => {
    const { here, add } = await setUp();
    await add();
    const target = { kind: 'file', path: `${makeFolder()}/token` } as const;
    await here.store.transact((state) => addTarget(state, name, 'target_1' as TargetId, target));
    await here.agent.requests.deliverNow(name, 'target_1' as TargetId);
    here.time.jump(hourMs / 2);
    await here.agent.requests.rotateNow(name);
    expect(here.view(name).targets).toMatchObject([{ status: 'delivered', generation: 1 }]);
    expect(here.events.filter(({ kind }) => kind === 'credential.delivered')).toHaveLength(1);
  });

  it('is one bar of the lifeline that grows', async () => {
    const { here, vault, add } = await setUp();
    await add();
    const from = here.time.nowMs / 1000;
    for (let count = 0; count < 3; count += 1) {
      here.time.jump(hourMs / 2);
      await here.agent.requests.rotateNow(name);
    }
    const spans = () => {
      const [credential] = here.store.state.credentials.values();
      if (credential === undefined) throw new Error('There is no credential');
      return credentialSpans(credential, { fromMs: noon, nowMs: here.time.nowMs }).spans;
    };
    expect(spans()).toEqual([[from, from + 2.5 * 3600, 'present']]);
    // Another token ends it as a whole.
    expect((await here.agent.requests.replaceValue(name, { value: vault.issue().value }, 'pasted')).ok).toBe(
      true,
    );
    expect(spans()[0]).toEqual([from, from + 1.5 * 3600, 'replaced']);
    expect(here.view(name)).toMatchObject({ generation: 2, held_since: null });
  });

  it('is renewed once more after a reply that was lost, and nothing is in doubt meanwhile', async () => {
    const { here, proxy, value, add } = await setUp();
    proxy.meets = (path) => path.endsWith('/renew-self');
    await add();
    here.time.jump(hourMs / 2);
    proxy.faults.push('drop_reply');
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'failing' });
    expect(await here.agent.requests.valueOf(name)).toEqual({ ok: true, value });
    expect(here.events.at(-1)).toMatchObject({ data: { may_have_acted: false } });
    here.time.jump(60_000);
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'fine', trouble: null, rotation: null });
  });

  it('is renewed again when a person has entered another token', async () => {
    const { here, vault, add } = await setUp({ explicitMaxTtl: 3600 });
    await add({ remind_only: true });
    expect(here.view(name)).toMatchObject({ state: 'reminder', can_rotate: false });
    const { value } = vault.issue();
    await here.agent.requests.replaceValue(name, { value }, 'pasted');
    expect(here.view(name)).toMatchObject({ state: 'fine', can_rotate: null });
    expect(here.view(name).next_rotation_at).not.toBeNull();
  });

  it('that never expires is a reminder at most, and that is said', async () => {
    const { here, value, proxy } = await setUp({ creationTtl: null });
    const wanted = { name, value, base_url: proxy.baseUrl, provider: { id: 'vault', inputs: {} } } as const;
    const added = await here.agent.requests.add('cred_x' as never, wanted);
    expect(added).toMatchObject({ refusal: { field: 'expires_at' } });
    const tested = await here.agent.requests.testConnection({ ...wanted });
    expect(tested.message).toContain('it never expires');
    expect(tested.rotation?.message).toContain('nothing to renew');
  });
});
