import { Ivr } from '../../../src/contract/menu/ivr.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';

/** A stored menu with some fields of its own. */
export function menuWith(fields: Partial<Ivr> = {}): Ivr {
  return Ivr.parse({
    id: 'ivr_1',
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    ...ivrBody,
    timeout: 5,
    incorrect_count: 3,
    timeout_tries: 2,
    ...fields,
  });
}
