import { afterAll, beforeAll, expect, it } from 'vitest';
import { PbxList, PbxTest } from '../../src/contract/calls/pbx.ts';
import { freshDataDir, removeDataDir, rotavox } from './rotavox.ts';
import { fileVault, ServiceHere } from './service-here.ts';

const password = 'the password of ari.conf';
let service: ServiceHere;

beforeAll(async () => {
  service = await ServiceHere.start(await freshDataDir(), fileVault);
});
afterAll(async () => {
  await service.stop();
  await removeDataDir(service.dataDir);
});

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
