import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Outgoing } from '../../src/network/outgoing.ts';
import { startCompanyProxy } from '../fakes/company-proxy.ts';
import { makeAgent } from '../fixtures/make-agent.ts';
import { makeAuthority } from '../fixtures/make-authority.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { setUpAgent } from './agent-setup.ts';

const host = 'api.corp.test';
const base_url = `https://${host}`;

/** A service behind mutual TLS whose name only a proxy knows, and an agent that has no other way out. */
async function setUp() {
  const here = await setUpAgent();
  const authority = makeAuthority(makeFolder());
  const { cert, key } = authority.issue(host, { names: [`DNS:${host}`] });
  const heard: string[] = [];
  let minted = 0;
  const server = createServer({ cert, key, ca: authority.cert, requestCert: true }, (request, response) => {
    const { authorization = '' } = request.headers;
    heard.push(`${request.method ?? ''} ${request.url ?? ''} ${authorization}`);
    response.setHeader('content-type', 'application/json');
    const expires_at = new Date(here.time.clock() + 7 * 86_400_000).toISOString();
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
  const proxy = await startCompanyProxy({ servicePort: (server.address() as AddressInfo).port });
  onTestFinished(() => {
    proxy.close();
    server.closeAllConnections();
    server.close();
  });
  const outgoing = new Outgoing({
    environment: { HTTPS_PROXY: `http://mary:p@ss@${proxy.name}` },
    trusted: authority.cert,
  });
  proxy.login = 'mary:p@ss';
  const agent = makeAgent({
    ledger: here.store,
    vault: here.vault,
    clock: here.time.clock,
    timer: here.time,
    embeddedUrl: () => here.baseUrl,
    outgoing,
  });
  const client = authority.issue('client');
  const certificate = { certificate: client.cert, key: client.key, passphrase: null };
  return { here, agent, heard, proxy, certificate };
}

const id = 'cred_network' as Parameters<Awaited<ReturnType<typeof setUp>>['agent']['keeper']['add']>[0];

it('adds, rotates and tests a token of a service that is behind a proxy and asks for a client certificate', async () => {
  const { here, agent, heard, proxy, certificate } = await setUp();
  const wanted = { name: 'crm', value: 'first', base_url, client_certificate: certificate };
  expect(await agent.keeper.add(id, wanted)).toMatchObject({ ok: true });
  await agent.keeper.rotateNow('crm');
  expect(await agent.keeper.valueOf('crm')).toEqual({ ok: true, value: 'new-1' });
  expect(await agent.keeper.testCredential('crm')).toMatchObject({
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
    await agent.keeper.add(id, { name: 'crm', value: 'first', base_url, validity_days: 7 }),
  ).toMatchObject({
    ok: true,
  });
  const test = await agent.keeper.testCredential('crm');
  expect(test).toMatchObject({
    value: {
      outcome: 'unreachable',
      message: expect.stringContaining('asks for a client certificate') as string,
    },
  });
  const other = makeAuthority(makeFolder(), 'Other').issue('client');
  const mixed = { ...certificate, key: other.key };
  expect(await agent.keeper.setClientCertificate('crm', mixed)).toMatchObject({
    refusal: { reason: { code: 'client_certificate', why: 'other_key' } },
  });
  expect(await agent.keeper.setClientCertificate('crm', certificate)).toMatchObject({ ok: true });
  expect(await agent.keeper.testCredential('crm')).toMatchObject({ value: { outcome: 'works' } });
  expect(await agent.keeper.setClientCertificate('crm', null)).toMatchObject({ ok: true });
  expect(await agent.keeper.testCredential('crm')).toMatchObject({ value: { outcome: 'unreachable' } });
  expect(here.view('crm').provider.inputs).toEqual({});
});
