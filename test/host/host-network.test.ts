import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { defaultSettings, type Settings } from '../../src/contract/service/settings.ts';
import { State } from '../../src/core/state.ts';
import { HostNetwork } from '../../src/host/host-network.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { testCertificate } from '../fixtures/over-tls.ts';

function setUp(environment: Record<string, string> = {}) {
  const state = new State();
  const vault = new MemoryVault();
  const network = new HostNetwork({ ledger: { state }, vault, environment });
  const set = (settings: Partial<Settings>): void => state.setSettings({ ...defaultSettings, ...settings });
  return { network, vault, set, environment };
}

it('says which proxy is used and who names it, and never its password', async () => {
  const { network, set } = setUp({ HTTPS_PROXY: 'http://mary:secret@a:1', NODE_EXTRA_CA_CERTS: '/x' });
  expect(await network.status()).toEqual({
    proxy: { setting: 'system', used: 'a:1', source: 'HTTPS_PROXY', has_login: true, problem: null },
    certificates: { file: null, count: 0, extra: true, problem: null },
  });
  set({ proxy: 'http://b:2' });
  expect((await network.status()).proxy).toMatchObject({ used: 'b:2', source: 'setting', has_login: false });
  set({ proxy: 'off' });
  expect((await network.status()).proxy).toMatchObject({ used: null, source: null });
});

it('says why the proxy of the environment cannot be used', async () => {
  const { network } = setUp({ ALL_PROXY: 'socks5://a:1' });
  expect((await network.status()).proxy).toMatchObject({
    used: null,
    problem: expect.stringMatching(/^ALL_PROXY: SOCKS is not supported/) as string,
  });
});

it('stores the login of a proxy in the vault, for that proxy only', async () => {
  const { network, vault, set } = setUp();
  expect(await network.setLogin({ user: 'mary', password: 'secret' })).toEqual({
    ok: false,
    refusal: 'no_proxy',
  });
  set({ proxy: 'http://b:2' });
  expect(await network.setLogin({ user: 'mary', password: 'secret' })).toMatchObject({ ok: true });
  expect((await network.status()).proxy.has_login).toBe(true);
  set({ proxy: 'http://other:2' });
  expect((await network.status()).proxy.has_login).toBe(false);
  set({ proxy: 'http://b:2' });
  vault.fail('locked');
  expect(await network.setLogin({ user: 'mary', password: 'other' })).toEqual({
    ok: false,
    refusal: 'vault',
  });
  vault.heal();
  expect(await network.setLogin(null)).toMatchObject({ ok: true });
  expect((await network.status()).proxy.has_login).toBe(false);
});

it('refuses a file without certificates where it is entered', async () => {
  const { network, set } = setUp();
  const file = join(makeFolder(), 'root.pem');
  expect(network.refusalOf({ certificates: file })).toMatchObject({ field: 'certificates' });
  writeFileSync(file, 'no certificate');
  expect(network.refusalOf({ certificates: file })).toMatchObject({ field: 'certificates' });
  writeFileSync(file, testCertificate.cert);
  expect(network.refusalOf({ certificates: file, proxy: 'off' })).toBeNull();
  set({ certificates: file });
  expect((await network.status()).certificates).toMatchObject({ file, count: 1, problem: null });
});
