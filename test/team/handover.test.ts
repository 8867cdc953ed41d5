/** @module-tag long */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { HistoryPage } from '../../src/contract/service/portal.ts';
import { IssuedToken } from '../../src/contract/token/token.ts';
import { startService } from '../chaos/service-process.ts';
import { startFaultyProxy } from '../fakes/faulty-proxy.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { startTeam } from './team.ts';
import { waitFor } from '../fixtures/wait-for.ts';

/** A team with a credential of another service, whose next answer to a rotation never arrives. */
async function startWithHangingRotation(hosts: number) {
  const other = await startService(makeFolder());
  const proxy = await startFaultyProxy(() => `http://127.0.0.1:${other.port}`);
  const team = await startTeam({ hosts });
  const issued = await other.owner('POST', '/portal/tokens', { name: 'app', validity_days: 30 });
  const value = IssuedToken.parse(issued).access_token;
  await team.owner('POST', '/portal/credentials', { name: 'app', value, base_url: proxy.baseUrl });
  const leader = await team.leader();
  const rotate = async () => {
    proxy.faults.push('hang');
    const call = { method: 'POST', path: '/portal/credentials/app/rotate', timeoutMs: 30_000 };
    const rotating = leader.owner(call).catch(() => null);
    await waitFor(() => expect(keys()).toHaveLength(1));
    return { rotating };
  };
  const keys = () =>
    proxy.seen.filter(({ path }) => path === '/v1/auth/rotate').map(({ idempotencyKey }) => idempotencyKey);
  return { team, leader, rotate, keys };
}

it('hands the lead over when it stops, also during a rotation and a call that take longer than that', async () => {
  const { team, leader, rotate } = await startWithHangingRotation(1);
  const socket = connect(leader.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const caller = [`host: 127.0.0.1:${leader.port}`, `authorization: Bearer ${leader.ownKey}`];
  const body = ['content-type: application/json', 'content-length: 100', 'expect: 100-continue'];
  socket.write(`${['POST /portal/tokens HTTP/1.1', ...caller, ...body].join('\r\n')}\r\n\r\n`);
  // It has the call, whose body never comes.
  await once(socket, 'data');
  const ended = once(socket, 'close');
  const { rotating } = await rotate();
  await leader.stop();
  await rotating;
  await ended;
  const resigned = `select deadline = '-infinity' as yes from rotavox.leadership`;
  expect(await team.postgres.query(resigned, { database: team.database })).toEqual([{ yes: true }]);
});

it('has the next leader continue at once a rotation that it interrupted', async () => {
  const { team, leader, rotate, keys } = await startWithHangingRotation(2);
  const { rotating } = await rotate();
  await leader.stop();
  await rotating;
  // Half a minute later at most it would be tried again in any case.
  const rotated = () => team.owner('GET', '/portal/credentials/app');
  await waitFor(async () => expect(await rotated()).toMatchObject({ generation: 2 }));
  expect(keys()).toHaveLength(2);
  expect(new Set(keys()).size).toBe(1);
  const { events } = HistoryPage.parse(await team.owner('GET', '/portal/history?limit=100'));
  expect(events.map(({ kind }) => kind)).not.toContain('credential.rotation_failed');
});
