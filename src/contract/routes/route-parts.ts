import { z } from 'zod';

/* What several routes have in common. */

export const tokenProblems = [
  'token_invalid',
  'token_expired',
  'token_suspended',
  'token_blacklisted',
  'address_not_allowed',
  'too_many_failures',
] as const;
export const bodyProblems = [
  'bad_request',
  'malformed_json',
  'body_too_large',
  'not_json',
  'body_encoded',
] as const;
/** Where a body may be larger than usual (`limitBytes`). */
export const largeBodyProblems = [...bodyProblems, 'too_many_values'] as const;
export const portalProblems = ['not_signed_in'] as const;
/** Where events are read from disk. */
export const historyProblems = [...portalProblems, 'history_unreadable'] as const;
export const byId = z.object({ id: z.string() });
export const byName = z.object({ name: z.string() });
export const byTarget = byName.extend({ target_id: z.string() });
export const credentialProblems = [...portalProblems, ...bodyProblems, 'not_found'] as const;
/** Where a value is read or written: the vault may be locked. */
export const valueProblems = [...credentialProblems, 'vault_unavailable'] as const;
