import { createServer, get } from 'node:https';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { TargetId } from '../../src/contract/credential/credential.ts';
import { StartSignIn } from '../../src/contract/credential/sign-in.ts';
import { addTarget } from '../../src/core/credential/change-credential.ts';
import { Outgoing } from '../../src/network/outgoing.ts';
import { startCompanyProxy } from '../fakes/company-proxy.ts';
import { startPlainOAuthServer } from '../fakes/plain-oauth-server.ts';
import { makeAgent } from '../fixtures/make-agent.ts';
import { makeAuthority } from '../fixtures/make-authority.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { setUpLoneAgent } from './agent-setup.ts';

const host = 'api.corp.test';
const base_url = `https://${host}`;

/** An authority, and the certificates it gave to a service and to a client of it. */
function makeCertificates() {
  const authority = makeAuthority(makeFolder());
  const client = authority.issue('client');
  return {
    authority,
    service: authority.issue(host, { names: [`DNS:${host}`] }),
    certificate: { certificate: client.cert, key: client.key, passphrase: null },
  };
}

/** An agent whose only way out is a proxy; it leads every name to one service, and perhaps opens TLS. */
async function behindProxy(
  servicePort: number,
  trusted: string | undefined,
  intercepts?: { readonly cert: string; readonly key: string },
) {
  const here = await setUpLoneAgent();
  const proxy = await startCompanyProxy({
    servicePort,
    ...(intercepts === undefined ? {} : { intercepts }),
  });
  onTestFinished(() => proxy.close());
  proxy.login = 'mary:p@ss';
  const agent = makeAgent({
    ledger: here.store,
    vault: here.vault,
    clock: here.time.clock,
    timer: here.time,
    embeddedUrl: () => here.baseUrl,
    outgoing: new Outgoing({
      environment: { HTTPS_PROXY: `http://mary:p@ss@${proxy.name}` },
      trusted,
    }),
  });
  return { here, agent, proxy };
}

/** A service behind mutual TLS whose name only a proxy knows, and an agent that has no other way out. */
async function setUp() {
  const { authority, service, certificate } = makeCertificates();
  const { cert, key } = service;
  const heard: string[] = [];
  let minted = 0;
  const server = createServer({ cert, key, ca: authority.cert, requestCert: true }, (request, response) => {
    const { authorization = '' } = request.headers;
    heard.push(`${request.method ?? ''} ${request.url ?? ''} ${authorization}`);
    response.setHeader('content-type', 'application/json');
    // By its own clock, which its Date says.
    const expires_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const isAsked = request.url === '/v1/auth/token';
    if (!isAsked && authorization !== 'Bearer first') response.statusCode = 401;
    else if (!isAsked) minted += 1;
    response.end(
      JSON.stringify(
        isAsked
          ? { name: 'crm', status: 'Active', expires_at, created_at: expires_at, validity_days: 7 }
          : { success: true, access_token: `new-${minted}`, validity_days: 7, expires_at },
      ),
    );
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const world = await behindProxy((server.address() as AddressInfo).port, authority.cert);
  return { ...world, heard, certificate };
}

const id = 'cred_network' as Parameters<Awaited<ReturnType<typeof setUp>>['agent']['requests']['add']>[0];

it('adds, rotates and tests a token of a service that is behind a proxy and asks for a client certificate', async () => {
  const { here, agent, heard, proxy, certificate } = await setUp();
  const wanted = { name: 'crm', value: 'first', base_url, client_certificate: certificate };
  expect(await agent.requests.add(id, wanted)).toMatchObject({ ok: true });
  await agent.requests.rotateNow('crm');
  expect(await agent.requests.valueOf('crm')).toEqual({ ok: true, value: 'new-1' });
  expect(await agent.requests.testCredential('crm')).toMatchObject({
    value: {
      outcome: 'works',
      way: {
        proxy: proxy.name,
        source: 'HTTPS_PROXY',
        issuer: 'Corp Root',
        asks_for_certificate: true,
        has_client_certificate: true,
      },
    },
  });
  expect(heard).toContain('GET /v1/auth/token Bearer new-1');
  expect(new Set(proxy.asked)).toEqual(new Set([`${host}:443`]));
  // The key is in the vault and nowhere else.
  expect(JSON.stringify(here.events)).not.toContain('PRIVATE KEY');
});

it('says that a client certificate is missing, and goes on once there is one', async () => {
  const { here, agent, certificate } = await setUp();
  expect(
    await agent.requests.add(id, { name: 'crm', value: 'first', base_url, validity_days: 7 }),
  ).toMatchObject({
    ok: true,
  });
  const test = await agent.requests.testCredential('crm');
  expect(test).toMatchObject({
    value: {
      outcome: 'unreachable',
      message: expect.stringContaining('asks for a client certificate') as string,
    },
  });
  const other = makeAuthority(makeFolder(), 'Other').issue('client');
  const mixed = { ...certificate, key: other.key };
  expect(await agent.requests.setClientCertificate('crm', mixed)).toMatchObject({
    refusal: { reason: { code: 'client_certificate', why: 'other_key' } },
  });
  expect(await agent.requests.setClientCertificate('crm', certificate)).toMatchObject({ ok: true });
  expect(await agent.requests.testCredential('crm')).toMatchObject({ value: { outcome: 'works' } });
  expect(await agent.requests.setClientCertificate('crm', null)).toMatchObject({ ok: true });
  expect(await agent.requests.testCredential('crm')).toMatchObject({ value: { outcome: 'unreachable' } });
  expect(here.view('crm').provider.inputs).toEqual({});
});

const signInAt = {
  id: 'oauth2',
  inputs: {
    service: 'other',
    client_id: 'crm-client',
    token_url: `${base_url}/token`,
    authorization_url: `${base_url}/authorize`,
  },
};

it('signs in at a server behind a proxy that asks for a client certificate, refreshes, and signs in again', async () => {
  const { authority, service, certificate } = makeCertificates();
  const mutualTls = { cert: service.cert, key: service.key, ca: authority.cert };
  const oauth = await startPlainOAuthServer(() => here.time.clock(), {
    rotates: true,
    expiresIn: 3600,
    mutualTls,
  });
  const { here, agent, proxy } = await behindProxy(Number(new URL(oauth.baseUrl).port), authority.cert);
  const provider = signInAt;
  /** What a browser with the same certificate does. */
  const agree = (page: string): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(page);
      const at = { port: new URL(oauth.baseUrl).port, host: '127.0.0.1', servername: host };
      const own = { ca: authority.cert, cert: certificate.certificate, key: certificate.key };
      get({ ...at, ...own, path: `${pathname}${search}` }, (answer) => {
        answer.resume();
        resolve(fetch(answer.headers.location ?? ''));
      }).on('error', reject);
    });
  const signIn = async (more: object): Promise<unknown> => {
    const wanted = StartSignIn.parse({ name: 'crm', method: 'browser', ...more });
    const started = await agent.requests.startSignIn(id, wanted);
    if (!started.ok) return started.refusal.reason;
    await agree(started.value.url);
    return agent.requests.signIn(started.value.id);
  };

  const first = { provider, base_url };
  expect(await signIn(first)).toMatchObject({
    status: 'failed',
    message: expect.stringContaining('asks for a client certificate') as string,
  });
  const other = makeAuthority(makeFolder(), 'Other').issue('client');
  expect(await signIn({ ...first, client_certificate: { ...certificate, key: other.key } })).toMatchObject({
    code: 'client_certificate',
    why: 'other_key',
  });
  expect(here.store.state.credentials.size).toBe(0);

  expect(await signIn({ ...first, client_certificate: certificate })).toMatchObject({ status: 'done' });
  const isAlive = async (): Promise<boolean> => {
    const current = await agent.requests.valueOf('crm');
    return current.ok && oauth.isAccessAlive(current.value);
  };
  expect(await isAlive()).toBe(true);
  expect(await agent.requests.rotateNow('crm')).toMatchObject({ ok: true });
  expect([await isAlive(), here.view('crm').generation]).toEqual([true, 2]);
  // With the certificate that is stored.
  expect(await signIn({})).toMatchObject({ status: 'done' });
  expect([await isAlive(), here.view('crm').generation]).toEqual([true, 3]);
  expect(new Set(proxy.asked)).toEqual(new Set([`${host}:443`]));
  expect(JSON.stringify(here.events)).not.toContain('PRIVATE KEY');
});

