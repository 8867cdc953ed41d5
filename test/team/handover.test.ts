import { expect, it, vi } from 'vitest';
import { IssuedToken } from '../../src/contract/token.ts';
import { startService } from '../chaos/service-process.ts';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { startTeam } from './team.ts';

it('hands the lead over when it stops, also during a rotation of a service that does not answer', async () => {
  const other = await startService(makeFolder());
  const proxy = await startFaultyProxy(() => `http://127.0.0.1:${other.port}`);
  const team = await startTeam({ hosts: 1 });
  const issued = await other.owner('POST', '/portal/tokens', { name: 'app', validity_days: 30 });
  const value = IssuedToken.parse(issued).access_token;
  await team.owner('POST', '/portal/credentials', { name: 'app', value, base_url: proxy.baseUrl });

  proxy.otherwise = 'hang';
  const [host] = team.hosts;
  const rotating = host?.owner({ method: 'POST', path: '/portal/credentials/app/rotate' }).catch(() => null);
  await vi.waitFor(() => expect(proxy.seen.map(({ path }) => path)).toContain('/v1/auth/rotate'));
  await host?.stop();
  await rotating;
  const resigned = `select deadline = '-infinity' as yes from rotavox.leadership`;
  expect(await team.postgres.query(resigned, { database: team.database })).toEqual([{ yes: true }]);
});
