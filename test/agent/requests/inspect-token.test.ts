import { describe, expect, it } from 'vitest';
import { inspectToken } from '../../../src/agent/requests/inspect-token.ts';
import { noon } from '../../fixtures/make-events.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';
import {
  at,
  dayMs,
  down,
  endedJwt,
  instant,
  jwt,
  ports,
  recognised,
  silent,
  value,
} from './entered-token.ts';

describe('a token that a person enters', () => {
  it('has the lifetime that the service says, whatever the person says', async () => {
    const { baseUrl } = await startAnsweringService({
      status: 200,
      body: { created_at: instant(noon - dayMs), expires_at: instant(noon + 6 * dayMs), validity_days: 7 },
    });
    const brought = { value, expires_at: instant(noon + 80 * dayMs), validity_days: 80 };
    expect(await inspectToken(ports(), at(baseUrl), brought)).toEqual({
      ok: true,
      value: {
        ...recognised,
        lifetime: { obtainedAtMs: noon - dayMs, expiresAtMs: noon + 6 * dayMs },
        validityDays: 7,
        upstreamId: null,
      },
    });
  });

  it('was not obtained in the future, whatever the service says', async () => {
    const { baseUrl } = await startAnsweringService({
      status: 200,
      body: { created_at: instant(noon + dayMs), expires_at: instant(noon + 6 * dayMs) },
    });
    expect(await inspectToken(ports(), at(baseUrl), { value, validity_days: 5 })).toMatchObject({
      value: { lifetime: { obtainedAtMs: noon, expiresAtMs: noon + 6 * dayMs }, validityDays: 5 },
    });
  });

  it.each([
    ['tells nothing', silent],
    ['cannot be reached', down],
  ])('lives as is known otherwise when the service %s', async (_what, start) => {
    const { baseUrl } = await start();
    const lifetimeOf = async (brought: { value: string; validity_days?: number; expires_at?: string }) => {
      const inspected = await inspectToken(ports(), at(baseUrl), brought);
      if (!inspected.ok) throw new Error(inspected.refusal.reason.code);
      expect(inspected.value.lifetime.obtainedAtMs).toBe(noon);
      return (inspected.value.lifetime.expiresAtMs - noon) / dayMs;
    };
    expect(await lifetimeOf({ value: jwt })).toBe(1.5);
    expect(await lifetimeOf({ value, expires_at: instant(noon + 3 * dayMs) })).toBe(3);
    expect(await lifetimeOf({ value, validity_days: 15 })).toBe(15);
    expect(await lifetimeOf({ value, expires_at: instant(noon + 3 * dayMs), validity_days: 15 })).toBe(3);
    // The earlier expiry counts: with the other one the token would lapse.
    expect(await lifetimeOf({ value: jwt, expires_at: instant(noon + 3 * dayMs) })).toBe(1.5);
    expect(await lifetimeOf({ value: jwt, expires_at: instant(noon + dayMs) })).toBe(1);
    // A validity counts from an unknown issue date; the JWT states its expiry.
    expect(await lifetimeOf({ value: jwt, validity_days: 1 })).toBe(1.5);
  });

  it.each([
    ['the service says', { status: 200, body: { expires_at: instant(noon - 2 * dayMs) } }, value],
    ['it says itself', { status: 404 }, endedJwt],
  ])('is refused when it has ended, as %s', async (_what, answer, token) => {
    const { baseUrl } = await startAnsweringService(answer);
    expect(await inspectToken(ports(), at(baseUrl), { value: token, validity_days: 9 })).toMatchObject({
      refusal: { field: 'value', reason: { code: 'ended_before' } },
    });
  });

  it('is refused when its expiry is unknown', async () => {
    const { baseUrl } = await silent();
    expect(await inspectToken(ports(), at(baseUrl), { value })).toEqual({
      ok: false,
      refusal: {
        problem: 'bad_request',
        field: 'expires_at',
        reason: {
          code: 'expiry_unknown',
          service: baseUrl,
          failure: null,
          told: { code: 'no_such_call', status: 404 },
        },
      },
    });
  });

  it('is refused when its expiry is unknown and the service cannot be reached', async () => {
    const { baseUrl } = await down();
    const inspected = await inspectToken(ports(), at(baseUrl), { value });
    const failure = { code: 'connection_lost' };
    expect(inspected).toMatchObject({
      ok: false,
      refusal: {
        problem: 'other_service_failed',
        reason: { code: 'expiry_unknown', service: baseUrl, failure },
      },
    });
  });

  it('is refused when its end has passed', async () => {
    const { baseUrl } = await silent();
    for (const endMs of [noon, noon - dayMs]) {
      expect(await inspectToken(ports(), at(baseUrl), { value, expires_at: instant(endMs) })).toEqual({
        ok: false,
        refusal: { problem: 'bad_request', field: 'expires_at', reason: { code: 'not_in_future' } },
      });
    }
  });

  it('is refused when the service refuses it, with the message of the service and without the token', async () => {
    const { baseUrl } = await startAnsweringService({ status: 401, body: { message: `${value} is void` } });
    expect(await inspectToken(ports(), at(baseUrl), { value, validity_days: 7 })).toEqual({
      ok: false,
      refusal: {
        problem: 'bad_request',
        field: 'value',
        reason: { code: 'token_refused', service: baseUrl, said: '•••• is void' },
      },
    });
  });
});
