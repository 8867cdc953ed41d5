import type { Attempt } from '../../src/providers/provider-port.ts';

/** An attempt as the recipe makes it. */
export function attemptOf(one: Partial<Attempt> & Pick<Attempt, 'baseUrl' | 'token'>): Attempt {
  return {
    inputs: {},
    timeLimitMs: 20_000,
    idempotencyKey: 'key',
    upstreamId: null,
    label: 'rotavox-crm-key',
    wantedDays: 7,
    note: null,
    otherToken: null,
    remember: () => Promise.resolve(),
    tokenOf: () => Promise.resolve(null),
    ...one,
  };
}
