import { describe, expect, it } from 'vitest';
import type { ServiceCall } from '../../../src/core/credential/credential-agent.ts';
import { currentEntry } from '../../../src/agent/vault/token-entries.ts';
import { setUpLoneAgent } from '../agent-setup.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';

const value = 'rvx_of_another_service';
const list: ServiceCall = { method: 'GET', path: '/v1/ivrs' };

async function setUp() {
  const here = await setUpLoneAgent();
  const there = await startAnsweringService({ status: 404 });
  await here.keep({ name: 'other', value, base_url: there.baseUrl, validity_days: 7 });
  return { here, there, requests: here.agent.requests };
}

describe('a call with a credential', () => {
  it('is made with the current token, and its body goes as it is', async () => {
    const { there, requests } = await setUp();
    const heard: unknown[] = [];
    there.answer = (incoming, answer) => {
      let body = '';
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
      incoming.on('end', () => {
        heard.push([incoming.method, incoming.url, incoming.headers.authorization, body]);
        answer.writeHead(201, { location: '/v1/ivr/7' }).end('{"id":7}');
      });
    };
    const called = await requests.callService('other', {
      method: 'PUT',
      path: '/v1/ivr/a%2Fb',
      body: { a: 1 },
    });
    expect(called).toEqual({
      ok: true,
      value: { kind: 'answer', status: 201, reply: { id: 7 }, location: '/v1/ivr/7' },
    });
    expect(heard).toEqual([['PUT', '/v1/ivr/a%2Fb', `Bearer ${value}`, '{"a":1}']]);
  });

  it('returns an answer without the token, at any depth of it and wherever a text is cut', async () => {
    const { there, requests } = await setUp();
    const endless = `${'['.repeat(5000)}"${value}"${']'.repeat(5000)}`;
    for (const body of [{ deep: [{ [value]: `x${value}` }] }, `${'x'.repeat(490)}${value}`, endless]) {
      there.answer = { status: 200, body, headers: { location: `/x/${value}` } };
      const called = await requests.callService('other', list);
      expect(called.ok).toBe(true);
      expect(JSON.stringify(called)).not.toContain(value.slice(0, 12));
    }
  });

  it('reads a list of megabytes, and 64 KiB of another answer', async () => {
    const { there, requests } = await setUp();
    there.answer = { status: 200, body: [{ name: 'x'.repeat(1024 * 1024) }] };
    expect(await requests.callService('other', list)).toMatchObject({ value: { kind: 'answer' } });
    const post: ServiceCall = { method: 'POST', path: '/v1/ivr', body: {} };
    expect(await requests.callService('other', post)).toMatchObject({ value: { kind: 'lost' } });
    there.answer = { status: 200, body: `[${'"xxxxxxxx",'.repeat(1024 * 1024)}0]` };
    expect(await requests.callService('other', list)).toMatchObject({ value: { kind: 'lost' } });
  });

  it('does not follow to another address', async () => {
    const { there, requests } = await setUp();
    const elsewhere = await startAnsweringService({ status: 200, body: [] });
    there.answer = { status: 307, headers: { location: `${elsewhere.baseUrl}/v1/ivrs` } };
    expect(await requests.callService('other', list)).toMatchObject({
      value: { kind: 'answer', status: 307 },
    });
    expect(elsewhere.calls).toEqual([]);
  });

  it('is not made without a credential, and not without its current token', async () => {
    const { here, there, requests } = await setUp();
    const calls = there.calls.length;
    expect(await requests.callService('nobody', list)).toMatchObject({ refusal: { problem: 'not_found' } });
    await here.vault.write(currentEntry('other'), 'something else');
    expect(await requests.callService('other', list)).toMatchObject({ refusal: { problem: 'conflict' } });
    expect(there.calls).toHaveLength(calls);
  });
});
