import { z } from 'zod';
import { FamilyId, TokenConfiguration, TokenId, TokenView } from './token.ts';

/** As many generations as a page of one family shows: the newest. A token of one day has this many in half a year. */
export const maxGenerationsShown = 200;

/** What the journal recorded when the family began: a source that the present state has no part in. */
export const IssueRecord = z.object({
  seq: z.int(),
  at: z.string(),
  configuration: TokenConfiguration,
  expires_at: z.string(),
});
export type IssueRecord = z.infer<typeof IssueRecord>;

/** A token and everything rotated from it. */
export const TokenFamilyView = z.object({
  id: FamilyId,
  configuration: TokenConfiguration,
  issued: IssueRecord,
  /** How many generations there are. */
  generations: z.int(),
  /** Oldest to newest, and no more than `maxGenerationsShown`: then the newest ones. */
  tokens: z.array(TokenView),
  /** Who last used a token of it that had been replaced. */
  last_reuse: z
    .object({
      token_id: TokenId,
      at: z.string(),
      address: z.string(),
      user_agent: z.string().nullable(),
      /** What replaced it. */
      successor_id: TokenId.nullable(),
    })
    .nullable(),
  /** The name of the credential that keeps it fresh. */
  kept_fresh_by: z.string().nullable(),
});
export type TokenFamilyView = z.infer<typeof TokenFamilyView>;
