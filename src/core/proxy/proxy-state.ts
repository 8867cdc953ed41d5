import type { CredentialId } from '../../contract/credential/credential.ts';
import type { AppLimits, AppTokenId, ProxyRuleId, RuleMethod } from '../../contract/credential/proxy.ts';
import { instantMs } from '../iso-instant.ts';

/** What may be sent through the proxy with the token of a credential. */
export interface ProxyRule {
  readonly id: ProxyRuleId;
  readonly credentialId: CredentialId;
  readonly method: RuleMethod;
  readonly path: string;
  /** Null: every app. */
  readonly app: string | null;
  readonly isPrivateAllowed: boolean;
  /** Whether the token is removed from the text of answers. */
  readonly isScrubbed: boolean;
  readonly createdAtMs: number;
}

/** The token with which one app uses one credential. Of the token itself only the digest is known. */
export interface AppToken {
  readonly id: AppTokenId;
  readonly credentialId: CredentialId;
  readonly app: string;
  /** SHA-256, base64url. */
  readonly digest: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly limits: AppLimits;
  /** As of the last minute that was recorded. */
  readonly use: AppTokenUse;
}

export interface AppTokenUse {
  readonly requests: number;
  readonly lastAtMs: number | null;
  /** Of the credential's token that was sent last; null: none was. */
  readonly lastGeneration: number | null;
}

export const neverUsed: AppTokenUse = { requests: 0, lastAtMs: null, lastGeneration: null };

export function addedUse(
  before: AppTokenUse,
  {
    count,
    last_at,
    generation,
  }: { readonly count: number; readonly last_at: string; readonly generation: number },
): AppTokenUse {
  const lastMs = instantMs(last_at);
  const isNewer = lastMs >= (before.lastAtMs ?? 0);
  return {
    requests: before.requests + count,
    lastAtMs: isNewer ? lastMs : before.lastAtMs,
    lastGeneration:
      generation > 0 && (isNewer || before.lastGeneration === null) ? generation : before.lastGeneration,
  };
}
