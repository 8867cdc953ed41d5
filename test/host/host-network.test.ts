import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultSettings, type Settings } from '../../src/contract/service/settings.ts';
import { State } from '../../src/core/state.ts';
import { HostNetwork } from '../../src/host/host-network.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { testCertificate } from '../fixtures/make-authority.ts';
import {
  isAddressRange,
  isEveryAddress,
  isLoopback,
  namesOf,
  readHostName,
  readListenAddress,
} from '../../src/host/network-address.ts';

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

describe('an address to listen on', () => {
  it.each([
    ['10.0.0.5:7682', { host: '10.0.0.5', port: 7682 }],
    ['[::1]:7682', { host: '::1', port: 7682 }],
    ['[::]:0', { host: '::', port: 0 }],
    ['DB1.example.com:443', { host: 'db1.example.com', port: 443 }],
    ['7682', null],
    [':7682', null],
    ['::1:7682', null],
    ['[10.0.0.5]:7682', null],
    ['10.0.0.5:65536', null],
    ['10.0.0.5:http', null],
    ['https://10.0.0.5:7682', null],
    ['a b:7682', null],
  ])('%s', (text, address) => {
    expect(readListenAddress(text)).toEqual(address);
  });

  it('is one of this machine, every one, or one for other machines', () => {
    for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
      expect(isLoopback(host), host).toBe(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.5', 'example.com'])
      expect(isLoopback(host), host).toBe(false);
    for (const host of ['0.0.0.0', '::', '0:0::0']) expect(isEveryAddress(host), host).toBe(true);
    expect(isEveryAddress('10.0.0.5')).toBe(false);
  });
});

describe('a name by which the service is called', () => {
  it.each([
    ['rotavox.example.com', 'rotavox.example.com'],
    ['Rotavox.Example.com:8443', 'rotavox.example.com:8443'],
    ['rotavox.example.com:443', 'rotavox.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['[2001:DB8:0:0::1]:8443', '[2001:db8::1]:8443'],
    ['10.0.0.5', '10.0.0.5'],
    ['*.example.com', null],
    ['https://rotavox.example.com', null],
    ['rotavox.example.com/', null],
    ['rotavox.example.com:0', null],
    ['', null],
  ])('%s', (text, name) => {
    expect(readHostName(text)).toBe(name);
  });

  const tls = { certFile: 'c', keyFile: 'k' };
  it.each([
    ['0.0.0.0', ['a.example'], tls, [], ['a.example:7682', 'a.example']],
    ['10.0.0.5', [], tls, [], ['10.0.0.5:7682']],
    ['10.0.0.5', ['a.example:8443'], tls, [], ['a.example:8443', '10.0.0.5:7682']],
    ['10.0.0.5', ['a.example'], null, ['10.0.0.2'], ['a.example', '10.0.0.5:7682']],
    ['::', ['[2001:db8::1]'], tls, ['10.0.0.2'], ['[2001:db8::1]', '[2001:db8::1]:7682']],
    ['::1', [], tls, [], ['[::1]:7682', '127.0.0.1:7682', 'localhost:7682']],
  ])('on %s with %j', (host, allowedHosts, certificate, trustedProxies, names) => {
    const options = { listen: { host, port: 0 }, allowedHosts, tls: certificate, trustedProxies };
    expect(namesOf(options, 7682)).toEqual(names);
  });

  it('has no port if that is the usual one', () => {
    const options = {
      listen: { host: '10.0.0.5', port: 443 },
      allowedHosts: ['a.example'],
      tls,
      trustedProxies: [],
    };
    expect(namesOf(options, 443)).toEqual(['a.example', '10.0.0.5']);
  });
});

describe('the addresses of proxies', () => {
  it.each(['10.0.0.2', '10.0.0.0/8', '2001:db8::/32', '::1'])('%s', (text) => {
    expect(isAddressRange(text)).toBe(true);
  });

  it.each(['0.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0.0/', '10.0.0', 'proxy.example', '', '10.0.0.0/8/8'])(
    'are not %s',
    (text) => {
      expect(isAddressRange(text)).toBe(false);
    },
  );
});
