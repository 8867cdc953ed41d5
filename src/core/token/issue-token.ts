import type { FieldFinding, FieldProblem } from '../../contract/field-problem.ts';
import type { FamilyId, TokenConfiguration, TokenId } from '../../contract/token/token.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import { dayMs, tokenIdOf } from './token-record.ts';
import { isoInstant } from '../iso-instant.ts';

export interface IssueCommand {
  readonly familyId: FamilyId;
  /** Digest of the fresh value. */
  readonly digest: string;
  readonly configuration: TokenConfiguration;
  /** Ends this one token sooner than its validity would. */
  readonly expiresAtMs: number | null;
}

/** A first token of a new family, Active at once. */
export function issueToken(command: IssueCommand, nowMs: number): Decision<Result<TokenId, FieldProblem>> {
  const { configuration, familyId } = command;
  const latestMs = nowMs + configuration.validity_days * dayMs;
  const expiresAtMs = command.expiresAtMs ?? latestMs;
  if (expiresAtMs <= nowMs) return refusedExpiry({ code: 'not_in_the_future', params: null });
  if (expiresAtMs > latestMs) {
    return refusedExpiry({ code: 'after_validity', params: { latest: isoInstant(latestMs) } });
  }
  const tokenId = tokenIdOf(familyId, 1);
  return {
    events: [
      {
        kind: 'token.issued',
        subject: familyId,
        actor: { kind: 'owner' },
        data: {
          token_id: tokenId,
          family_id: familyId,
          configuration,
          expires_at: isoInstant(expiresAtMs),
        },
        sealed: { digest: command.digest },
      },
    ],
    value: done(tokenId),
  };
}

function refusedExpiry(finding: FieldFinding): Decision<Result<never, FieldProblem>> {
  return { events: [], value: refused({ ...finding, field: 'expires_at' }) };
}
