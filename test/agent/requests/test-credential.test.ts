import { describe, expect, it } from 'vitest';
import { ConnectionTest } from '../../../src/contract/credential/credential-checks.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { vaultProblems } from '../../fakes/memory-vault.ts';
import { noon } from '../../fixtures/make-events.ts';
import { setUpAgent, setUpLoneAgent } from '../agent-setup.ts';
import {
  attempt,
  blacklist,
  current,
  name,
  restart,
  type RotationSetup,
  setUpRotation,
} from '../rotation/rotation-setup.ts';
import { type CannedAnswer, startAnsweringService } from '../../providers/http/answering-service.ts';
import type { ServiceCall } from '../../../src/core/credential/credential-agent.ts';
import { currentEntry } from '../../../src/agent/vault/token-entries.ts';

/** Tests the current token; asserts what was recorded, usually nothing, and that no token is shown. */
async function test(
  { here, first }: Pick<RotationSetup, 'here' | 'first'>,
  { news = 0 }: { readonly news?: number } = {},
): Promise<ConnectionTest> {
  const before = here.store.health().last_seq + news;
  const asked = await here.agent.requests.testCredential(name);
  if (!asked.ok) throw new Error(asked.refusal.reason.code);
  expect(here.store.health().last_seq).toBe(before);
  expect(ConnectionTest.strict().parse(asked.value)).toEqual(asked.value);
  expect(JSON.stringify(asked.value)).not.toContain(first);
  return asked.value;
}

function callsOf({ proxy }: RotationSetup, path: string): number {
  return proxy.seen.filter((call) => call.path === path).length;
}

