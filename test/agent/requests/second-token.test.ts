import { expect, it, describe } from 'vitest';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { startGitlabServer } from '../../fakes/start-gitlab-server.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { setUpAgent } from '../agent-setup.ts';

const name = 'gitlab';
const standby = { service: 'rotavox', account: 'gitlab (standby)' };

/** A credential of GitLab, with two tokens whose scopes do not let them find each other. */
async function setUp() {
  const here = await setUpAgent();
  const gitlab = await startGitlabServer(here.time.clock);
  const proxy = await startFaultyProxy(() => gitlab.baseUrl);
  proxy.meets = (path) => path.endsWith('/rotate');
  const [first, second] = [gitlab.issue(), gitlab.issue()];
  const provider = { id: 'gitlab', inputs: { kind: 'personal' } };
  await here.keep({ name, value: first.value, base_url: proxy.baseUrl, provider });
  const { requests } = here.agent;
  return { here, gitlab, proxy, first, second, requests };
}

describe('a second token', () => {
  it('is replaced by a rotation, and the former current token takes its place', async () => {
    const { here, gitlab, first, second, requests } = await setUp();
    expect((await requests.setStandby(name, { value: second.value })).ok).toBe(true);
    expect(here.view(name).standby).toEqual({ expires_at: '2026-02-09T00:00:00.000Z' });
    await requests.rotateNow(name);
    const third = (await here.valueOf(name)) ?? '';
    expect(await here.vault.read(standby)).toBe(first.value);
    expect([first.value, second.value, third].map((value) => gitlab.isAlive(value))).toEqual([
      true,
      false,
      true,
    ]);
    await requests.rotateNow(name);
    expect(await here.vault.read(standby)).toBe(third);
    expect(gitlab.isAlive(first.value)).toBe(false);
    expect(gitlab.isAlive(third)).toBe(true);
  });

  it('is replaced before it expires, however old the current one is', async () => {
    const { here, gitlab, second, requests, proxy } = await setUp();
    await requests.setStandby(name, { value: second.value });
    here.agent.start();
    for (let days = 0; days < 120; days += 1) {
      await here.time.advance(dayMs);
      const settled = async () => {
        await here.time.advance(60_000);
        return here.view(name).state;
      };
      await expect.poll(settled).toBe('fine');
      expect(gitlab.isAlive((await here.valueOf(name)) ?? '')).toBe(true);
      expect(gitlab.isAlive((await here.vault.read(standby)) ?? '')).toBe(true);
    }
    // Twice as often as one token alone: each token in turn.
    const rotations = proxy.seen.filter(({ path }) => path.endsWith('/rotate')).length;
    expect(rotations).toBeGreaterThan(9);
    expect(rotations).toBeLessThan(16);
    expect(gitlab.familiesRevoked).toBe(0);
  });

  it('that is lost ends nothing else: the current token works, and is rotated alone from then on', async () => {
    const { here, gitlab, proxy, first, second, requests } = await setUp();
    await requests.setStandby(name, { value: second.value });
    proxy.faults.push('drop_reply');
    await requests.rotateNow(name);
    here.time.jump(3_600_000);
    await requests.rotateNow(name);
    const view = here.view(name);
    expect(view).toMatchObject({
      state: 'fine',
      standby: null,
      rotation: null,
      trouble: null,
      generation: 1,
    });
    expect(await here.valueOf(name)).toBe(first.value);
    expect(gitlab.isAlive(first.value)).toBe(true);
    const changes = here.events.filter(({ kind }) => kind === 'credential.standby_changed');
    expect(changes.at(-1)).toMatchObject({
      actor: { kind: 'system' },
      data: { standby: null, message: expect.stringContaining('no reply with a new token') as string },
    });
    await requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
    expect(gitlab.isAlive(first.value)).toBe(false);
  });

  it('is removed with its credential, or alone', async () => {
    const { here, gitlab, second, requests } = await setUp();
    await requests.setStandby(name, { value: second.value });
    expect(await requests.setStandby(name, null)).toMatchObject({ ok: true });
    expect(await here.vault.read(standby)).toBeNull();
    expect(here.view(name).standby).toBeNull();
    expect(gitlab.isAlive(second.value)).toBe(true);
    await requests.setStandby(name, { value: second.value });
    await requests.remove(name);
    expect(await here.vault.read(standby)).toBeNull();
  });

  it('cannot be the current token, or that of another credential, or one that does not work', async () => {
    const { here, gitlab, first, second, proxy, requests } = await setUp();
    const other = gitlab.issue();
    const provider = { id: 'gitlab', inputs: { kind: 'personal' } };
    await here.keep({ name: 'other', value: other.value, base_url: proxy.baseUrl, provider });
    const reasonOf = async (value: string) => {
      const set = await requests.setStandby(name, { value });
      return set.ok ? null : set.refusal.reason.code;
    };
    expect(await reasonOf(first.value)).toBe('token_taken');
    expect(await reasonOf(other.value)).toBe('token_taken');
    expect(await reasonOf('glpat-nobody')).toBe('token_refused');
    expect(await reasonOf(second.value)).toBeNull();
    const added = await requests.add('cred_x' as never, {
      name: 'again',
      value: second.value,
      base_url: proxy.baseUrl,
      provider: { id: 'gitlab', inputs: { kind: 'personal' } },
    });
    expect(added).toMatchObject({ refusal: { reason: { code: 'token_taken', name } } });
  });

  it('is for services that have one: not this one, and not a runner', async () => {
    const { here, gitlab, proxy, requests } = await setUp();
    const { value } = await here.issue();
    await here.keep({ name: 'own', value });
    const runner = { id: 'gitlab', inputs: { kind: 'runner' } };
    await here.keep({
      name: 'runner',
      value: gitlab.addRunner().token,
      base_url: proxy.baseUrl,
      provider: runner,
    });
    for (const one of ['own', 'runner']) {
      expect(await requests.setStandby(one, { value: 'glpat-x' })).toMatchObject({
        refusal: { reason: { code: 'no_standby', name: one } },
      });
    }
  });

  it('survives a restart of the store, with its fingerprint and lifetime', async () => {
    const { here, second, requests } = await setUp();
    await requests.setStandby(name, { value: second.value });
    const [{ standby: kept } = { standby: null }] = here.store.state.credentials.values();
    expect(kept).toEqual({
      fingerprint: expect.stringMatching(/^h1\./) as string,
      lifetime: { obtainedAtMs: here.time.nowMs, expiresAtMs: Date.parse('2026-02-09T00:00:00Z') },
    });
  });
});
