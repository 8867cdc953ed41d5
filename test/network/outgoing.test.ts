import { createServer as createTlsServer } from 'node:https';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, isIP, type Socket } from 'node:net';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { X509Certificate } from 'node:crypto';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connectFailureOf } from '../../src/network/connect-failure.ts';
import { checkedLookup } from '../../src/network/reachable-address.ts';
import { Outgoing, type OutgoingParts, type OutgoingSettings } from '../../src/network/outgoing.ts';
import type { ClientCertificate } from '../../src/contract/service/network.ts';
import { type CompanyProxy, type ProxyManner, startCompanyProxy } from '../fakes/company-proxy.ts';
import { type Authority, type IssuedCertificate, makeAuthority } from '../fixtures/make-authority.ts';

const host = 'api.corp.test';
const url = `https://${host}/v1`;
const settings: OutgoingSettings = { proxy: 'system', no_proxy: null, certificates: null };

let folder: string;
let authority: Authority;
let server: IssuedCertificate;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rotavox-network-'));
  authority = makeAuthority(folder);
  server = authority.issue(host, { names: [`DNS:${host}`, 'IP:::1', 'DNS:localhost'] });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A service that answers every request with 200. Without a certificate it speaks no TLS. */
async function startService(
  tls: {
    readonly cert: string;
    readonly key: string;
    readonly ca?: string;
    readonly maxVersion?: 'TLSv1.2';
  } | null = server,
): Promise<number> {
  const clients = tls?.ca === undefined ? {} : { requestCert: true, rejectUnauthorized: true };
  const service = tls === null ? createServer() : createTlsServer({ ...tls, ...clients });
  service.on('request', (_request, response) => response.end('{}'));
  service.on('tlsClientError', () => undefined);
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
  });
  return (service.address() as AddressInfo).port;
}

/** A server that verifies clients in the handshake, as nginx, Envoy and others do. */
async function startOpenSsl(): Promise<number> {
  const args = ['-cert', server.certFile, '-key', server.keyFile, '-CAfile', authority.certFile];
  const child = spawn('openssl', [
    's_server',
    '-accept',
    '127.0.0.1:0',
    '-Verify',
    '1',
    '-verify_return_error',
    '-www',
    ...args,
  ]);
  onTestFinished(() => void child.kill());
  let said = '';
  for await (const part of child.stdout) {
    said += String(part);
    const [, listening] = /ACCEPT \S*:(\d+)/.exec(said) ?? [];
    if (listening !== undefined) return Number(listening);
  }
  throw new Error(`openssl s_server does not listen: ${said}`);
}

