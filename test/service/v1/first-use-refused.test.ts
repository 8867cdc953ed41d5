import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { OpenService } from '../open-service.ts';

/** A service whose disk can refuse every change, and accept changes again. */
async function makeSetup() {
  const service = await OpenService.start({ folder: join(makeFolder(), 'data') });
  const elsewhere = `${service.folder}-moved`;
  return {
    service,
    refuse: () => renameSync(service.folder, elsewhere),
    /** Makes the service check the disk, as it would itself a minute later. */
    async take(): Promise<void> {
      renameSync(elsewhere, service.folder);
      service.store.look();
      // Changes of its own then share a write with this one.
      await service.owner('PATCH', '/portal/settings', { sms_templates_enabled: true });
    },
    async usesOf(id: string): Promise<Record<string, unknown>[]> {
      return (await service.historyOf(id)).filter(({ kind }) => kind === 'token.first_used');
    },
  };
}

describe('the first use of a token while the disk refuses changes', () => {
  it('is answered if it only reads, and recorded once when the disk accepts changes again', async () => {
    const { service, refuse, take, usesOf } = await makeSetup();
    const { value, id } = await service.issue();
    refuse();
    for (const path of ['/v1/auth/token', '/v1/ivrs', '/v1/auth/token']) {
      expect((await service.bearer(value, 'GET', path)).status, path).toBe(200);
    }
    expect((await service.bearer(value, 'GET', '/v1/ivr/unknown')).status).toBe(404);
    expect((await service.bearer(value, 'POST', '/v1/ivr', { payload: {} })).status).toBe(400);
    expect(service.store.state.tokens.values().next().value).toMatchObject({ firstUsedAtMs: null });
    await take();
    expect(await usesOf(id)).toMatchObject([{ actor: { kind: 'bearer', token_id: id } }]);
    expect((await service.bearer(value, 'GET', '/v1/ivrs')).status).toBe(200);
    expect(await usesOf(id)).toHaveLength(1);
  });

  it('is refused where it changes something, and still counts as a use', async () => {
    const { service, refuse, take, usesOf } = await makeSetup();
    const { value, id } = await service.issue();
    const ready = async () => (await service.call({ method: 'GET', url: '/v1/ready' })).status;
    expect(await ready()).toBe(200);
    refuse();
    // Whoever distributes calls is told before the first of them is refused.
    expect(await ready()).toBe(503);
    expect((await service.bearer(value, 'POST', '/v1/auth/refresh')).status).toBe(503);
    expect((await service.bearer(value, 'POST', '/v1/ivr', { payload: ivrBody })).status).toBe(503);
    expect((await service.rotate(value)).status).toBe(503);
    await take();
    expect(await ready()).toBe(200);
    expect(await usesOf(id)).toHaveLength(1);
    expect(service.store.state.ivrs.size).toBe(0);
    expect(service.store.state.accessTokens.size).toBe(0);
  });

  it('ends the replay of the rotation that it came from, although it is not recorded yet', async () => {
    const { service, refuse, take } = await makeSetup();
    const { value } = await service.issue();
    const rotated = await service.rotate(value, 'the-first-key-of-all');
    expect(rotated.status).toBe(200);
    expect((await service.rotate(value, 'the-first-key-of-all')).body).toEqual(rotated.body);
    refuse();
    const again = await service.rotate(value, 'the-first-key-of-all');
    expect(again.body, 'a replay needs no disk').toEqual(rotated.body);
    expect((await service.bearer(String(rotated.body.access_token), 'GET', '/v1/auth/token')).status).toBe(
      200,
    );
    expect((await service.rotate(value, 'the-first-key-of-all')).status).toBe(401);
    await take();
    expect((await service.rotate(value, 'the-first-key-of-all')).status).toBe(401);
  });

  it('does not delay or fail other answers: a read during a refused change is answered', async () => {
    const { service, refuse } = await makeSetup();
    const used = await service.issue();
    const fresh = await service.issue();
    await service.bearer(used.value, 'GET', '/v1/auth/token');
    refuse();
    const answers = await Promise.all([
      service.bearer(used.value, 'POST', '/v1/auth/refresh'),
      service.bearer(used.value, 'GET', '/v1/auth/token'),
      service.bearer(fresh.value, 'GET', '/v1/auth/token'),
      service.owner('GET', '/portal/status'),
      service.bearer(used.value, 'POST', '/v1/auth/refresh'),
      service.bearer(fresh.value, 'GET', '/v1/ivrs'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 200, 200, 200, 503, 200]);
  });
});
