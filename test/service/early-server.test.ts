import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EarlyServer } from '../../src/service/early-server.ts';
import { exchange, requestText } from './attacks/wire.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const page = '<!doctype html><script src="/assets/a-1.js"></script><link href="/assets/b-1.css" />';

async function listenEarly() {
  const windowsDir = join(makeFolder(), 'windows');
  mkdirSync(join(windowsDir, 'assets'), { recursive: true });
  writeFileSync(join(windowsDir, 'index.html'), page);
  writeFileSync(join(windowsDir, 'assets', 'a-1.js'), 'the script');
  writeFileSync(join(windowsDir, 'assets', 'b-1.css'), 'the style');
  const early = new EarlyServer({ windowsDir });
  early.server.listen({ host: '127.0.0.1', port: 0 });
  await once(early.server, 'listening');
  onTestFinished(() => early.close());
  const { port } = early.server.address() as AddressInfo;
  const ask = (line: string, headers: readonly string[] = []) =>
    exchange(port, requestText(`${line} HTTP/1.1`, [`Host: 127.0.0.1:${port}`, ...headers]));
  return { early, port, ask };
}

describe('a server whose service is not built yet', () => {
  it('sends the page and what it needs, with its policy, and then reports it', async () => {
    const { early, ask } = await listenEarly();
    let isReported = false;
    void early.pageSent.then(() => (isReported = true));
    const answer = await ask('GET /settings');
    expect([answer?.status, answer?.body]).toEqual([200, page]);
    expect(answer?.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer?.headers['x-content-type-options']).toBe('nosniff');
    expect((await ask('GET /assets/a-1.js'))?.body).toBe('the script');
    expect(isReported).toBe(false);
    expect((await ask('GET /assets/b-1.css'))?.body).toBe('the style');
    await early.pageSent;
  });

  it.each([
    ['a call', 'GET /portal/status', []],
    ['a sign-in link', 'GET /?code=abc', []],
    ['a file that is not there', 'GET /assets/c-1.js', []],
    ['another method', 'HEAD /', []],
    ['a page of another origin', 'GET /', ['Origin: http://other.example']],
    ['a link on another site', 'GET /', ['Sec-Fetch-Site: cross-site']],
    ['an expectation', 'GET /', ['Expect: 100-continue']],
  ])('lets the service answer %s', async (_what, line, headers) => {
    const { early, ask } = await listenEarly();
    const asked = once(early.server, 'request');
    const answer = ask(line, headers);
    await asked;
    early.handOver((_request, response) => response.writeHead(418).end());
    expect((await answer)?.status).toBe(418);
  });

  it('does not answer for another host', async () => {
    const { early, port } = await listenEarly();
    const asked = once(early.server, 'request');
    const answer = exchange(port, requestText('GET / HTTP/1.1', [`Host: rebound.example:${port}`]));
    await asked;
    early.handOver((_request, response) => response.writeHead(418).end());
    expect((await answer)?.status).toBe(418);
  });

  it('ends the calls that wait when it closes', async () => {
    const { early, ask } = await listenEarly();
    const asked = once(early.server, 'request');
    const answer = ask('GET /portal/status');
    await asked;
    await early.close();
    expect(await answer).toBeNull();
  });
});
