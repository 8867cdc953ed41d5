import { describe, expect, it } from 'vitest';
import { issueAndAdd } from '../portal/credential-token.ts';
import { addCredential, owned, setUpProxy, startUpstream } from './proxy-setup.ts';

describe('requests during rotations', () => {
  it('13: loses none while the token of this service is rotated again and again', async () => {
    const setup = await setUpProxy();
    const { service } = setup;
    await issueAndAdd(service, 'own');
    await setup.allow({ method: 'GET', path: '/v1/auth/token', confirmed: true }, 'own');
    await setup.allow({ method: 'POST', path: '/v1/ivr' }, 'own');
    const { token } = await setup.issue({ app: 'steady', limits: { per_minute: 1_000_000 } }, 'own');
    let isRotating = true;
    const statuses: number[] = [];
    const worker = async (method: string): Promise<void> => {
      while (isRotating) {
        const body = method === 'POST' ? { body: '{}' } : {};
        const path = method === 'POST' ? '/proxy/own/v1/ivr' : '/proxy/own/v1/auth/token';
        const { status } = await setup.send({
          method,
          path,
          token,
          headers: { 'content-type': 'application/json' },
          ...body,
        });
        statuses.push(status);
      }
    };
    const workers = [...Array.from({ length: 6 }, () => worker('GET')), worker('POST'), worker('POST')];
    for (let at = 0; at < 10; at += 1) await owned(service, 'POST', '/portal/credentials/own/rotate', {});
    isRotating = false;
    await Promise.all(workers);
    // An empty menu is refused as such, which only a token that works gets to know.
    expect([...new Set(statuses)].toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect(statuses.length).toBeGreaterThan(20);
    const { body } = await service.owner('GET', '/portal/credentials/own');
    expect(body).toMatchObject({ generation: 11, trouble: null });
    // Nothing of it looks like the use of a stolen token.
    const reused = await service.store.history({ kinds: ['token.reused'], limit: 1 });
    expect(reused).toEqual([]);
  });

  it(
    '13: waits while a rotation is made, and says so after five seconds; a rotation waits a moment for requests that are on their way',
    { tags: ['long'], timeout: 20_000 },
    async () => {
      const setup = await setUpProxy();
      const { upstream, service } = setup;
      const order: string[] = [];
      const [asked, mayRotate] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      const [arrived, mayAnswer] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      upstream.answer = (request, response) => {
        request.resume();
        order.push(request.url ?? '');
        if (request.url === '/slow') {
          arrived.resolve(undefined);
          void mayAnswer.promise.then(() => response.end('slow'));
        } else if (request.url === '/v1/auth/rotate') {
          asked.resolve(undefined);
          void mayRotate.promise.then(() => response.writeHead(503).end());
        } else response.end('ok');
      };
      const slow = setup.send({ path: '/slow', method: 'POST', body: 'x' });
      await arrived.promise;
      const rotated = owned(service, 'POST', '/portal/credentials/shop/rotate', {});
      await new Promise((resolve) => {
        service.store.subscribe(({ kind }) => {
          if (kind === 'credential.rotation_begun') resolve(null);
        });
      });
      // Time enough for the rotation to be asked for, if it did not wait.
      for (let at = 0; at < 100; at += 1)
        await (await fetch(`http://127.0.0.1:${setup.port}/v1/health`)).text();
      expect(order).toEqual(['/slow']);
      mayAnswer.resolve(undefined);
      expect((await slow).text).toBe('slow');
      await asked.promise;
      const waiting = setup.send({ path: '/waiting' });
      const late = await waiting;
      expect(late).toMatchObject({ status: 503, refusal: 'rotating', headers: { 'retry-after': '1' } });
      const soon = setup.send({ path: '/soon' });
      mayRotate.resolve(undefined);
      await rotated;
      expect((await soon).text).toBe('ok');
      expect(order).toEqual(['/slow', '/v1/auth/rotate', '/soon']);
    },
  );

  it('another credential is not waited for', async () => {
    const setup = await setUpProxy();
    const other = await startUpstream();
    await addCredential(setup.service, setup.vault, {
      name: 'other',
      baseUrl: other.origin,
      token: 'another-token',
    });
    await setup.allow({ method: 'GET', path: '/a' }, 'other');
    const { token } = await setup.issue({}, 'other');
    const asked = Promise.withResolvers<() => void>();
    setup.upstream.answer = (_request, response) => {
      asked.resolve(() => void response.writeHead(503).end());
    };
    const rotated = owned(setup.service, 'POST', '/portal/credentials/shop/rotate', {});
    const finish = await asked.promise;
    expect((await setup.send({ path: '/proxy/other/a', token })).status).toBe(200);
    finish();
    await rotated;
  });
});
