import { describe, expect, it } from 'vitest';
import type { MintedToken } from '../../../src/providers/provider-port.ts';
import { learnLifetime } from '../../../src/agent/rotation/learn-lifetime.ts';
import { noon } from '../../fixtures/make-events.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';
import {
  at,
  dayMs,
  down,
  instant,
  jwt,
  ports,
  recognised,
  silent,
  value,
} from '../requests/entered-token.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import { setUpLoneAgent } from '../agent-setup.ts';

describe('a token that a rotation has given', () => {
  const given = (rotated = value, askedAtMs = noon) => ({
    idempotencyKey: 'key',
    minted: { token: rotated, validityDays: 7, expiresAtMs: null },
    askedAtMs,
  });

  it('has the lifetime that the service says', async () => {
    const { baseUrl } = await startAnsweringService({
      status: 200,
      body: { expires_at: instant(noon + 5 * dayMs) },
    });
    expect(await learnLifetime(ports(), at(baseUrl), given())).toEqual({
      ...recognised,
      lifetime: { obtainedAtMs: noon, expiresAtMs: noon + 5 * dayMs },
      validityDays: 7,
      expiryAssumed: null,
      upstreamId: null,
    });
  });

  it.each([
    ['tells nothing', silent],
    ['cannot be reached', down],
    ['says no to it already', () => startAnsweringService({ status: 401 })],
  ])('lives from the moment of asking when the service %s', async (_what, start) => {
    const { baseUrl } = await start();
    const askedAtMs = noon - dayMs;
    expect((await learnLifetime(ports(), at(baseUrl), given(value, askedAtMs))).lifetime).toEqual({
      obtainedAtMs: askedAtMs,
      expiresAtMs: askedAtMs + 7 * dayMs,
    });
    expect((await learnLifetime(ports(), at(baseUrl), given(jwt))).lifetime.expiresAtMs).toBe(
      noon + 1.5 * dayMs,
    );
  });

  it('is not believed to have ended already: that is a wrong clock', async () => {
    const { baseUrl } = await startAnsweringService({ status: 200, body: { expires_at: instant(noon) } });
    expect((await learnLifetime(ports(), at(baseUrl), given())).lifetime.expiresAtMs).toBe(noon + 7 * dayMs);
  });
});

describe('the expiry of a token that a rotation has given', () => {
  const learn = async (baseUrl: string, minted: Partial<MintedToken>) => {
    const whole = { token: value, validityDays: 7, expiresAtMs: null, ...minted };
    const { expiryAssumed } = await learnLifetime(ports(), at(baseUrl), { minted: whole, askedAtMs: noon });
    return expiryAssumed;
  };

  it('is assumed where nobody says it, and said where its service, the reply or the token does', async () => {
    const { baseUrl } = await silent();
    const assumed = { expiryAssumed: 'not_said' } as const;
    expect(await learn(baseUrl, assumed)).toBe('not_said');
    expect(await learn(baseUrl, { validityDays: null })).toBe('not_said');
    expect(await learn(baseUrl, { expiryAssumed: 'never' })).toBe('never');
    expect(await learn(baseUrl, {})).toBeNull();
    expect(await learn(baseUrl, { validityDays: null, expiresAtMs: noon + dayMs })).toBeNull();
    expect(await learn(baseUrl, { ...assumed, token: jwt })).toBeNull();
    const telling = await startAnsweringService({
      status: 200,
      body: { expires_at: instant(noon + 5 * dayMs) },
    });
    expect(await learn(telling.baseUrl, assumed)).toBeNull();
  });

  it('is assumed where its service says that it never expires, or what cannot be right', async () => {
    const endless = await startAnsweringService({ status: 200, body: { expires_at: '9999-12-31' } });
    expect(await learn(endless.baseUrl, { expiryAssumed: 'not_said' })).toBe('never');
    const wrong = await startAnsweringService({ status: 200, body: { expires_at: instant(noon) } });
    expect(await learn(wrong.baseUrl, { expiryAssumed: 'not_usable' })).toBe('not_usable');
  });
});

const name = 'gitlab';

/** GitLab without a limit for tokens: they never expire. */
async function setUp(expiresAt: string | null) {
  const here = await setUpLoneAgent();
  const service = await startAnsweringService((incoming, outgoing) => {
    const known = { id: 7, name: 'deploy', active: true, created_at: null, scopes: ['api'] };
    const body = { ...known, expires_at: expiresAt };
    const token = incoming.method === 'POST' ? { token: 'glpat-second0123456789' } : {};
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(JSON.stringify({ ...body, ...token }));
  });
  const provider = { id: 'gitlab', inputs: { kind: 'personal' } };
  const value = 'glpat-first01234567890';
  await here.keep({ name, value, base_url: service.baseUrl, provider, validity_days: 30 });
  return here;
}

describe('the expiry of a token whose service says none', () => {
  it('is what a person said, and after a rotation what is assumed, which the history and the state say', async () => {
    const here = await setUp(null);
    expect(here.view(name).expiry_assumed).toBeUndefined();
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({
      generation: 2,
      expires_at: new Date(noon + 30 * dayMs).toISOString(),
      expiry_assumed: 'never',
    });
    expect(here.events.find(({ kind }) => kind === 'credential.rotated')).toMatchObject({
      data: { expiry_assumed: 'never' },
    });
  });

  it('is still known to be assumed when a rotation that was stopped is finished', async () => {
    const here = await setUp(null);
    here.vault.onCall = ({ kind, entry }) => {
      if (kind === 'write' && entry.account === name) here.vault.fail('locked');
    };
    await here.agent.requests.rotateNow(name);
    await here.agent.close();
    here.vault.heal();
    here.vault.onCall = () => undefined;
    const { store: ledger, vault, time, baseUrl } = here;
    const next = makeAgent({ ledger, vault, clock: time.clock, timer: time, embeddedUrl: () => baseUrl });
    await next.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ generation: 2, expiry_assumed: 'never' });
  });

  it('is said, where the service says it', async () => {
    const here = await setUp('2026-02-09');
    await here.agent.requests.rotateNow(name);
    expect(here.view(name)).toMatchObject({ generation: 2 });
    expect(here.view(name).expiry_assumed).toBeUndefined();
  });
});
