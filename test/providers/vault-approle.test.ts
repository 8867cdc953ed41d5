import { describe, expect, it } from 'vitest';
import { VaultApproleProvider } from '../../src/providers/vault-approle/calls.ts';
import { startVaultServer } from '../fakes/vault-server.ts';
import { noon } from '../fixtures/make-events.ts';
import { setUpLoneAgent } from '../agent/agent-setup.ts';
import { makeCaller } from './http/answering-service.ts';
import { attemptOf, describeProvider } from './provider-suite.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const inputs = { role: 'web', guardian: 'vault-admin' };

describeProvider(
  'a secret id of AppRole',
  async (time) => {
    const vault = await startVaultServer(time.clock);
    return {
      baseUrl: vault.baseUrl,
      provider: { id: 'vault-approle', inputs },
      helpers: { 'vault-admin': vault.issue({ creationTtl: 400 * 86_400 }).value },
      helperProvider: { id: 'vault', inputs: {} },
      token: vault.issueSecretId().value,
      keepsOld: true,
      isAlive: (token) => vault.logsIn(token),
      replaces: (path) => path.endsWith('/custom-secret-id'),
    };
  },
  { afterLostReply: 'fine' },
);

describe('a new secret id', () => {
  async function setUp({ ttl }: { ttl?: number } = {}) {
    let nowMs = noon;
    const vault = await startVaultServer(() => nowMs);
    const at = new VaultApproleProvider(makeCaller(), () => nowMs);
    const guardian = vault.issue();
    const current = vault.issueSecretId(undefined, ttl);
    const notes: string[] = [];
    const attempt = attemptOf({
      baseUrl: vault.baseUrl,
      token: current.value,
      inputs,
      remember: (note) => Promise.resolve(void notes.push(note)),
      tokenOf: (name) => Promise.resolve(name === 'vault-admin' ? guardian.value : null),
    });
    return { vault, at, guardian, current, notes, attempt, jump: (ms: number) => void (nowMs += ms) };
  }

  it('has a value that is written down before it is sent', async () => {
    const { vault, at, notes, attempt } = await setUp();
    const minted = await at.rotate(attempt);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^[\w-]{43}$/);
    expect(minted).toMatchObject({
      ok: true,
      value: {
        token: notes[0],
        upstreamId: vault.secretIds[1]?.accessor,
        validityDays: 30,
        expiresAtMs: noon + 30 * dayMs,
      },
    });
    const refusing = { ...attempt, remember: () => Promise.reject(new Error('no room')) };
    await expect(at.rotate(refusing)).rejects.toThrow('no room');
    expect(vault.secretIds).toHaveLength(2);
  });

  it('is the same one when the call is repeated, whether or not it arrived', async () => {
    const { vault, at, attempt } = await setUp();
    const first = await at.rotate({ ...attempt, note: 'chosen' });
    expect(first).toMatchObject({ ok: true, value: { token: 'chosen' } });
    expect(await at.rotate({ ...attempt, note: 'chosen' })).toEqual(first);
    expect(vault.secretIds.map(({ value }) => value)).toEqual([attempt.token, 'chosen']);
  });

  it('is not created again while nobody can tell whether it was', async () => {
    const { vault, at, guardian, attempt } = await setUp();
    Object.assign(guardian, { denied: ['secret-id/lookup'] });
    expect(await at.rotate({ ...attempt, note: 'chosen' })).toMatchObject({ refusal: { kind: 'refused' } });
    expect(vault.secretIds).toHaveLength(1);
  });

  it('lasts as long as the one before, or as many days as the credential has', async () => {
    const short = await setUp({ ttl: 3600 });
    expect(await short.at.rotate(short.attempt)).toMatchObject({
      value: { expiresAtMs: noon + hourMs, validityDays: null },
    });
    const wanted = { ...short.attempt, wantedDays: 1, mostDays: 1 };
    expect(await short.at.rotate({ ...wanted, note: null })).toMatchObject({
      value: { expiresAtMs: noon + hourMs },
    });
    const long = await setUp({ ttl: 30 * 86_400 });
    expect(await long.at.rotate({ ...long.attempt, wantedDays: 1, mostDays: 1 })).toMatchObject({
      value: { expiresAtMs: noon + dayMs },
    });
    const endless = await setUp({ ttl: 0 });
    endless.vault.secretIdTtl = 0;
    expect(await endless.at.rotate(endless.attempt)).toMatchObject({
      value: { expiresAtMs: noon + 7 * dayMs, validityDays: 7 },
    });
  });

  it('is asked for at the path and in the namespace that were entered', async () => {
    const { vault, at, attempt } = await setUp();
    const elsewhere = { ...attempt, inputs: { ...inputs, mount: 'ci/', namespace: 'team' } };
    expect(await at.rotate(elsewhere)).toMatchObject({ ok: true });
    expect(vault.calls.at(-1)).toBe('POST /v1/team/auth/ci/role/web/custom-secret-id');
    await at.rotate({ ...attempt, inputs: { ...inputs, role: '../x y' } });
    expect(vault.calls.at(-1)).toBe('POST /v1/auth/approle/role/..%2Fx%20y/custom-secret-id');
  });

  it('waits for the guardian, and sends nothing without it', async () => {
    const { vault, at, attempt } = await setUp();
    const alone = { ...attempt, tokenOf: () => Promise.resolve(null) };
    const missing = { refusal: { trouble: { code: 'no_guardian', name: 'vault-admin' } } };
    expect(await at.rotate(alone)).toMatchObject(missing);
    expect(await at.end(alone, { by: 'id', id: 'x' })).toMatchObject(missing);
    expect((await at.inspect(alone)).reply).toMatchObject({ kind: 'not_told' });
    expect(await at.inspectRotation(alone)).toMatchObject({ outcome: 'unknown' });
    expect(vault.calls).toEqual([]);
  });

  it('is looked up without logging in: its end, that it has none, has expired or is not known', async () => {
    const { at, attempt, current, jump } = await setUp();
    const look = async (token: string) => (await at.inspect({ ...attempt, token })).reply;
    expect(await look(current.value)).toMatchObject({
      kind: 'known',
      expiresAtMs: noon + 30 * dayMs,
      upstreamId: current.accessor,
    });
    expect(await look('other')).toMatchObject({ kind: 'refused', why: 'invalid' });
    jump(31 * dayMs);
    // The guardian has expired too, which says nothing about the secret id.
    expect(await look(current.value)).toMatchObject({ kind: 'not_told' });
    const endless = await setUp({ ttl: 0 });
    expect((await endless.at.inspect(endless.attempt)).reply).toMatchObject({
      reason: { code: 'never_expires' },
      upstreamId: endless.current.accessor,
    });
    const short = await setUp({ ttl: 60 });
    short.jump(61_000);
    expect((await short.at.inspect(short.attempt)).reply).toMatchObject({ kind: 'refused', why: 'expired' });
  });

  it('is destroyed by its accessor, and one that is gone counts as destroyed', async () => {
    const { vault, at, guardian, attempt, current } = await setUp();
    Object.assign(guardian, { denied: ['secret-id-accessor/destroy'] });
    expect(await at.end(attempt, { by: 'id', id: current.accessor })).toMatchObject({
      refusal: { kind: 'refused' },
    });
    Object.assign(guardian, { denied: [] });
    expect(await at.end(attempt, { by: 'id', id: current.accessor })).toEqual({ ok: true, value: 'deleted' });
    expect(vault.secretIds).toEqual([]);
    expect(await at.end(attempt, { by: 'id', id: current.accessor })).toEqual({
      ok: true,
      value: 'already_gone',
    });
  });

  it('can be rotated only where the guardian may look up', async () => {
    const { at, guardian, attempt } = await setUp();
    expect(await at.inspectRotation(attempt)).toMatchObject({ outcome: 'can_rotate' });
    Object.assign(guardian, { denied: ['secret-id/lookup'] });
    expect(await at.inspectRotation(attempt)).toMatchObject({
      outcome: 'cannot_rotate',
      reason: { code: 'no_endpoint', status: 403 },
    });
  });
});

