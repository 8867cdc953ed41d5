import { chmodSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NetworkOptions } from '../../src/host/network-address.ts';
import { type Host, type HostOptions, startHost } from '../../src/host/start-host.ts';
import { makeCertificate } from '../fixtures/make-authority.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { sendCall } from '../fixtures/send-call.ts';
import { runtimeFileOf } from './runtime-file-of.ts';

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
