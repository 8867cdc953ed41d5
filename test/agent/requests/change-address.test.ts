import { describe, expect, it } from 'vitest';
import { attempt, expectNoToken, keysSent, name, setUpRotation } from '../rotation/rotation-setup.ts';
import { suggestedCommand } from '../../../src/text/window/remedies.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';

describe('another address of a credential’s service', () => {
  it('is saved once the token works there, and rotations go there', async () => {
    const setup = await setUpRotation();
    const { here, there, proxy } = setup;
    const seen = proxy.seen.length;
    const changed = await here.agent.requests.changeAddress(name, {
      base_url: there.baseUrl,
      confirmed_origin: there.baseUrl,
    });
    expect(changed).toMatchObject({ ok: true, value: { is_saved: true, test: { outcome: 'works' } } });
    expect(here.view(name)).toMatchObject({ base_url: there.baseUrl, can_rotate: true, trouble: null });
    expect(await attempt(setup)).toMatchObject({ state: 'fine', generation: 2 });
    expect(proxy.seen).toHaveLength(seen);
    expectNoToken(setup);
  });

  it('of another origin gets nothing before the person has confirmed that origin', async () => {
    const { here, proxy } = await setUpRotation();
    const other = await startAnsweringService({ status: 200 });
    for (const confirmed of [{}, { confirmed_origin: proxy.baseUrl }]) {
      const changed = await here.agent.requests.changeAddress(name, {
        base_url: other.baseUrl,
        ...confirmed,
      });
      expect(changed).toMatchObject({ ok: false, refusal: { reason: { code: 'origin_not_confirmed' } } });
    }
    expect(other.calls).toEqual([]);
    expect(here.view(name).base_url).toBe(proxy.baseUrl);
  });

  it('is not saved where the token does not work', async () => {
    const { here, proxy } = await setUpRotation();
    const other = await startAnsweringService({ status: 401, body: { message: 'No.' } });
    const before = here.store.health().last_seq;
    for (const baseUrl of [other.baseUrl, 'http://127.0.0.1:1']) {
      const wanted = { base_url: baseUrl, confirmed_origin: baseUrl };
      const changed = await here.agent.requests.changeAddress(name, wanted);
      expect(changed).toMatchObject({ ok: true, value: { is_saved: false } });
    }
    expect(here.view(name).base_url).toBe(proxy.baseUrl);
    expect(here.store.health().last_seq).toBe(before);
  });

  it('waits for the end of an open rotation, which belongs to the address where it began', async () => {
    const setup = await setUpRotation();
    const { here, there, proxy } = setup;
    proxy.faults.push('drop_reply');
    await attempt(setup);
    const wanted = { base_url: there.baseUrl, confirmed_origin: there.baseUrl };
    expect(await here.agent.requests.changeAddress(name, wanted)).toMatchObject({
      ok: false,
      refusal: { problem: 'conflict', reason: { code: 'rotation_open' } },
    });
    expect(here.view(name).base_url).toBe(proxy.baseUrl);
  });
});

describe('a service that redirects to another host', () => {
  const moved = 'https://api.new.example';

  async function setUp(location = `${moved}/v1/auth/rotate`) {
    const setup = await setUpRotation();
    const { here, there, proxy } = setup;
    proxy.meets = () => true;
    proxy.otherwise = { status: 308, headers: { location } };
    await attempt(setup);
    return { setup, here, there, proxy };
  }

  it('names the address in what is to be done, and is asked again with the same key', async () => {
    const { setup, here, proxy } = await setUp();
    const view = here.view(name);
    expect(view).toMatchObject({
      state: 'failing',
      trouble: { kind: 'unsafe', redirected_to: moved, attempts: 1 },
    });
    expect(view.trouble?.next_try_at).toBe(view.next_rotation_at);
    expect(Date.parse(view.next_rotation_at ?? '')).toBeGreaterThan(here.time.nowMs);
    expect(suggestedCommand(view)).toBe(`rotavox credential address ${name} ${moved}`);
    await attempt(setup);
    expect(keysSent({ proxy })).toHaveLength(2);
    expect(new Set(keysSent({ proxy })).size).toBe(1);
  });

  it('can be given its new address at once, where the rotation goes on', async () => {
    const { setup, here, there, proxy } = await setUp();
    const wanted = { base_url: there.baseUrl, confirmed_origin: there.baseUrl };
    expect(await here.agent.requests.changeAddress(name, wanted)).toMatchObject({
      value: { is_saved: true },
    });
    expect(here.view(name)).toMatchObject({ state: 'rotating', trouble: null });
    await attempt(setup);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
    expect(keysSent({ proxy })).toHaveLength(1);
    expect(here.events.filter(({ kind }) => kind === 'credential.rotation_begun')).toHaveLength(1);
  });

  it('can be given its new address after a restart', async () => {
    const { setup, here, there } = await setUp();
    await here.agent.close();
    const { store: ledger, vault, time, baseUrl } = here;
    const next = makeAgent({ ledger, vault, clock: time.clock, timer: time, embeddedUrl: () => baseUrl });
    const wanted = { base_url: there.baseUrl, confirmed_origin: there.baseUrl };
    expect(await next.requests.changeAddress(name, wanted)).toMatchObject({
      ok: true,
      value: { is_saved: true },
    });
    expect(here.view(name)).toMatchObject({ base_url: there.baseUrl, trouble: null });
    await next.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ state: 'fine', generation: 2 });
    expectNoToken(setup);
  });

  it.each([
    ['another page of the same host', (url: string) => `${url}/sign-in`],
    ['what is no address', () => 'http://[bad'],
  ])('is not said to have moved where it redirects to %s', async (_what, location) => {
    const setup = await setUpRotation();
    setup.proxy.meets = () => true;
    setup.proxy.otherwise = { status: 302, headers: { location: location(setup.proxy.baseUrl) } };
    await attempt(setup);
    const { here } = setup;
    expect(here.view(name).trouble).not.toHaveProperty('redirected_to');
    expect(suggestedCommand(here.view(name))).toBe(`rotavox credential rotate ${name}`);
  });

  it('may have acted after a reply that was lost, and the rotation stays open', async () => {
    const setup = await setUpRotation();
    const { here, proxy } = setup;
    proxy.faults.push('drop_reply');
    await attempt(setup);
    proxy.meets = () => true;
    proxy.otherwise = { status: 307, headers: { location: moved } };
    here.time.jump(3_600_000);
    await attempt(setup);
    expect(here.view(name)).toMatchObject({ trouble: { redirected_to: moved, attempts: 2 } });
    const wanted = { base_url: setup.there.baseUrl, confirmed_origin: setup.there.baseUrl };
    expect(await here.agent.requests.changeAddress(name, wanted)).toMatchObject({
      ok: false,
      refusal: { reason: { code: 'rotation_open' } },
    });
  });
});
