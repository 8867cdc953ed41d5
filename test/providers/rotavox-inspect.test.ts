import { describe, expect, it } from 'vitest';
import { RotavoxProvider } from '../../src/providers/rotavox/calls.ts';
import { problems } from '../../src/contract/problems.ts';
import { noon } from '../fixtures/make-events.ts';
import { makeCaller, startAnsweringService } from './http/answering-service.ts';
import { setUpAgent } from '../agent/agent-setup.ts';
import { describeProvider } from './provider-suite.ts';

const token = 'rvx_TheTokenThatAsks';
const dayMs = 86_400_000;
const instant = (ms: number) => new Date(ms).toISOString();
const self = { created_at: instant(noon - dayMs), expires_at: instant(noon + 6 * dayMs), validity_days: 7 };

async function ask({ baseUrl }: { baseUrl: string }, timeLimitMs = 20_000) {
  const provider = new RotavoxProvider(makeCaller(), () => noon);
  const { reply } = await provider.inspect({ baseUrl, inputs: {}, token, timeLimitMs });
  return reply;
}

describe('asking a service until when a token is good', () => {
  it('sends only the bearer, and accepts the answer', async () => {
    const asked: unknown[] = [];
    const service = await startAnsweringService((incoming, answer) => {
      const { authorization, 'idempotency-key': key } = incoming.headers;
      asked.push({ method: incoming.method, path: incoming.url, authorization, key });
      answer.end(JSON.stringify(self));
    });
    expect(await ask(service)).toEqual({
      kind: 'known',
      name: null,
      status: null,
      createdAtMs: noon - dayMs,
      expiresAtMs: noon + 6 * dayMs,
      validityDays: 7,
    });
    expect(asked).toEqual([
      { method: 'GET', path: '/v1/auth/token', authorization: `Bearer ${token}`, key: undefined },
    ]);
  });

  it('needs only the expiry, in any time zone', async () => {
    const service = await startAnsweringService({
      status: 200,
      body: { expires_at: '2026-01-12T14:00:00+02:00' },
    });
    expect(await ask(service)).toEqual({
      kind: 'known',
      name: null,
      status: null,
      createdAtMs: null,
      expiresAtMs: Date.parse('2026-01-12T12:00:00Z'),
      validityDays: null,
    });
  });

  it('takes what the service calls the token, as a text of another: bounded, on one line, without the token', async () => {
    const name = 'n'.repeat(300);
    const status = ` Active\n${token} \u202e`;
    const service = await startAnsweringService({ status: 200, body: { ...self, name, status } });
    expect(await ask(service)).toMatchObject({ name: `${'n'.repeat(200)}…`, status: 'Active ••••' });
    service.answer = { status: 200, body: { ...self, name: 7, status: null } };
    expect(await ask(service)).toMatchObject({ kind: 'known', name: null, status: null });
  });

  it.each([
    ['has no such call', { status: 404 }],
    ['takes no such method', { status: 405, body: { message: 'no' } }],
    ['answers with nothing', { status: 204 }],
    ['says no end', { status: 200, body: { created_at: self.created_at } }],
  ])('learns nothing from a service that %s', async (_what, answer) => {
    const service = await startAnsweringService(answer);
    const reason =
      answer.status === 200 ? { code: 'nothing_known' } : { code: 'no_such_call', status: answer.status };
    expect(await ask(service)).toEqual({ kind: 'not_told', reason });
  });

  it.each([
    ['never', { code: 'never_expires' }],
    ['9999-12-31T23:59:59Z', { code: 'never_expires' }],
    ['2026-02-30T12:00:00Z', { code: 'expiry_unreadable', said: '2026-02-30T12:00:00Z' }],
    ['2040-01-01T00:00:00Z', { code: 'expiry_too_far', said: '2040-01-01T00:00:00Z' }],
    [`in ${token} days`, { code: 'expiry_unreadable', said: 'in •••• days' }],
  ])('quotes an end that cannot be used: %s', async (end, reason) => {
    const service = await startAnsweringService({ status: 200, body: { ...self, expires_at: end } });
    expect(await ask(service)).toEqual({ kind: 'not_told', reason });
  });

  it.each([
    ['2026-01-16', '2026-01-15T10:00:00Z'],
    [Date.parse('2026-01-16T12:00:00Z') / 1000, '2026-01-16T12:00:00Z'],
    ['2026-01-16T12:00:00', '2026-01-15T22:00:00Z'],
  ])('reads %s as the earliest instant that it can mean', async (end, read) => {
    const service = await startAnsweringService({ status: 200, body: { ...self, expires_at: end } });
    expect(await ask(service)).toMatchObject({ kind: 'known', expiresAtMs: Date.parse(read) });
  });

  it('learns nothing from a redirect, and does not follow it', async () => {
    const elsewhere = await startAnsweringService({ status: 200, body: self });
    const location = `${elsewhere.baseUrl}/v1/auth/token`;
    const service = await startAnsweringService({ status: 307, headers: { location } });
    expect(await ask(service)).toEqual({
      kind: 'not_told',
      reason: { code: 'redirected', to: elsewhere.baseUrl },
    });
    expect(elsewhere.calls).toEqual([]);
  });

  it.each([
    [401, { message: `Who is ${token}?` }, 'Who is ••••?', 'invalid'],
    [403, { message: 'Not from here.' }, 'Not from here.', 'refused'],
    [403, { message: problems.token_suspended.message }, problems.token_suspended.message, 'suspended'],
    [403, { message: problems.token_blacklisted.message }, problems.token_blacklisted.message, 'blacklisted'],
    [401, undefined, '401', 'invalid'],
    [401, { message: problems.token_expired.message }, problems.token_expired.message, 'expired'],
  ])('treats a %i as a refusal, with its message and without the token', async (status, body, said, why) => {
    const service = await startAnsweringService({ status, body });
    expect(await ask(service)).toEqual({ kind: 'refused', why, said });
  });

  it.each([429, 500, 503])('treats a %i as a service that is not available now', async (status) => {
    const service = await startAnsweringService({ status, body: { message: 'busy' } });
    expect(await ask(service)).toEqual({
      kind: 'unreachable',
      failure: { code: 'answered', status },
    });
  });

  it('reports that no answer arrived in time', async () => {
    const service = await startAnsweringService(() => undefined);
    expect(await ask(service, 60)).toEqual({
      kind: 'unreachable',
      failure: { code: 'no_answer', limitMs: 60 },
    });
  });
});

