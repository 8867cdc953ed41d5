import { describe, expect, it } from 'vitest';
import { ownUserAgent } from '../../../src/contract/service/own-call.ts';
import { OpenService } from '../open-service.ts';

const checked = { headers: { 'user-agent': ownUserAgent } };
const byProgram = { headers: { 'user-agent': 'curl/8' } };

describe('a token that Rotavox itself has tested', () => {
  it('is not used yet, and the first use by a program is recorded', async () => {
    const service = await OpenService.start();
    const { value, id } = await service.issue();
    const views = async () => (await service.owner('GET', '/portal/tokens')).body['tokens'];
    const uses = async () =>
      (await service.historyOf(id))
        .filter(({ kind }) => kind === 'token.first_used')
        .map(({ actor }) => actor);

    await service.bearer(value, 'GET', '/v1/auth/token', checked);
    await service.bearer(value, 'GET', '/v1/auth/token', checked);
    expect(await views()).toMatchObject([{ first_used_at: null, checked_at: expect.any(String) as string }]);
    expect(await uses()).toMatchObject([{ user_agent: ownUserAgent }]);

    await service.bearer(value, 'GET', '/v1/ivrs', byProgram);
    await service.bearer(value, 'GET', '/v1/ivrs', { headers: { 'user-agent': 'other' } });
    expect(await views()).toMatchObject([{ first_used_at: expect.any(String) as string, checked_at: null }]);
    expect((await uses()).map((actor) => (actor as { user_agent: string }).user_agent).toSorted()).toEqual([
      ownUserAgent,
      'curl/8',
    ]);
  });

  it('was used by a program when one from another machine says that it is Rotavox', async () => {
    const service = await OpenService.start();
    const { value } = await service.issue();
    await service.bearer(value, 'GET', '/v1/auth/token', { ...checked, remoteAddress: '10.0.0.7' });
    expect((await service.owner('GET', '/portal/tokens')).body['tokens']).toMatchObject([
      { checked_at: null },
    ]);
  });
});
