import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../src/agent/fingerprint.ts';
import { learnLife } from '../../../src/agent/learn-life.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeCaller, startAnsweringService } from './answering-service.ts';

const dayMs = 86_400_000;
const instant = (ms: number) => new Date(ms).toISOString();
const value = 'rvx_brought';
const fingerprint = fingerprintOf(value);
/** Ends a day and a half from now. */
const jwt = ['{}', JSON.stringify({ exp: (noon + 1.5 * dayMs) / 1000 }), 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

const parts = () => ({ caller: makeCaller(), clock: () => noon });
const silent = () => startAnsweringService({ status: 404 });
const down = () => startAnsweringService((incoming) => incoming.socket.destroy());

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