it('signs in, refreshes and delivers where the only way out opens TLS with a certificate of the company', async () => {
  const { authority, service } = makeCertificates();
  const oauth = await startPlainOAuthServer(() => 0, { rotates: true, expiresIn: 3600 });
  const port = Number(new URL(oauth.baseUrl).port);
  const signIn = async ({ agent }: Awaited<ReturnType<typeof behindProxy>>): Promise<unknown> => {
    const wanted = StartSignIn.parse({ name: 'crm', method: 'browser', provider: signInAt, base_url });
    const started = await agent.requests.startSignIn(id, wanted);
    if (!started.ok) return started.refusal.reason;
    // The browser of the person trusts the company.
    await fetch(started.value.url.replace(base_url, oauth.baseUrl));
    return agent.requests.signIn(started.value.id);
  };

  const distrusting = await behindProxy(port, undefined, service);
  expect(await signIn(distrusting)).toMatchObject({
    status: 'failed',
    message: expect.stringMatching(/Corp Root.*the setting “certificates”/) as string,
  });

  const world = await behindProxy(port, authority.cert, service);
  const { here, agent, proxy } = world;
  expect(await signIn(world)).toMatchObject({ status: 'done' });
  const path = join(here.folder, 'crm.env');
  await here.store.transact((state) =>
    addTarget(state, 'crm', 'tgt_network' as TargetId, { kind: 'dotenv', path, variable: 'CRM_TOKEN' }),
  );
  expect(await agent.requests.rotateNow('crm')).toMatchObject({ ok: true });
  expect(await agent.requests.deliverNow('crm', 'tgt_network' as TargetId)).toMatchObject({ ok: true });
  const current = await agent.requests.valueOf('crm');
  expect(current.ok && readFileSync(path, 'utf8')).toBe(current.ok && `CRM_TOKEN='${current.value}'\n`);
  expect(current.ok && oauth.isAccessAlive(current.value)).toBe(true);
  expect(new Set(proxy.asked)).toEqual(new Set([`${host}:443`]));
});
