import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultSettings, type Settings } from '../../src/contract/service/settings.ts';
import { State } from '../../src/core/state.ts';
import { HostNetwork } from '../../src/host/host-network.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { makeCertificate, testCertificate } from '../fixtures/make-authority.ts';
import {
  isAddressRange,
  isEveryAddress,
  isLoopback,
  namesOf,
  type NetworkOptions,
  readHostName,
  readListenAddress,
} from '../../src/host/network-address.ts';
import { type Host, type HostOptions, startHost } from '../../src/host/start-host.ts';
import { sendCall } from '../fixtures/send-call.ts';
import { runtimeFileOf } from './runtime-file-of.ts';

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

/** A host that listens for other machines on 127.0.0.1, and what it said. */
async function start(
  network: Partial<NetworkOptions>,
  options: HostOptions = {},
): Promise<{ host: Host; said: string[]; port: number }> {
  const said: string[] = [];
  const host = await startHost({
    dataDir: makeFolder(),
    vault: { kind: 'keychain' }, // never used; otherwise it is said which one is made
    say: (message) => said.push(message),
    network: {
      listen: { host: '127.0.0.1', port: 0 },
      allowedHosts: [],
      tls: null,
      trustedProxies: [],
      ...network,
    },
    ...options,
  });
  onTestFinished(() => host.close());
  return { host, said, port: Number(new URL(host.publicUrl).port || 443) };
}

/** The serial number of the certificate that a new connection gets. */
async function serialOf(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

describe('a host with TLS', () => {
  it('is reached by https, and by programs of this machine as before', async () => {
    const tls = makeCertificate(makeFolder());
    const { host, port, said } = await start({ tls });
    expect(host.publicUrl).toBe(`https://127.0.0.1:${port}`);
    expect(host.signInLink()).toMatch(`${host.publicUrl}/?code=`);
    const { base_url: baseUrl, portal_key: bearer } = runtimeFileOf(host.dataDir);
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(new URL(baseUrl).port).not.toBe(String(port));
    const local = await fetch(`${baseUrl}/portal/status`, { headers: { authorization: `Bearer ${bearer}` } });
    expect(await local.json()).toMatchObject({ base_url: host.publicUrl });
    const remote = await sendCall(port, { method: 'GET', path: '/portal/status', bearer }, { isTls: true });
    expect(remote.status).toBe(200);
    expect(said).toEqual([]);
    await host.close();
    await expect(sendCall(port, { method: 'GET', path: '/' }, { isTls: true })).rejects.toThrow();
  });

  it('gives new connections a certificate that was renewed, and others go on', async () => {
    const folder = makeFolder();
    const tls = makeCertificate(folder);
    const { host, port, said } = await start({ tls });
    const before = await serialOf(port);
    const open = connect({ host: '127.0.0.1', port, rejectUnauthorized: false });
    await once(open, 'secureConnect');
    makeCertificate(folder);
    host.wake();
    expect(await serialOf(port)).not.toBe(before);
    expect(said).toEqual([]);
    open.write(`GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    const [answer] = (await once(open, 'data')) as [Buffer];
    expect(String(answer)).toContain('200 OK');
    open.destroy();
  });

  it('goes on with its certificate while the new one cannot be used, and says so once', async () => {
    const folder = makeFolder();
    const tls = makeCertificate(folder);
    const { host, port, said } = await start({ tls });
    const before = await serialOf(port);
    const next = makeCertificate(makeFolder());
    renameSync(next.certFile, tls.certFile);
    host.wake();
    host.wake();
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('does not belong to the certificate');
    expect(await serialOf(port)).toBe(before);
    renameSync(next.keyFile, tls.keyFile);
    host.wake();
    expect(await serialOf(port)).not.toBe(before);
    expect(said).toHaveLength(1);
  });

  it('says what is wrong with its certificate, and serves', async () => {
    const tls = makeCertificate(makeFolder(), { days: 5, names: ['DNS:other.example'] });
    chmodSync(tls.keyFile, 0o644);
    const clock = { nowMs: Date.now() };
    const options = { clock: () => clock.nowMs };
    const { host, said } = await start({ tls, allowedHosts: ['rotavox.example.com'] }, options);
    expect(said).toEqual([
      expect.stringContaining('chmod 600'),
      expect.stringContaining('expires at'),
      expect.stringContaining('is not for rotavox.example.com'),
    ]);
    host.wake();
    expect(said).toHaveLength(3);
    clock.nowMs += 6 * 86_400_000;
    host.wake();
    expect(said[3]).toContain('expired at');
  });

  it.each([
    [
      'a certificate that is not there',
      (file: string) => renameSync(file, `${file}.old`),
      'cannot be read (ENOENT)',
    ],
    ['a file without a certificate', (file: string) => writeFileSync(file, 'none'), 'has no certificate'],
  ])('does not start with %s', async (_what, spoil, message) => {
    const tls = makeCertificate(makeFolder());
    spoil(tls.certFile);
    const dataDir = makeFolder();
    const started = start({ tls }, { dataDir });
    await expect(started).rejects.toMatchObject({
      code: 'CERTIFICATE_UNUSABLE',
      message: expect.stringContaining(message) as string,
    });
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('does not start with the key of another certificate, or with none', async () => {
    const tls = makeCertificate(makeFolder());
    const other = makeCertificate(makeFolder());
    const mixed = { certFile: tls.certFile, keyFile: other.keyFile };
    await expect(start({ tls: mixed })).rejects.toMatchObject({ code: 'CERTIFICATE_UNUSABLE' });
    writeFileSync(other.keyFile, readFileSync(tls.certFile));
    await expect(start({ tls: mixed })).rejects.toMatchObject({ code: 'CERTIFICATE_UNUSABLE' });
  });
});

describe('a host behind a proxy', () => {
  it('is reached through it only, and by programs of this machine as before', async () => {
    const { host } = await start({ allowedHosts: ['rotavox.example.com'], trustedProxies: ['127.0.0.1'] });
    expect(host.publicUrl).toBe('https://rotavox.example.com');
    const { base_url: baseUrl } = runtimeFileOf(host.dataDir);
    expect((await fetch(`${baseUrl}/v1/health`)).status).toBe(200);
    // Here nothing is believed, although the proxy has the same address.
    const spoofed = await fetch(`${baseUrl}/v1/health`, { headers: { 'x-forwarded-host': 'evil.com' } });
    expect(spoofed.status).toBe(200);
  });
});

describe('a host without protection', () => {
  it.each([
    ['neither TLS nor a proxy', { listen: { host: '0.0.0.0', port: 0 } }, '--tls-cert'],
    ['no name', { listen: { host: '0.0.0.0', port: 0 }, trustedProxies: ['10.0.0.2'] }, '--allow-host'],
  ])('does not start with %s', async (_what, network, message) => {
    const dataDir = join(makeFolder(), 'data');
    await expect(start(network, { dataDir })).rejects.toMatchObject({
      code: 'ADDRESS_UNUSABLE',
      message: expect.stringContaining(message) as string,
    });
  });
});
