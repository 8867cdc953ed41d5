import { describe, expect, it } from 'vitest';
import { PbxList, PbxTest } from '../../src/contract/calls/pbx.ts';
import { NewOwner, OwnerList, RevokedOwner } from '../../src/contract/service/owner.ts';
import { rotavox } from './rotavox.ts';
import { fileVault, type ServiceHere, serviceOfFile } from './service-here.ts';

let service: ServiceHere;
serviceOfFile((here) => void (service = here), fileVault);

describe('rotavox owner', () => {
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
});

describe('rotavox pbx', () => {
  const password = 'the password of ari.conf';
  const pbx = (args: readonly string[], stdin = '') =>
    rotavox(['pbx', ...args], { dataDir: service.dataDir, stdin });

  it('says how to begin', async () => {
    expect((await pbx(['list'])).stderr).toContain('rotavox pbx add NAME');
  });

  it('adds a telephone system with the password from stdin, which it shows nowhere', async () => {
    const address = ['--url', 'http://127.0.0.1:9', '--user', 'rotavox'];
    const missing = await pbx(['add', 'office', ...address]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('There is no password')]);
    const added = await pbx(['add', 'office', ...address, '--route', 'voicemail=vm,{id}'], `${password}\n`);
    expect(added.code).toBe(0);
    const list = await pbx(['list', '--json']);
    expect(PbxList.parse(JSON.parse(list.stdout)).pbxs).toMatchObject([
      { name: 'office', destinations: { voicemail: { context: 'vm', extension: '{id}' } } },
    ]);
    expect(JSON.stringify([added, list, await pbx(['list'])])).not.toContain(password);
  });

  it('tests it: what fails, the lines to add, and exit code 1', async () => {
    const { code, stdout, stderr } = await pbx(['test', 'office']);
    expect(code).toBe(1);
    expect(stdout).toContain('Asterisk answers');
    expect(stdout).toContain('ECONNREFUSED');
    expect(stdout).toContain('[rotavox]');
    expect(stderr).toContain('is not ready');
    const json = await pbx(['test', 'office', '--json']);
    expect(PbxTest.parse(JSON.parse(json.stdout)).version).toBeNull();
    expect(json.code).toBe(1);
  });

  it('refuses rules and addresses that are not allowed, and rings no phone without a connection', async () => {
    const rule = await pbx(['change', 'office', '--route', 'voicemail=a b,{id}']);
    expect([rule.code, rule.stderr]).toEqual([2, expect.stringContaining('--route')]);
    const type = await pbx(['change', 'office', '--route', 'fax=a,{id}']);
    expect(type.stderr).toContain('voicemail');
    const far = await pbx(['change', 'office', '--url', 'http://192.168.1.9', '--password'], password);
    expect([far.code, far.stderr]).toEqual([1, expect.stringContaining('unencrypted')]);
    const ring = await rotavox(['ivr', 'ring', 'ivr_x', '--pbx', 'office', '--endpoint', 'PJSIP/101'], {
      dataDir: service.dataDir,
    });
    expect([ring.code, ring.stderr]).toEqual([1, expect.stringContaining('ivr_x')]);
  });

  it('changes and removes it', async () => {
    expect((await pbx(['change', 'office', '--user', 'other'])).code).toBe(0);
    expect((await pbx(['change', 'office'])).code).toBe(2);
    expect((await pbx(['remove', 'office'])).code).toBe(0);
    expect((await pbx(['remove', 'office'])).stderr).toContain('office');
  });
});
