import type { ProblemCode } from '../../contract/problems.ts';
import type { TokenConfiguration } from '../../contract/token/token.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { invariant, unreachable } from '../unreachable.ts';
import { type AccessToken, statusAt, type Token, type TokenFamily } from './token-record.ts';

/** The API token that authenticates the call; `access` is set when the call came with an access token of it. */
export interface Bearer {
  readonly token: Token;
  readonly family: TokenFamily;
  readonly access: AccessToken | null;
}

export interface BearerRefusal {
  readonly problem: ProblemCode;
  /** The Superseded token, if one was used again. */
  readonly reusedToken?: Token;
}

export interface PresentedBearer {
  /** SHA-256 of the presented token, base64url. */
  readonly digest: string;
  /** Whether the IP restrictions allow the caller's address. */
  readonly mayUse: (configuration: TokenConfiguration) => boolean;
}

/**
 * Identifies the caller, or returns why the token is refused (spec section 7).
 *
 * The lookup is by digest: its timing reveals only something about a hash that the caller cannot control.
 */
export function admitBearer(
  state: State,
  presented: PresentedBearer,
  nowMs: number,
): Result<Bearer, BearerRefusal> {
  const access = state.accessTokens.get(presented.digest) ?? null;
  const token =
    access === null ? state.tokens.withDigest(presented.digest) : state.tokens.get(access.parentId);
  if (token === undefined) return refused({ problem: 'token_invalid' });
  const family = state.tokens.family(token.familyId);
  invariant(family !== undefined, `token ${token.id} has a family`);

  const status = statusAt(token, nowMs);
  if (status === 'Superseded') {
    return refused(
      access === null ? { problem: 'token_invalid', reusedToken: token } : { problem: 'token_invalid' },
    );
  }
  if (!presented.mayUse(family.configuration)) return refused({ problem: 'address_not_allowed' });
  switch (status) {
    case 'Expired':
      return refused({ problem: 'token_expired' });
    case 'Suspended':
      return refused({ problem: 'token_suspended' });
    case 'Blacklisted':
      return refused({ problem: 'token_blacklisted' });
    case 'Active':
      if (access !== null && nowMs >= access.expiresAtMs) return refused({ problem: 'token_expired' });
      return done({ token, family, access });
    default:
      return unreachable(status);
  }
}
