import { afterAll, beforeAll, expect, it } from 'vitest';
import { NewOwner, OwnerList, RevokedOwner } from '../../src/contract/service/owner.ts';
import { freshDataDir, removeDataDir, rotavox } from './rotavox.ts';
import { ServiceHere } from './service-here.ts';

let service: ServiceHere;

beforeAll(async () => {
  service = await ServiceHere.start(await freshDataDir());
});
afterAll(async () => {
  await service.stop();
  await removeDataDir(service.dataDir);
});

const owner = (...args: readonly string[]) => rotavox(['owner', ...args], { dataDir: service.dataDir });

function statusAs(key: string): Promise<Response> {
  return fetch(`${service.baseUrl}/portal/status`, { headers: { authorization: `Bearer ${key}` } });
}

it('says how to begin', async () => {
  expect((await owner('list')).stderr).toContain('rotavox owner add NAME');
});

it('prints the key alone on stdout, once, and it opens the portal', async () => {
  const added = await owner('add', 'Ada Lovelace');
  expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^rvo_\w{49}\n$/)]);
  expect(added.stderr).toContain('Ada Lovelace can sign in');
  expect((await statusAs(added.stdout.trim())).status).toBe(200);
  const list = await owner('list');
  expect(list.stdout).toMatch(/Ada Lovelace +\d{4}-.* 0\n/);
  expect(list.stdout).not.toContain(added.stdout.trim());
  const { owners } = OwnerList.parse(JSON.parse((await owner('list', '--json')).stdout));
  expect(owners).toMatchObject([{ name: 'Ada Lovelace', sessions: 0, is_you: false }]);
});

it('gives everything as JSON', async () => {
  const { id, key } = NewOwner.parse(JSON.parse((await owner('add', 'grace', '--json')).stdout));
  const revoked = await owner('revoke', 'Grace', '--json');
  expect(RevokedOwner.parse(JSON.parse(revoked.stdout))).toEqual({
    id,
    name: 'grace',
    sessions_ended: 0,
    owners_left: 1,
  });
  expect((await statusAs(key)).status).toBe(401);
});

it('refuses a name that is taken or cannot be one, and says that nobody is left', async () => {
  const taken = await owner('add', 'ada lovelace');
  expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('“Ada Lovelace” already')]);
  for (const name of ['', '\u202eevil', '<b>', 'x'.repeat(61)])
    expect((await owner('add', name)).code).toBe(2);
  expect((await owner('revoke', 'nobody')).stderr).toContain('There is no owner “nobody”');
  const last = await owner('revoke', 'Ada Lovelace');
  expect([last.code, last.stderr]).toEqual([0, expect.stringContaining('No owner with a key is left')]);
  const history = await rotavox(['history'], { dataDir: service.dataDir });
  expect(history.stdout).toMatch(/Owner revoked +.*Ada Lovelace/);
});
