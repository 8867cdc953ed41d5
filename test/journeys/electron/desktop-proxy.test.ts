import { expect } from '@playwright/test';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { noProxyVariables, proxyVariables } from '../../../src/contract/service/network.ts';
import { startCompanyProxy } from '../../fakes/company-proxy.ts';
import { makeAuthority } from '../../fixtures/make-authority.ts';
import { StatusPage } from '../pages/status-page.ts';
import { type Start, test } from './launch-app.ts';

const host = 'api.corp.test';
const base_url = `https://${host}`;

/** A service that knows one token and gives another for it. Only a proxy leads to it. */
async function startService(): Promise<Server> {
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET';
    const isKnown = ['Bearer first', 'Bearer second'].includes(request.headers.authorization ?? '');
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    const expires_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
    const asked = { name: 'crm', status: 'Active', expires_at, created_at: null, validity_days: 7 };
    const rotated = { success: true, access_token: 'second', validity_days: 7, expires_at };
    const answer = isAsked ? asked : rotated;
    response.end(JSON.stringify(isKnown ? answer : { message: 'No.' }));
  });
  return await listening(server);
}

async function listening(server: Server): Promise<Server> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** The company's network: a service, the proxy that opens TLS on the way to it, and who is trusted for that. */
async function startNetwork(folder: string) {
  const service = await startService();
  const authority = makeAuthority(folder);
  const intercepts = authority.issue(host, { names: [`DNS:${host}`] });
  const proxy = await startCompanyProxy({ servicePort: portOf(service), intercepts });
  return {
    proxy,
    certificates: authority.certFile,
    script: `function FindProxyForURL(url, host) {
      if (host === "${host}") return "PROXY 127.0.0.1:9; PROXY ${proxy.name}";
      return "DIRECT";
    }`,
    close() {
      proxy.close();
      service.closeAllConnections();
      service.close();
    },
  };
}

/** As a person has it whose proxy is in the settings of the system, and nowhere else. */
function withoutVariables(start: Start): Start {
  const named: readonly string[] = [
    ...proxyVariables['https:'],
    ...proxyVariables['http:'],
    ...noProxyVariables,
  ];
  const env = Object.fromEntries(Object.entries(start.env).filter(([name]) => !named.includes(name)));
  return { ...start, env };
}

/** The settings of a desktop whose file can be written by a test: KDE, where Chromium reads them without a service. */
function kdeSettings(folder: string, pac: string): Record<string, string> {
  const config = join(folder, '.config');
  mkdirSync(config);
  writeFileSync(join(config, 'kioslaverc'), `[Proxy Settings]\nProxyType=2\nProxy Config Script=${pac}\n`);
  return { XDG_CURRENT_DESKTOP: 'KDE', KDE_SESSION_VERSION: '5', HOME: folder };
}

/** A PAC script at an address of this machine, and how often it was fetched. */
async function serveScript(script: string) {
  const served = { url: '', fetched: 0, close: () => server.close() };
  const server = await listening(
    createServer((_request, response) => {
      served.fetched += 1;
      response.writeHead(200, { 'content-type': 'application/x-ns-proxy-autoconfig' }).end(script);
    }),
  );
  served.url = `http://127.0.0.1:${portOf(server)}/proxy.pac`;
  return served;
}

for (const { way, leads } of [
  { way: 'switch of the app', leads: 'one host' },
  // Even so the calls on this machine are direct.
  { way: 'settings of the system', leads: 'everything' },
] as const)
  test(`calls to services take the way that the PAC script in the ${way} says, which leads ${leads} through a proxy`, async ({
    start,
    launch,
    owner,
    dataDir,
  }) => {
    const network = await startNetwork(dataDir);
    const everything = `function FindProxyForURL() { return "PROXY ${network.proxy.name}"; }`;
    const pac = await serveScript(leads === 'everything' ? everything : network.script);
    const settings = way === 'settings of the system' ? kdeSettings(dataDir, pac.url) : {};
    const switches = way === 'switch of the app' ? [`--proxy-pac-url=${pac.url}`] : [];
    const { args, env } = withoutVariables(start);
    try {
      const app = await launch({ ...start, args: [...switches, ...args], env: { ...env, ...settings } });
      await new StatusPage(await app.firstWindow()).expectRunning();
      const issued = await owner.issueToken({ name: 'own', validity_days: 7 });
      await owner.ask('addCredential', { body: { name: 'own', value: issued.access_token } });
      await owner.ask('rotateCredential', { params: { name: 'own' } });
      expect(network.proxy.asked).toEqual([]);
      await owner.ask('changeSettings', { body: { certificates: network.certificates } });
      await owner.ask('addCredential', { body: { name: 'crm', value: 'first', base_url } });
      expect(await owner.ask('rotateCredential', { params: { name: 'crm' } })).toMatchObject({
        state: 'fine',
        generation: 2,
      });
      expect(await owner.ask('testCredential', { params: { name: 'crm' } })).toMatchObject({
        outcome: 'works',
        way: { proxy: network.proxy.name, source: 'desktop', issuer: 'Corp Root' },
      });
      expect(pac.fetched).toBeGreaterThan(0);
      // Not the dictionaries of Chromium, for example.
      expect(new Set(network.proxy.asked)).toEqual(new Set([`${host}:443`]));
    } finally {
      pac.close();
      network.close();
    }
  });
