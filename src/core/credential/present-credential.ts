import { isTokenRefused, type TroubleKind } from '../../contract/credential-view.ts';
import type { State } from '../state.ts';
import { statusAt, type Token, changedAtMs } from '../token/token.ts';
import { unreachable } from '../unreachable.ts';
import type { Credential, Trouble } from './credential.ts';
import { wayOut } from './way-out.ts';

/**
 * A credential with what is known of its current token at an instant.
 *
 * The record alone does not say it: of a token of this service the state of the token itself decides. It is derived at
 * every look and never copied, so that it is right after a restart and after a resume. Whatever plans, delivers, hands out
 * or shows a token starts from this, not from the record.
 */
export interface PresentCredential extends Credential {
  /** The token itself, where this service issued it. */
  readonly token: Token | null;
  /** Whether this service refuses to rotate it: no attempt can succeed until somebody changes the token or the value. */
  readonly isRefusedHere: boolean;
  /** Why the token is known not to work, and what to do; null while nothing is known against it. */
  readonly unusable: string | null;
}

// see decisions/derive-the-state-of-a-credential-from-its-token.md
export function presentCredential(state: State, credential: Credential, nowMs: number): PresentCredential {
  const token = tokenOf(state, credential) ?? null;
  const trouble = token === null ? credential.trouble : troubleWith(token, credential, nowMs);
  const unusable = whyUnusable({ ...credential, trouble }, token, nowMs);
  return { ...credential, token, isRefusedHere: isRefused(token, credential, nowMs), trouble, unusable };
}

/** With a rotation open, a Superseded token is one that this rotation replaced: its key brings the new token. */
function isRefused(token: Token | null, { rotation }: Credential, nowMs: number): boolean {
  if (token === null) return false;
  const status = statusAt(token, nowMs);
  return status === 'Suspended' || status === 'Blacklisted' || (status === 'Superseded' && rotation === null);
}

/** The token that a credential holds, where this service issued it. */
export function tokenOf(state: State, { baseUrl, fingerprint }: Credential): Token | undefined {
  return baseUrl === null ? state.tokens.withDigest(fingerprint) : undefined;
}

/** Whether it holds the newest token of the family, or is about to: its own open rotation has replaced the one that it has. */
export function holdsNewest({ tokens }: State, token: Token, { rotation }: Credential): boolean {
  return rotation !== null || token.generation === tokens.generationsOf(token.familyId);
}

/** What the state of the token makes of the trouble that is recorded. */
function troubleWith(token: Token, credential: Credential, nowMs: number): Trouble | null {
  const { trouble, rotation } = credential;
  const status = statusAt(token, nowMs);
  switch (status) {
    case 'Active':
    case 'Expired': // which an attempt is left to find out, so that its history says so
      return trouble?.kind === 'suspended' ? null : trouble; // that is over
    case 'Suspended':
      return refusal('suspended', suspendedMessage(token));
    case 'Blacklisted':
      return refusal('blacklisted', `The token is blacklisted. ${wayOut(credential)}`);
    case 'Superseded':
      return rotation !== null ? trouble : refusal('superseded', supersededMessage(token, credential));
    default:
      return unreachable(status);
  }

  function refusal(kind: TroubleKind, message: string): Trouble {
    return {
      kind,
      message,
      sinceMs: changedAtMs(token, nowMs) ?? nowMs,
      attempts: trouble?.attempts ?? 0,
      lastTryMs: trouble?.lastTryMs ?? null,
      nextTryMs: null,
    };
  }
}

function whyUnusable(credential: Credential, token: Token | null, nowMs: number): string | null {
  const { trouble, rotation, life } = credential;
  if (trouble !== null && isTokenRefused(trouble.kind)) return trouble.message;
  if (nowMs >= life.expiresAtMs) return expiredMessage(credential);
  if (rotation === null || token?.status !== 'Superseded') return null;
  const why = trouble === null ? '' : ` ${trouble.message}`;
  return `A rotation has replaced the token, and the new one is not stored yet.${why}`;
}

export function expiredMessage(credential: Credential): string {
  return credential.canRotate === false
    ? `It has expired. ${wayOut(credential)}`
    : `It expired while it could not be replaced. ${wayOut(credential)}`;
}

function suspendedMessage({ id }: Token): string {
  return (
    'The token is suspended; it is not rotated, and calls with it are refused. Resume it before it expires: ' +
    `\`rotavox token resume ${id}\`.`
  );
}

function supersededMessage({ id }: Token, credential: Credential): string {
  return (
    `Another program has rotated the token (${id}) and received the new one. Paste the new token: ` +
    `\`rotavox credential replace ${credential.name}\`. Or issue another one with the same settings: ` +
    `\`rotavox credential reissue ${credential.name}\`.`
  );
}
