import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TargetId } from '../../../src/contract/credential/credential.ts';
import { credentialAttention } from '../../../src/core/attention/credential-attention.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { startKeyServer } from '../../fakes/key-server.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { keyProvider } from '../../fixtures/key-provider.ts';
import { setUpLoneAgent } from '../agent-setup.ts';

const name = 'crm';
const hourMs = 3_600_000;

/** A credential whose new tokens are created beside the old ones, with the loop running. */
async function setUp() {
  const here = await setUpLoneAgent({ providerFiles: [keyProvider] });
  const keys = await startKeyServer(here.time.clock);
  const proxy = await startFaultyProxy(() => keys.baseUrl);
  proxy.meets = () => false;
  const first = keys.create();
  const provider = { id: 'keys', inputs: {} };
  await here.keep({ name, value: first.value, base_url: proxy.baseUrl, provider });
  const rotate = async () => {
    expect((await here.agent.requests.rotateNow(name)).ok).toBe(true);
    return (await here.valueOf(name)) ?? '';
  };
  const retired = () =>
    here.events.filter(({ kind }) => kind === 'credential.retired').map(({ data }) => data);
  return { here, keys, proxy, first, rotate, retired };
}

describe('an old token beside its successor', () => {
  it('works until the overlap is over, and is deleted then', async () => {
    const { here, keys, first, rotate, retired } = await setUp();
    here.agent.start();
    const second = await rotate();
    expect(here.view(name)).toMatchObject({
      state: 'fine',
      generation: 2,
      retiring: [{ generation: 1, upstream_id: '1', message: null }],
    });
    await here.time.advance(11 * hourMs);
    expect([keys.isAlive(first.value), keys.isAlive(second)]).toEqual([true, true]);
    const gone = here.next('credential.retired');
    await here.time.advance(hourMs + 60_000);
    await gone;
    expect([keys.isAlive(first.value), keys.isAlive(second)]).toEqual([false, true]);
    expect(retired()).toEqual([
      { credential_id: 'cred_crm', generation: 1, upstream_id: '1', how: 'deleted' },
    ]);
    expect(here.view(name).retiring).toEqual([]);
  });

  it('is deleted a minute after its target has the new one', async () => {
    const { here, keys, first, rotate } = await setUp();
    const target = { kind: 'file', path: join(makeFolder(), 'token') } as const;
    await here.store.transact((state) => addTarget(state, name, 'tgt_x' as TargetId, target));
    const delivered = here.next('credential.delivered');
    here.agent.start();
    await here.time.advance(1000);
    await delivered;
    const again = here.next('credential.delivered');
    await rotate();
    await here.time.advance(1000);
    await again;
    expect(keys.isAlive(first.value)).toBe(true);
    const gone = here.next('credential.retired');
    await here.time.advance(61_000);
    await gone;
    expect(keys.isAlive(first.value)).toBe(false);
  });

  it('stays while the service refuses the new one: it may be the last that works', async () => {
    const { here, keys, proxy, first, rotate } = await setUp();
    here.agent.start();
    await rotate();
    proxy.meets = (path) => path === '/me';
    proxy.otherwise = { status: 401, body: '{"message":"No."}' };
    const failed = here.next('credential.retire_failed');
    await here.time.advance(13 * hourMs);
    await failed;
    expect(keys.isAlive(first.value)).toBe(true);
    expect(here.view(name).retiring).toMatchObject([{ generation: 1, attempts: 1 }]);
    proxy.otherwise = 'none';
    const gone = here.next('credential.retired');
    await here.time.advance(2 * hourMs);
    await gone;
    expect(keys.isAlive(first.value)).toBe(false);
  });

  it('is tried again when the service fails, and counts as deleted when it is gone already', async () => {
    const { here, keys, first, rotate, retired } = await setUp();
    here.agent.start();
    await rotate();
    keys.refusesToDelete = 503;
    const failed = here.next('credential.retire_failed');
    await here.time.advance(13 * hourMs);
    await failed;
    expect(here.view(name)).toMatchObject({
      state: 'fine',
      retiring: [{ message: expect.any(String) as string }],
    });
    keys.keys.splice(keys.keys.indexOf(first), 1);
    const gone = here.next('credential.retired');
    await here.time.advance(2 * hourMs);
    await gone;
    expect(retired()).toMatchObject([{ how: 'already_gone' }]);
  });

  it('needs attention when it could not be deleted three times, and no more when it is deleted', async () => {
    const { here, keys, rotate } = await setUp();
    const items = () =>
      credentialAttention([here.view(name)], here.agent.requests.vaultStatus(), here.time.nowMs);
    here.agent.start();
    await rotate();
    keys.refusesToDelete = 503;
    await here.time.advance(12 * hourMs);
    for (let attempts = 1; attempts <= 3; attempts += 1) {
      const isReported = attempts === 3;
      await expect
        .poll(async () => {
          await here.time.advance(60_000);
          return here.view(name).retiring[0]?.attempts;
        })
        .toBe(attempts);
      expect(items().length > 0, `after ${attempts}`).toBe(isReported);
    }
    expect(items()).toMatchObject([{ kind: 'retirement', name, generation: 1, attempts: 3 }]);
    keys.refusesToDelete = null;
    const gone = here.next('credential.retired');
    await here.time.advance(2 * hourMs);
    await gone;
    expect(items()).toEqual([]);
  });

  it('is deleted when its credential is removed, or what still works is said', async () => {
    const { here, keys, first, rotate } = await setUp();
    const second = await rotate();
    expect(await here.agent.requests.remove(name)).toEqual({ ok: true, value: { message: null } });
    expect([keys.isAlive(first.value), keys.isAlive(second)]).toEqual([false, true]);

    const again = await setUp();
    await again.rotate();
    const { expires_at: until } = again.here.view(name).retiring[0] ?? { expires_at: '' };
    again.keys.refusesToDelete = 503;
    expect(await again.here.agent.requests.remove(name)).toEqual({
      ok: true,
      value: {
        message: `Old token number 1 was not deleted and works until ${until}. ${again.proxy.baseUrl} is not available now (503: “No.”): maintenance, or too much load. Delete it at the service.`,
      },
    });
    expect(again.keys.isAlive(again.first.value)).toBe(true);
  });

  it('leaves one token, and the one that is next to be deleted at most, over many rotations', async () => {
    const { here, keys } = await setUp();
    here.agent.start();
    for (let days = 0; days < 90; days += 1) {
      await here.time.advance(dayMs);
      await expect
        .poll(async () => {
          await here.time.advance(60_000);
          return here.view(name).state;
        })
        .toBe('fine');
      expect(keys.isAlive((await here.valueOf(name)) ?? '')).toBe(true);
      expect(keys.keys.length).toBeLessThanOrEqual(2);
    }
    expect(here.view(name).generation).toBeGreaterThan(3);
    expect(here.failures).toEqual([]);
  });

  it('is created and deleted by the guardian, which need not be of the same kind', async () => {
    const { here, keys, proxy } = await setUp();
    const guardian = keys.create('admin', 365 * 86_400);
    const own = keys.create('own');
    await here.keep({ name: 'admin', value: guardian.value, base_url: proxy.baseUrl, validity_days: 365 });
    const provider = { id: 'keys', inputs: { guardian: 'admin' } };
    await here.keep({ name: 'app', value: own.value, base_url: proxy.baseUrl, provider });
    keys.calls.length = 0;
    const seen = proxy.seen.length;
    await here.agent.requests.rotateNow('app');
    expect(here.view('app')).toMatchObject({ state: 'fine', generation: 2 });
    const minted = proxy.seen.slice(seen).find(({ method }) => method === 'POST');
    expect(minted?.authorization).toBe(`Bearer ${guardian.value}`);
    here.agent.start();
    const gone = here.next('credential.retired');
    await here.time.advance(13 * hourMs);
    await gone;
    expect(keys.isAlive(own.value)).toBe(false);
    const deleted = proxy.seen.find(({ method }) => method === 'DELETE');
    expect(deleted?.authorization).toBe(`Bearer ${guardian.value}`);
  });

  it('is deleted also where two credentials create the tokens of each other', async () => {
    const { here, keys, proxy } = await setUp();
    for (const [own, other] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      const provider = { id: 'keys', inputs: { guardian: other } };
      const value = keys.create(own).value;
      // A guardian has to be there first.
      if (own === 'a') {
        const first = keys.create('b').value;
        await here.keep({ name: 'b', value: first, base_url: proxy.baseUrl, validity_days: 30 });
      }
      if (own === 'b') await here.agent.requests.remove('b');
      await here.keep({ name: own, value, base_url: proxy.baseUrl, provider, validity_days: 30 });
    }
    for (const one of ['a', 'b']) {
      await here.agent.requests.rotateNow(one);
      expect(here.view(one)).toMatchObject({ state: 'fine', generation: 2 });
    }
    here.agent.start();
    await expect
      .poll(
        async () => {
          await here.time.advance(hourMs);
          return [...here.view('a').retiring, ...here.view('b').retiring];
        },
        { timeout: 20_000 },
      )
      .toEqual([]);
  });

  it('stays, and says so, where nobody knows its id', async () => {
    const { keys, here, proxy } = await setUp();
    const silent = { ...keyProvider, steps: { ...keyProvider.steps, inspect: undefined } };
    const there = await setUpLoneAgent({ providerFiles: [silent] });
    const own = keys.create('own');
    const provider = { id: 'keys', inputs: {} };
    await there.keep({ name, value: own.value, base_url: proxy.baseUrl, provider, validity_days: 30 });
    await there.agent.requests.rotateNow(name);
    there.agent.start();
    const failed = there.next('credential.retire_failed');
    await there.time.advance(13 * hourMs);
    expect((await failed).data).toMatchObject({ upstream_id: null, next_try_at: null });
    expect(there.view(name).retiring).toMatchObject([{ upstream_id: null, next_try_at: null }]);
    expect(there.view(name).retiring[0]?.message).toContain('does not know its id');
    expect(keys.isAlive(own.value)).toBe(true);
    expect(here.failures).toEqual([]);
  });

  it('waits with its credential while the file of the provider is missing', async () => {
    const { here, keys, first } = await setUp();
    const without = makeAgent({
      ledger: here.store,
      vault: here.vault,
      clock: here.time.clock,
      embeddedUrl: () => here.baseUrl,
    });
    await without.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({
      state: 'failing',
      trouble: { kind: 'service_failed', message: 'There is no provider “keys”. Add its file again.' },
    });
    expect(keys.isAlive(first.value)).toBe(true);
    here.time.jump(hourMs);
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
  });

  it('whose token the person pastes again is not deleted', async () => {
    const { here, keys, first, rotate } = await setUp();
    here.agent.start();
    await rotate();
    expect((await here.agent.requests.replaceValue(name, { value: first.value }, 'pasted')).ok).toBe(true);
    await here.time.advance(2 * dayMs);
    expect(keys.isAlive(first.value)).toBe(true);
    expect(here.view(name).retiring).toEqual([]);
  });

  it('waits while the file of its provider is removed, also during a rotation, and is deleted once it is back', async () => {
    const { here, keys, proxy, first, retired } = await setUp();
    here.agent.start();
    proxy.meets = (path) => {
      if (path === '/keys') here.agent.useProviderFiles([]);
      return false;
    };
    expect((await here.agent.requests.rotateNow(name)).ok).toBe(true);
    expect(here.view(name)).toMatchObject({ generation: 2, retiring: [{ generation: 1 }] });
    const rotated = await here.agent.requests.rotateNow(name);
    expect(rotated).toMatchObject({ ok: true });
    expect(here.view(name).message).toContain('keys');
    proxy.meets = () => false;
    here.agent.useProviderFiles([keyProvider]);
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 3, trouble: null });
    await here.time.advance(13 * hourMs);
    await expect
      .poll(async () => {
        await here.time.advance(60_000);
        return retired().length;
      })
      .toBe(2);
    expect(keys.isAlive(first.value)).toBe(false);
  });
});