describe('testing a credential', () => {
  it('that works returns its name at the service and its expiry', async () => {
    const setup = await setUpRotation();
    const { proxy, there } = setup;
    expect(await test(setup)).toEqual({
      outcome: 'works',
      message: `The token works: ${proxy.baseUrl} knows the token as “app” (Active). It expires ${isoInstant(noon + 7 * dayMs)}.`,
      checked_at: isoInstant(noon),
      token: {
        name: 'app',
        status: 'Active',
        expires_at: isoInstant(noon + 7 * dayMs),
        validity_days: 7,
        created_at: isoInstant(noon),
      },
      rotation: { outcome: 'can_rotate', message: `${proxy.baseUrl} has a rotate endpoint.` },
      way: {
        proxy: null,
        source: null,
        issuer: null,
        asks_for_certificate: false,
        has_client_certificate: false,
      },
      took_ms: expect.any(Number) as number,
    });
    expect(there.events.map(({ kind }) => kind)).toEqual(['token.issued', 'token.first_used']);
  });

  it('says when the service reports another expiry than is recorded here', async () => {
    const here = await setUpLoneAgent();
    const quiet = await startAnsweringService({ status: 404 });
    await here.keep({ name: 'other', value: 'rvx_short', base_url: quiet.baseUrl, validity_days: 7 });
    quiet.answer = { status: 200, body: { expires_at: isoInstant(noon + dayMs) } };
    const asked = await here.agent.requests.testCredential('other');
    expect(asked).toMatchObject({
      value: {
        outcome: 'works',
        message:
          `The token works: ${quiet.baseUrl} knows the token. It expires ${isoInstant(noon + dayMs)}. Rotavox has recorded ` +
          `${isoInstant(noon + 7 * dayMs)} as its expiry. Rotate it to correct that.`,
        token: { name: null, status: null, validity_days: null },
      },
    });
  });

  it('that is refused says why', async () => {
    const setup = await setUpRotation();
    await blacklist(setup);
    const { proxy } = setup;
    expect(await test(setup, { news: 1 })).toMatchObject({
      outcome: 'refused',
      token: null,
      message:
        `${proxy.baseUrl} says: “The provided token is blacklisted and cannot be refreshed.” The current token no ` +
        'longer works.',
    });
  });

  it.each<[string, CannedAnswer, string, RegExp]>([
    [
      'suspended',
      { status: 403, body: { message: 'Suspended.' } },
      'refused',
      /says: “Suspended\.” Check at/,
    ],
    ['down', { status: 503 }, 'unreachable', /it answered 503\. This says nothing about the token/],
    [
      'without that call',
      { status: 404 },
      'unknown',
      /it has no such call \(404\)\. A rotation would show it/,
    ],
    [
      'a page',
      { status: 200, body: '<html>' },
      'unreachable',
      /web page came .* \(200\).* says nothing about/,
    ],
    ['a blocked page', { status: 403, body: '<html><title>No</title>' }, 'unreachable', /“No”.* a firewall/],
    ['empty', { status: 200 }, 'unknown', /its answer does not describe the token/],
    [
      'sending on',
      { status: 302, headers: { location: 'https://elsewhere.example/x?y=z' } },
      'unknown',
      /it redirects to https:\/\/elsewhere\.example, where the token was not sent/,
    ],
  ])('at a service that is %s says so', async (_what, answer, outcome, words) => {
    const here = await setUpLoneAgent();
    const service = await startAnsweringService({ status: 404 });
    await here.keep({ name, value: 'rvx_first', base_url: service.baseUrl, validity_days: 7 });
    service.answer = answer;
    const asked = await test({ here, first: 'rvx_first' });
    expect(asked).toMatchObject({ outcome, token: null });
    expect(asked.message).toMatch(words);
  });

  it('at a service that is gone says so', async () => {
    const setup = await setUpRotation();
    setup.there.service.app.server.closeAllConnections();
    await setup.there.service.app.close();
    expect(await test(setup)).toMatchObject({ outcome: 'unreachable' });
  });

  it('asks nothing while a rotation is open, and says why', async () => {
    const setup = await setUpRotation();
    const { proxy, there } = setup;
    proxy.faults.push('drop_reply');
    const failing = await attempt(setup);
    expect(failing).toMatchObject({ state: 'failing' });
    const asked = callsOf(setup, '/v1/auth/token');
    const busy = await test(setup);
    expect(busy).toMatchObject({ outcome: 'busy', token: null, took_ms: 0 });
    expect(busy.message).toBe(
      `The token was not tested: a rotation of “crm” is open since ${isoInstant(noon)}, and its service may have replaced ` +
        'the current token already. The test would count as a use of a replaced token. Last attempt: ' +
        `${failing.message} Rotavox will retry.`,
    );
    expect(callsOf(setup, '/v1/auth/token')).toBe(asked);
    // So that service raises no alarm, and gives the same answer to the same key.
    expect(there.events.filter(({ kind }) => kind === 'token.reused')).toEqual([]);
    expect(await attempt(setup)).toMatchObject({ state: 'fine', generation: 2 });
    expect(await test(setup)).toMatchObject({ outcome: 'works' });
  });

  it('asks while a rotation is open that cannot have replaced the token, until it is not known any more', async () => {
    const setup = await setUpRotation();
    setup.proxy.faults.push({ status: 307, headers: { location: 'https://elsewhere.example/x' } });
    expect(await attempt(setup)).toMatchObject({ state: 'failing', trouble: { kind: 'unsafe' } });
    expect(await test(setup)).toMatchObject({ outcome: 'works' });
    setup.proxy.faults.push('drop_reply');
    await attempt(setup);
    expect(await test(setup)).toMatchObject({ outcome: 'busy' });
    expect(await attempt(setup)).toMatchObject({ state: 'fine', generation: 2 });
    expect(setup.there.events.filter(({ kind }) => kind === 'token.reused')).toEqual([]);
  });

  it('asks nothing while a rotation is open of which another process made an attempt', async () => {
    const setup = await setUpRotation();
    setup.proxy.faults.push({ status: 307, headers: { location: 'https://elsewhere.example/x' } });
    await attempt(setup);
    const again = await restart(setup);
    expect(await test({ ...setup, here: { ...setup.here, agent: again } })).toMatchObject({
      outcome: 'busy',
    });
  });

  it('does not wait for an attempt that hangs: it reports at once that a rotation is open', async () => {
    const setup = await setUpRotation();
    const { here, proxy } = setup;
    const asked = Promise.withResolvers<undefined>();
    proxy.onAnswered = () => asked.resolve(undefined);
    proxy.faults.push('hang');
    const rotating = here.agent.requests.rotateNow(name);
    await asked.promise;
    const busy = await test(setup);
    expect(busy.outcome).toBe('busy');
    expect(busy.message).toMatch(/Wait until the rotation has ended and test again\.$/);
    await proxy.close();
    await rotating;
  });

  it('makes a rotation that becomes due meanwhile wait for the answer', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    const answered: string[] = [];
    await Promise.all([
      test(setup).then(({ outcome }) => answered.push(outcome)),
      here.agent.requests.rotateNow(name).then(() => answered.push('rotated')),
    ]);
    expect(answered).toEqual(['works', 'rotated']);
    expect(setup.there.events.map(({ kind }) => kind)).not.toContain('token.reused');
  });

  it('whose token is not in the vault, or is another one, asks nothing', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    const asked = callsOf(setup, '/v1/auth/token');
    await here.vault.write(current, 'rvx_another');
    const refused = {
      ok: false,
      refusal: {
        problem: 'conflict',
        reason: { code: 'no_current_token', name, has: 'another', isRotating: false },
      },
    };
    expect(await here.agent.requests.testCredential(name)).toEqual(refused);
    await here.vault.remove(current);
    expect(await here.agent.requests.testCredential(name)).toEqual(refused);
    here.vault.fail('locked');
    expect(await here.agent.requests.testCredential(name)).toMatchObject({
      refusal: { problem: 'vault_unavailable', reason: { code: 'vault', problem: vaultProblems.locked } },
    });
    expect(await here.agent.requests.testCredential('nobody')).toMatchObject({
      refusal: { problem: 'not_found' },
    });
    expect(callsOf(setup, '/v1/auth/token')).toBe(asked);
  });
});

