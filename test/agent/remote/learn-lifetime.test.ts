import { describe, expect, it } from 'vitest';
import { learnLifetime } from '../../../src/agent/rotate-credential.ts';
import { noon } from '../../fixtures/make-events.ts';
import { startAnsweringService } from './answering-service.ts';
import { at, dayMs, down, instant, jwt, parts, recognised, silent, value } from './entered-token.ts';

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
    expect(await learnLifetime(parts(), at(baseUrl), given())).toEqual({
      ...recognised,
      lifetime: { obtainedAtMs: noon, expiresAtMs: noon + 5 * dayMs },
      validityDays: 7,
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
    expect((await learnLifetime(parts(), at(baseUrl), given(value, askedAtMs))).lifetime).toEqual({
      obtainedAtMs: askedAtMs,
      expiresAtMs: askedAtMs + 7 * dayMs,
    });
    expect((await learnLifetime(parts(), at(baseUrl), given(jwt))).lifetime.expiresAtMs).toBe(
      noon + 1.5 * dayMs,
    );
  });

  it('is not believed to have ended already: that is a wrong clock', async () => {
    const { baseUrl } = await startAnsweringService({ status: 200, body: { expires_at: instant(noon) } });
    expect((await learnLifetime(parts(), at(baseUrl), given())).lifetime.expiresAtMs).toBe(noon + 7 * dayMs);
  });
});
