import type { CredentialView } from '../../contract/credential/credential-view.ts';
import type { RotationPolicy } from '../../contract/credential/credential.ts';
import { seedOf } from '../../core/credential/credential-state.ts';
import { dueAt, type ZoneOffset } from '../../core/rotation/due-at.ts';

/** The person's zone, as the browser knows it. */
export const ownZone: ZoneOffset = (atMs) => -new Date(atMs).getTimezoneOffset();

/**
 * When a credential's current token would be rotated under another policy (ISO), by the function that the loop uses.
 *
 * A pause puts it off to its end; null while it has none, or while the rotation waits for something else than time.
 */
export function dueUnder(
  policy: RotationPolicy,
  one: Pick<
    CredentialView,
    'id' | 'generation' | 'obtained_at' | 'expires_at' | 'paused' | 'trouble' | 'rotation'
  >,
  nowMs: number,
  zone: ZoneOffset = ownZone,
): string | null {
  if (one.trouble !== null || one.rotation !== null) return null;
  const pausedUntil = one.paused === null ? new Date(0).toISOString() : one.paused.until;
  if (pausedUntil === null) return null;
  const lifetime = { obtainedAtMs: Date.parse(one.obtained_at), expiresAtMs: Date.parse(one.expires_at) };
  const dueMs = dueAt({ lifetime, policy, seed: seedOf(one.id, one.generation) }, zone);
  return new Date(Math.max(dueMs, Date.parse(pausedUntil), nowMs)).toISOString();
}

/**
 * About when a token that is not added yet would be rotated (ISO), without the few percent by which rotations are spread;
 * null if that is over already.
 */
export function aboutWhen(
  { fraction }: Pick<RotationPolicy, 'fraction'>,
  token: { readonly created_at?: string | null | undefined; readonly expires_at: string },
  now: string,
): string | null {
  const nowMs = Date.parse(now);
  const fromMs = Math.min(Date.parse(token.created_at ?? now), nowMs);
  const dueMs = fromMs + (Date.parse(token.expires_at) - fromMs) * fraction;
  return dueMs <= nowMs ? null : new Date(dueMs).toISOString();
}