describe('testing a token that is not stored', () => {
  it('asks the service that is named, or this program’s own, and keeps nothing', async () => {
    const here = await setUpAgent();
    const there = await setUpAgent({ time: here.time });
    const proxy = await startFaultyProxy(() => there.baseUrl);
    const [own, foreign] = [
      (await here.issue({ name: 'own' })).value,
      (await there.issue({ name: 'foreign' })).value,
    ];
    const { requests } = here.agent;
    expect(await requests.testConnection({ value: own, base_url: null })).toMatchObject({
      outcome: 'works',
      token: { name: 'own', status: 'Active' },
    });
    expect(await requests.testConnection({ value: foreign, base_url: proxy.baseUrl })).toMatchObject({
      outcome: 'works',
      token: { name: 'foreign' },
    });
    const refused = await requests.testConnection({ value: foreign, base_url: null });
    expect(refused).toMatchObject({ outcome: 'refused', token: null });
    expect(refused.message).toMatch(
      /^http.* says: “The provided token is invalid\.” Check whether the whole token was copied/,
    );
    expect(here.store.state.credentials.size).toBe(0);
    expect(here.events.map(({ kind }) => kind)).not.toContain('credential.added');
    expect(JSON.stringify(here.events)).not.toContain(foreign);
  });

  it('says that it is a credential already, with its name', async () => {
    const setup = await setUpRotation();
    const { here, first, proxy } = setup;
    const tested = await here.agent.requests.testConnection({ value: first, base_url: proxy.baseUrl });
    expect(tested.outcome).toBe('works');
    expect(tested.message).toContain('This token is already the credential “crm”');
  });

  it.each<[CannedAnswer, string, RegExp]>([
    [{ status: 404 }, 'unknown', /It can be added all the same if you say when it expires/],
    [{ status: 403, body: { message: 'No.' } }, 'refused', /Then test again\.$/],
    [{ status: 500 }, 'unreachable', /Check the address of the service/],
  ])('says what an answer means: %j', async (answer, outcome, words) => {
    const here = await setUpLoneAgent();
    const service = await startAnsweringService(answer);
    const tested = await here.agent.requests.testConnection({ value: 'rvx_x', base_url: service.baseUrl });
    expect(tested).toMatchObject({ outcome, token: null });
    expect(tested.message).toMatch(words);
  });
});

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
