import type { CredentialProblem } from '../../contract/credential/rotation-trouble.ts';
import { isTokenRefused, type TroubleKind } from '../../contract/credential/credential-view.ts';
import { isRefreshed } from '../../providers/catalogue.ts';
import type { State } from '../state.ts';
import { statusAt, type Token, changedAtMs } from '../token/token-record.ts';
import { unreachable } from '../unreachable.ts';
import type { Credential, PlannedCredential, Trouble, TroubleFacts } from './credential-state.ts';

/**
 * A credential with the state of its current token at an instant.
 *
 * The record alone is not enough: the state of a token of this service decides. It is derived each time and never
 * copied, so that it is right after a restart and after a resume. Code that plans, delivers, returns or shows a token
 * starts from this, not from the record.
 */
export interface DerivedCredential extends PlannedCredential {
  readonly trouble: DerivedTrouble | null;
  /** The token itself, if this service issued it. */
  readonly token: Token | null;
  /** Whether this service refuses to rotate it: no attempt can succeed until the token is changed or replaced. */
  readonly isRefusedHere: boolean;
  /** Why the token is known not to work; null if no reason is known. */
  readonly unusable: CredentialProblem | null;
}

/** A trouble that is recorded, or that follows from the state of the token. */
export interface DerivedTrouble extends TroubleFacts {
  readonly problem: CredentialProblem;
}

// see decisions/derive-the-state-of-a-credential-from-its-token.md
export function deriveCredential(state: State, credential: Credential, nowMs: number): DerivedCredential {
  const token = tokenOf(state, credential) ?? null;
  const trouble = token === null ? recorded(credential.trouble) : troubleWith(token, credential, nowMs);
  const unusable = whyUnusable({ ...credential, trouble }, token, nowMs);
  return { ...credential, token, isRefusedHere: isRefused(token, credential, nowMs), trouble, unusable };
}

/** With a rotation open, a Superseded token was replaced by that rotation: its key returns the new token. */
function isRefused(token: Token | null, { rotation }: Credential, nowMs: number): boolean {
  if (token === null) return false;
  const status = statusAt(token, nowMs);
  return status === 'Suspended' || status === 'Blacklisted' || (status === 'Superseded' && rotation === null);
}

/** The token of a credential, if this service issued it. */
export function tokenOf(
  state: State,
  { baseUrl, fingerprint }: Pick<Credential, 'baseUrl' | 'fingerprint'>,
): Token | undefined {
  return baseUrl === null ? state.tokens.withDigest(fingerprint) : undefined;
}

/**
 * Whether it has the newest token of the family, or is about to: its own open rotation has replaced the one that it
 * has.
 */
export function holdsNewest({ tokens }: State, token: Token, { rotation }: Credential): boolean {
  return rotation !== null || token.generation === tokens.generationsOf(token.familyId);
}

/** The trouble that follows from the recorded one and the state of the token. */
function troubleWith(token: Token, credential: Credential, nowMs: number): DerivedTrouble | null {
  const { trouble, rotation } = credential;
  const status = statusAt(token, nowMs);
  switch (status) {
    case 'Active':
    case 'Expired': // the next attempt finds it out, so that the history records it
      return trouble?.kind === 'suspended' ? null : recorded(trouble); // no longer true
    case 'Suspended':
      return refusal('suspended', { code: 'suspended' });
    case 'Blacklisted':
      return refusal('blacklisted', { code: 'blacklisted' });
    case 'Superseded':
      return rotation !== null
        ? recorded(trouble)
        : refusal('superseded', { code: 'superseded', tokenId: token.id });
    default:
      return unreachable(status);
  }

  function refusal(kind: TroubleKind, problem: CredentialProblem): DerivedTrouble {
    return {
      kind,
      problem,
      sinceMs: changedAtMs(token, nowMs) ?? nowMs,
      attempts: trouble?.attempts ?? 0,
      lastTryMs: trouble?.lastTryMs ?? null,
      nextTryMs: null,
    };
  }
}

function recorded(trouble: Trouble | null): DerivedTrouble | null {
  if (trouble === null) return null;
  const { message, ...facts } = trouble;
  return { ...facts, problem: { code: 'recorded', message } };
}

function whyUnusable(
  credential: Pick<DerivedCredential, 'trouble' | 'rotation' | 'lifetime' | 'canRotate' | 'provider'>,
  token: Token | null,
  nowMs: number,
): CredentialProblem | null {
  const { trouble, rotation, lifetime, provider } = credential;
  if (isRefreshed(provider)) {
    // A sign-in that has ended ends nothing that it has given before.
    if (nowMs < lifetime.expiresAtMs) return null;
    return { code: 'access_ended', after: trouble?.problem ?? null };
  }
  if (trouble !== null && isTokenRefused(trouble.kind)) return trouble.problem;
  if (nowMs >= lifetime.expiresAtMs) return expiredProblem(credential);
  if (rotation === null || token?.status !== 'Superseded') return null;
  return { code: 'not_stored', after: trouble?.problem ?? null };
}

export function expiredProblem(
  { canRotate }: Pick<Credential, 'canRotate'>,
  after: CredentialProblem | null = null,
): CredentialProblem {
  return { code: 'expired', canRotate: canRotate !== false, after };
}