describe('a credential with a secret id', () => {
  it('is added with its end and accessor, and its old one is destroyed when the overlap is over', async () => {
    const here = await setUpLoneAgent();
    const vault = await startVaultServer(here.time.clock);
    const admin = vault.issue({ creationTtl: 30 * 86_400 }).value;
    await here.keep({
      name: 'vault-admin',
      value: admin,
      base_url: vault.baseUrl,
      provider: { id: 'vault', inputs: {} },
    });
    const first = vault.issueSecretId();
    await here.keep({
      name: 'web',
      value: first.value,
      base_url: vault.baseUrl,
      provider: { id: 'vault-approle', inputs },
    });
    expect(here.view('web')).toMatchObject({
      can_rotate: true,
      expires_at: new Date(noon + 30 * dayMs).toISOString(),
    });
    here.agent.start();
    expect((await here.agent.requests.rotateNow('web')).ok).toBe(true);
    expect(here.view('web').retiring).toMatchObject([{ generation: 1, upstream_id: first.accessor }]);
    const gone = here.next('credential.retired');
    await here.time.advance(25 * hourMs);
    await gone;
    expect(vault.secretIds.map(({ value }) => value)).toEqual([await here.valueOf('web')]);
  });

  it('is refused without the credential that creates the secret ids', async () => {
    const here = await setUpLoneAgent();
    const vault = await startVaultServer(here.time.clock);
    const added = await here.agent.requests.add('cred_web' as never, {
      name: 'web',
      value: vault.issueSecretId().value,
      base_url: vault.baseUrl,
      provider: { id: 'vault-approle', inputs },
    });
    expect(added).toMatchObject({ refusal: { field: 'provider.inputs.guardian' } });
  });
});
