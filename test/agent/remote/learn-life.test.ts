import { describe, expect, it } from 'vitest';
import { learnLife } from '../../../src/agent/rotate-credential.ts';
import { noon } from '../../fixtures/make-events.ts';
import { startAnsweringService } from './answering-service.ts';
import { dayMs, down, fingerprint, instant, jwt, parts, silent, value } from './brought-value.ts';

describe('a value that a rotation has given', () => {
  const given = (rotated = value, askedAtMs = noon) => ({
    idempotencyKey: 'key',
    rotated: { value: rotated, validityDays: 7 },
    askedAtMs,
  });

  it('lives as the service says', async () => {
    const { baseUrl } = await startAnsweringService({
      status: 200,
      body: { expires_at: instant(noon + 5 * dayMs) },
    });
    expect(await learnLife(parts(), baseUrl, given())).toEqual({
      fingerprint,
      life: { obtainedAtMs: noon, expiresAtMs: noon + 5 * dayMs },
      validityDays: 7,
    });
  });

  it.each([
    ['tells nothing', silent],
    ['cannot be reached', down],
    ['says no to it already', () => startAnsweringService({ status: 401 })],
  ])('lives from the moment of asking when the service %s', async (_what, start) => {
    const { baseUrl } = await start();
    const askedAtMs = noon - dayMs;
    expect((await learnLife(parts(), baseUrl, given(value, askedAtMs))).life).toEqual({
      obtainedAtMs: askedAtMs,
      expiresAtMs: askedAtMs + 7 * dayMs,
    });
    expect((await learnLife(parts(), baseUrl, given(jwt))).life.expiresAtMs).toBe(noon + 1.5 * dayMs);
  });

  it('is not believed to have ended already: that is a wrong clock', async () => {
    const { baseUrl } = await startAnsweringService({ status: 200, body: { expires_at: instant(noon) } });
    expect((await learnLife(parts(), baseUrl, given())).life.expiresAtMs).toBe(noon + 7 * dayMs);
  });
});