async function startProxy(
  options: Partial<Parameters<typeof startCompanyProxy>[0]> = {},
): Promise<CompanyProxy> {
  const proxy = await startCompanyProxy({ servicePort: await startService(), ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** What a call comes to: the status, or why there was no connection. */
async function call(
  outgoing: Outgoing,
  to = url,
  { client, timeLimitMs = 10_000 }: { client?: ClientCertificate; timeLimitMs?: number } = {},
) {
  const agent = new Agent({ connect: outgoing.connector({ timeLimitMs, clientCertificate: client }) });
  try {
    const { statusCode, body } = await request(to, { dispatcher: agent });
    await body.dump();
    return statusCode;
  } catch (error) {
    const { isSent, failure } = outgoing.failureOf(error, to);
    return isSent ? { sent: failure } : failure;
  } finally {
    await agent.destroy();
  }
}

function outgoing(parts: OutgoingParts & { readonly set?: Partial<OutgoingSettings> } = {}): Outgoing {
  const { set = {}, ...others } = parts;
  return new Outgoing({
    environment: {},
    trusted: authority.cert,
    settings: () => ({ ...settings, ...set }),
    ...others,
  });
}

/** One that is led by `HTTPS_PROXY`. */
function through(proxy: CompanyProxy, parts: OutgoingParts = {}): Outgoing {
  return outgoing({ environment: { HTTPS_PROXY: `http://${proxy.name}` }, ...parts });
}

describe('an address that is never called', () => {
  const refused = { code: 'not_connected', systemCode: 'ROTAVOX_ADDRESS_REFUSED' };
  // btsouth/toolport#92, SkillfulAgents/SuperAgent#235, andrewyng/openworker#527: metadata of a server that named these.
  it.each([
    'https://169.254.169.254/latest/meta-data/',
    'http://169.254.0.1/',
    'https://2852039166/', // the same in one number, in octal and in hexadecimal
    'https://0251.0376.0251.0376/',
    'https://0xa9.0xfe.0xa9.0xfe/',
    'https://[fe80::1]/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fd00:ec2::254]/',
    'https://[64:ff9b::a9fe:a9fe]/',
    'https://[64:ff9b:1::a9fe:a9fe]/',
    'https://[::ffff:0:a9fe:a9fe]/',
    'https://[2a00:1::5efe:a9fe:a9fe]/', // ISATAP
    'https://[2a00:1::200:5efe:a9fe:a9fe]/',
    'https://[2001:0:a9fe:a9fe::1]/', // Teredo
    'https://[fd00:ec2::23]/', // EKS Pod Identity
    'https://[fd00:42::42]/', // Scaleway
    'https://instance-data.ec2.internal/',
    'https://metadata.google.internal/',
    'https://metadata.google.internal./',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
    'https://224.0.0.1/',
  ])('is %s, directly and through a proxy', async (to) => {
    expect(await call(outgoing(), to)).toEqual(refused);
    const proxy = await startProxy();
    expect(await call(outgoing({ set: { proxy: `http://${proxy.name}`, no_proxy: '' } }), to)).toEqual(
      refused,
    );
    expect(proxy.asked).toEqual([]);
  });

  it('is one that a name leads to', async () => {
    // The system reads such a name as an address only when it looks it up.
    const failure = await new Promise((resolve) => {
      const target = { protocol: 'http:', hostname: '2852039166', port: '80' };
      outgoing().connector({ timeLimitMs: 10_000 })(target, (...[error]) => resolve(connectFailureOf(error)));
    });
    expect(failure).toEqual(refused);
    const found = (addresses: string[]) =>
      new Promise((resolve) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        checkedLookup(true, (_name, _options, callback) => callback(null, all))(
          'api.example.com',
          { all: true },
          (error, reached) => resolve(error?.code ?? reached),
        );
      });
    expect(await found(['169.254.169.254', 'fe80::1'])).toBe('ROTAVOX_ADDRESS_REFUSED');
    expect(await found(['169.254.169.254', '10.1.2.3'])).toEqual([{ address: '10.1.2.3', family: 4 }]);
  });

  it('is none of this machine or of a private network', async () => {
    const port = await startService(null);
    expect(await call(outgoing(), `http://127.0.0.1:${port}/`)).toBe(200);
    expect(await call(outgoing(), `http://localhost:${port}/`)).toBe(200);
  });
});

describe('through a proxy', () => {
  it('reaches a service whose name only the proxy knows, with TLS that ends at the service', async () => {
    const proxy = await startProxy();
    const way = through(proxy);
    expect(await call(way)).toBe(200);
    expect(proxy.asked).toEqual([`${host}:443`]);
    expect(way.takenTo(`https://${host}`)).toEqual({
      proxy: proxy.name,
      source: 'HTTPS_PROXY',
      issuer: 'Corp Root',
      asks_for_certificate: false,
      has_client_certificate: false,
    });
  });

  it('reaches one behind a proxy that opens TLS with a certificate of its own authority', async () => {
    const proxy = await startProxy({ servicePort: await startService(null), intercepts: server });
    expect(await call(through(proxy))).toBe(200);
    expect(await call(through(proxy, { trusted: undefined }))).toEqual({
      code: 'not_trusted',
      systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      issuer: 'Corp Root',
    });
  });

  it.each<ProxyManner>(['opens_in_pieces', 'opens_with_length', 'opens_as_old'])(
    'understands one that %s',
    async (manner) => {
      const proxy = await startProxy();
      proxy.manner = manner;
      expect(await call(through(proxy))).toBe(200);
    },
  );

  it('names an IPv6 address in brackets', async () => {
    const proxy = await startProxy();
    const parts = { set: { proxy: `http://${proxy.name}`, no_proxy: '' } };
    expect(await call(outgoing(parts), 'https://[fd00::1]:8443/')).toMatchObject({
      code: 'not_trusted',
      systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
    expect(proxy.asked).toEqual(['[fd00::1]:8443']);
  });

  it('is asked through TLS where its address says so', async () => {
    const own = authority.issue('proxy', { names: ['IP:127.0.0.1'] });
    const proxy = await startProxy({ tls: own });
    const environment = { HTTPS_PROXY: `https://${proxy.name}` };
    expect(await call(outgoing({ environment }))).toBe(200);
    expect(await call(outgoing({ environment, trusted: undefined }))).toEqual({
      code: 'proxy_failed',
      proxy: proxy.name,
      source: 'HTTPS_PROXY',
      problem: { code: 'not_trusted', systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', issuer: 'Corp Root' },
    });
  });

  it.each<[string, string]>([
    ['mary:p%40ss%3Aw%25rd', 'mary:p@ss:w%rd'],
    ['mary:100%', 'mary:100%'],
    ['CORP%5Cmary:p@ss/w#rd?', 'CORP\\mary:p@ss/w#rd?'],
    ['mary', 'mary:'],
    ['mary:schön', 'mary:schön'],
  ])('gets the login %s', async (written, meant) => {
    const proxy = await startProxy();
    proxy.login = meant;
    const environment = { https_proxy: `http://${written}@${proxy.name}` };
    expect(await call(outgoing({ environment }))).toBe(200);
    expect(proxy.logins).toEqual([meant]);
  });

  it('gets the login that is stored for it, and says when that cannot be read', async () => {
    const proxy = await startProxy();
    proxy.login = 'mary:secret';
    const set = { proxy: `http://${proxy.name}` };
    const loginFor = async ({ port }: { readonly port: number }) =>
      port === proxy.port ? { user: 'mary', password: 'secret' } : null;
    expect(await call(outgoing({ set, loginFor }))).toBe(200);
    const locked = outgoing({ set, loginFor: () => Promise.reject(new Error('locked')) });
    expect(await call(locked)).toMatchObject({ problem: { code: 'login_unreadable' } });
  });

  it.each<[string, (socket: Socket) => unknown]>([
    ['resets', (socket) => socket.resetAndDestroy()],
    ['ends', (socket) => socket.end()],
  ])('says that it is closed where it %s each connection while its login is read', async (_how, close) => {
    const proxy = createTcpServer(close).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const set = { proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const loginFor = async () => {
      for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      return { user: 'mary', password: 'secret' };
    };
    expect(await call(outgoing({ set, loginFor }), url, { timeLimitMs: 2_000 })).toMatchObject({
      problem: { code: 'closed' },
    });
  });

  it('may be slower to read the login of than to connect to', async () => {
    const proxy = await startProxy();
    proxy.login = 'mary:secret';
    const loginFor = () => delay(600, { user: 'mary', password: 'secret' });
    const set = { proxy: `http://${proxy.name}` };
    expect(await call(outgoing({ set, loginFor }), url, { timeLimitMs: 500 })).toBe(200);
  });

  it('says what a 407 wants', async () => {
    const proxy = await startProxy();
    proxy.login = 'mary:secret';
    expect(await call(through(proxy))).toMatchObject({
      code: 'proxy_failed',
      problem: { code: 'login_needed', schemes: ['negotiate', 'basic'] },
    });
    proxy.schemes = ['Negotiate', 'NTLM'];
    const environment = { HTTPS_PROXY: `http://mary:wrong@${proxy.name}` };
    expect(await call(outgoing({ environment }))).toMatchObject({
      problem: { code: 'login_refused', schemes: ['negotiate', 'ntlm'] },
    });
  });

  it.each<[ProxyManner, object]>([
    ['closes', { code: 'closed' }],
    ['closes_within_the_head', { code: 'no_proxy' }],
    ['answers_502', { code: 'refused', status: 502 }],
    ['answers_403', { code: 'refused', status: 403 }],
    ['speaks_other', { code: 'no_proxy' }],
    ['answers_endlessly', { code: 'no_proxy' }],
  ])('says why there is no connection when it %s', async (manner, problem) => {
    const proxy = await startProxy();
    proxy.manner = manner;
    expect(await call(through(proxy))).toEqual({
      code: 'proxy_failed',
      proxy: proxy.name,
      source: 'HTTPS_PROXY',
      problem,
    });
  });

  it('does not wait forever for one that never answers', async () => {
    const proxy = await startProxy();
    proxy.manner = 'never_answers';
    expect(await call(through(proxy), url, { timeLimitMs: 200 })).toMatchObject({
      problem: { code: 'too_slow', limitMs: 200 },
    });
  });

  it('says when nothing listens there, and when its name is not known', async () => {
    const gone = await startProxy();
    gone.close();
    expect(await call(through(gone))).toMatchObject({
      problem: { code: 'unreachable', systemCode: 'ECONNREFUSED' },
    });
    const environment = { HTTPS_PROXY: 'http://proxy.invalid:8080' };
    expect(await call(outgoing({ environment }))).toMatchObject({
      problem: {
        code: 'unreachable',
        systemCode: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/) as string,
      },
    });
  });

  it('sends nothing where what names it cannot be used', async () => {
    const environment = { ALL_PROXY: 'socks5://127.0.0.1:1080' };
    expect(await call(outgoing({ environment }))).toEqual({
      code: 'proxy_invalid',
      source: 'ALL_PROXY',
      problem: 'socks',
    });
  });

  it('is not asked for calls of this machine, nor for exceptions', async () => {
    const port = await startService();
    const proxy = await startProxy();
    expect(await call(through(proxy), `https://localhost:${port}/`)).toBe(200);
    const environment = { HTTPS_PROXY: `http://${proxy.name}`, NO_PROXY: '.corp.test' };
    expect(await call(outgoing({ environment }))).toMatchObject({ code: 'not_connected' });
    expect(proxy.asked).toEqual([]);
  });

  it('follows what the desktop says, from one to the next', async () => {
    const [gone, proxy] = [await startProxy(), await startProxy()];
    gone.close();
    const urls: string[] = [];
    const askDesktop = (asked: string): Promise<string> => {
      urls.push(asked);
      return Promise.resolve(`PROXY ${gone.name}; PROXY ${proxy.name}; DIRECT`);
    };
    const way = outgoing({ askDesktop });
    expect(await call(way)).toBe(200);
    expect(urls).toEqual([`https://${host}`]);
    expect(way.takenTo(`https://${host}`)).toMatchObject({ proxy: proxy.name, source: 'desktop' });
  });
});

describe('the certificates that are trusted', () => {
  const at = async (tls: IssuedCertificate): Promise<string> =>
    `https://localhost:${await startService(tls)}/`;
  const fileOf = (content: string | Buffer): string => {
    const file = join(mkdtempSync(join(folder, 'file-')), 'certificates');
    writeFileSync(file, content);
    return file;
  };
  const trusting = (certificates: string): Outgoing =>
    outgoing({ trusted: undefined, set: { certificates } });

  it.each<[string, () => string | Buffer]>([
    ['PEM', () => authority.cert],
    ['PEM with CRLF', () => authority.cert.replaceAll('\n', '\r\n')],
    [
      'PEM with comments, a byte order mark and a damaged block',
      () =>
        `\ufeff# Corp Root, 2026\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n${authority.cert}# end`,
    ],
    ['PEM in UTF-16, as PowerShell writes it', () => Buffer.from(`\ufeff${authority.cert}`, 'utf16le')],
    ['DER', () => new X509Certificate(authority.cert).raw],
  ])('are read from a file of %s', async (_name, content) => {
    expect(await call(trusting(fileOf(content())), await at(server))).toBe(200);
  });

  it('are read again when the file changes', async () => {
    const other = makeAuthority(mkdtempSync(join(folder, 'other-')), 'Other Root');
    const file = fileOf(other.cert);
    const way = trusting(file);
    const to = await at(server);
    expect(await call(way, to)).toMatchObject({ code: 'not_trusted', issuer: 'Corp Root' });
    copyFileSync(authority.certFile, file);
    expect(await call(way, to)).toBe(200);
  });

  it.each<[string, () => string, string]>([
    ['is missing', () => join(folder, 'nowhere.pem'), 'missing'],
    ['is a folder', () => folder, 'unreadable'],
    ['has none', () => fileOf('hello'), 'no_certificate'],
  ])('the failure names a file that %s', async (_name, make, code) => {
    const file = make();
    expect(await call(trusting(file), await at(server))).toEqual({
      code: 'not_trusted',
      systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      issuer: 'Corp Root',
      file: { file, code },
    });
  });

  it('may be one between the root and the service, where the service does not send it', async () => {
    const between = authority.below('Corp Issuing CA 2');
    const leaf = between.issue('leaf', { names: ['DNS:localhost'] });
    const to = await at(leaf);
    expect(await call(outgoing(), to)).toMatchObject({ code: 'not_trusted', issuer: 'Corp Issuing CA 2' });
    expect(await call(trusting(fileOf(between.cert)), to)).toBe(200);
    const whole = { ...leaf, cert: leaf.cert + between.cert };
    expect(await call(outgoing(), await at(whole))).toBe(200);
    expect(await call(outgoing({ trusted: undefined }), await at(whole))).toMatchObject({
      issuer: 'Corp Root',
    });
  });

  it('do not help one that has expired, is for another name, or is too weak', async () => {
    const names = ['DNS:localhost'];
    const expired = authority.issue('expired', { names, days: -1 });
    expect(await call(outgoing(), await at(expired))).toMatchObject({
      code: 'not_trusted',
      systemCode: 'CERT_HAS_EXPIRED',
    });
    const other = authority.issue('other', { names: ['DNS:other.test'] });
    expect(await call(outgoing(), await at(other))).toMatchObject({
      code: 'not_trusted',
      systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });
});

describe('a client certificate', () => {
  const client = (): ClientCertificate => {
    const { cert, key } = authority.issue('client');
    return { certificate: cert, key, passphrase: null };
  };

  it('is shown to a service that asks for one', async () => {
    const to = `https://localhost:${await startService({ ...server, ca: authority.cert })}/`;
    const way = outgoing();
    expect(await call(way, to, { client: client() })).toBe(200);
    expect(way.takenTo(new URL(to).origin)).toMatchObject({ has_client_certificate: true });
  });

  it('is named where it is missing', async () => {
    const asking = { ...server, ca: authority.cert };
    const to = `https://localhost:${await startService(asking)}/`;
    const way = outgoing();
    expect(await call(way, to)).toMatchObject({ code: 'client_certificate', problem: 'needed' });
    expect(way.takenTo(new URL(to).origin)).toMatchObject({ asks_for_certificate: true });
    const older = `https://localhost:${await startService({ ...asking, maxVersion: 'TLSv1.2' })}/`;
    expect(await call(outgoing(), older)).toMatchObject({
      code: 'client_certificate',
      problem: 'perhaps_needed',
    });
  });

  it('is named where a server that asked for one ends the connection without a word', async () => {
    const silent = createTlsServer({ ...server, requestCert: true, rejectUnauthorized: false });
    silent.on('request', (incoming) => incoming.socket.destroy());
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    // It may have acted.
    expect(await call(outgoing(), `https://localhost:${port}/`)).toMatchObject({
      sent: { code: 'client_certificate', problem: 'perhaps_needed' },
    });
  });

  it('is named, or that another one is wanted, by servers that verify it themselves', async () => {
    const to = `https://localhost:${await startOpenSsl()}/`;
    expect(await call(outgoing(), to)).toMatchObject({ code: 'client_certificate', problem: 'needed' });
    const stranger = makeAuthority(mkdtempSync(join(folder, 'stranger-')), 'Stranger').issue('client');
    const client = { certificate: stranger.cert, key: stranger.key, passphrase: null };
    expect(await call(outgoing(), to, { client })).toMatchObject({
      code: 'client_certificate',
      problem: 'refused',
    });
  });

  it('is shown through a proxy', async () => {
    const servicePort = await startService({ ...server, ca: authority.cert });
    const proxy = await startProxy({ servicePort });
    expect(await call(through(proxy), url, { client: client() })).toBe(200);
  });

  it('is said to be unusable where its key is another one', async () => {
    const to = `https://localhost:${await startService({ ...server, ca: authority.cert })}/`;
    const { certificate } = client();
    const mixed = { certificate, key: server.key, passphrase: null };
    expect(await call(outgoing(), to, { client: mixed })).toMatchObject({
      code: 'client_certificate',
      problem: 'unusable',
    });
  });
});
