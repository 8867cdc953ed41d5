import type { CredentialOutline } from '../../../src/contract/credential/credential-view.ts';
import { CredentialId } from '../../../src/contract/credential/credential.ts';

export const noonMs = Date.parse('2026-03-01T12:00:00.000Z');
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A credential as the port describes it: a week's token with two days and four hours left at noon, unless stated otherwise. */
export function makeOutline({
  leftMs = 2 * dayMs + 4 * hourMs,
  lifeMs = 7 * dayMs,
  ...differences
}: Partial<CredentialOutline> & { leftMs?: number; lifeMs?: number } = {}): CredentialOutline {
  return {
    id: CredentialId.parse('cred_1'),
    name: 'smartflo-prod',
    provider: { id: 'rotavox', inputs: {} },
    standby: null,
    takes_validity: true,
    held_since: null,
    retiring: [],
    service: 'remote',
    base_url: 'https://api.example.com',
    state: 'fine',
    message: null,
    generation: 3,
    obtained_at: iso(noonMs + leftMs - lifeMs),
    expires_at: iso(noonMs + leftMs),
    validity_days: 7,
    policy: { fraction: 2 / 3, preferred_hours: null },
    paused: null,
    can_rotate: true,
    next_rotation_at: iso(noonMs + hourMs),
    warning: null,
    last_rotated_at: null,
    rotation: null,
    trouble: null,
    targets: [],
    family_id: null,
    token_id: null,
    token_name: null,
    still_used: null,
    ...differences,
  };
}
