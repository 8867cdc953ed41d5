import { describe, expect, it } from 'vitest';
import { attempt, expectNoToken, name, setUpRotation } from './rotation-setup.ts';
import { startAnsweringService } from './remote/answering-service.ts';

describe('another address of a credential’s service', () => {
  it('is saved once the token works there, and rotations go there', async () => {
    const setup = await setUpRotation();
    const { here, there, proxy } = setup;
    const seen = proxy.seen.length;
    const changed = await here.agent.keeper.changeAddress(name, {
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
      const changed = await here.agent.keeper.changeAddress(name, { base_url: other.baseUrl, ...confirmed });
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
      const changed = await here.agent.keeper.changeAddress(name, wanted);
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
    expect(await here.agent.keeper.changeAddress(name, wanted)).toMatchObject({
      ok: false,
      refusal: { problem: 'conflict', reason: { code: 'rotation_open' } },
    });
    expect(here.view(name).base_url).toBe(proxy.baseUrl);
  });
});