describe('the clock of a service', () => {
  const hourMs = 3_600_000;

  it.each([
    ['an hour ahead', hourMs, hourMs],
    ['a day behind', -dayMs, -dayMs],
    ['four seconds ahead, which is the way of the answer', 4_000, 0],
    ['four seconds behind', -4_000, 0],
    ['right', 0, 0],
  ])('that is %s is put on ours', async (_what, aheadMs, takenOffMs) => {
    const date = new Date(noon + aheadMs).toUTCString();
    const service = await startAnsweringService({ status: 200, headers: { date }, body: self });
    expect(await ask(service)).toMatchObject({
      createdAtMs: noon - dayMs - takenOffMs,
      expiresAtMs: noon + 6 * dayMs - takenOffMs,
    });
  });

  it.each([[{}], [{ date: 'yesterday' }]])('is treated as correct when it says %j', async (headers) => {
    const service = await startAnsweringService({ status: 200, headers, body: self });
    expect(await ask(service)).toMatchObject({ expiresAtMs: noon + 6 * dayMs });
  });
});

describeProvider(
  'the provider of services like this one',
  async (time) => {
    const there = await setUpAgent({ time });
    const { value } = await there.issue();
    return {
      baseUrl: there.baseUrl,
      provider: { id: 'rotavox', inputs: {} },
      token: value,
      isAlive: async (token) => (await there.tryValue(token)) === 200,
      replaces: (path) => path === '/v1/auth/rotate',
    };
  },
  { afterLostReply: 'fine' },
);
