import { z } from 'zod';
import { CredentialState, TroubleKind } from '../credential/credential-view.ts';
import { FamilyId, TokenStatus } from '../token/token.ts';

/** How a token stopped working; `present`: it has not. */
export const LifeEnd = z.enum([
  'present',
  /** A rotation replaced it. */
  'superseded',
  'expired',
  'blacklisted',
  /** A person entered another token. */
  'replaced',
]);
export type LifeEnd = z.infer<typeof LifeEnd>;

/** Whole seconds since the epoch. A row may have hundreds of instants, and ISO text would be three times as long. */
const Seconds = z.int();

/** From when, until when (of a present one: when it expires), and how it ended. */
export const LifelineGeneration = z.tuple([Seconds, Seconds, LifeEnd]);
export type LifelineGeneration = z.infer<typeof LifelineGeneration>;

const rowParts = {
  id: z.string(),
  name: z.string(),
  needs_attention: z.boolean(),
  /** Of the newest token. */
  expires_at: z.string(),
  /** The number of the oldest generation that is listed; the others follow without a gap. */
  first_generation: z.int(),
  /** Those that overlap the last 90 days, oldest first, 200 at most. */
  generations: z.array(LifelineGeneration),
};

const CredentialRow = z.object({
  kind: z.literal('credential'),
  ...rowParts,
  /** The token's own name; null where another service issued it. */
  token_name: z.string().nullable().default(null),
  /** The id of its provider. Default: `rotavox`. */
  provider: z.string().optional(),
  /** A rotation is a renewal: the same token expires later. */
  is_renewed: z.literal(true).optional(),
  service: z.enum(['embedded', 'remote']),
  /** Where its service is: scheme, host and port. */
  origin: z.string(),
  /** Nobody has said when the newest token expires. */
  expiry_assumed: z.literal(true).optional(),
  state: CredentialState,
  /** Why it is in that state, where something is the matter. */
  trouble: TroubleKind.nullable().default(null),
  paused: z.object({ until: z.string().nullable() }).nullable(),
  /** The exact instant of the next attempt; null while it is paused without an end or waits for a person. */
  next_rotation_at: z.string().nullable(),
  /** The dry run of the next 90 days, by the function that the loop uses; it begins with the next attempt. */
  planned: z.array(Seconds),
});

/** A family of the embedded service that no credential rotates. */
const FamilyRow = z.object({
  kind: z.literal('family'),
  ...rowParts,
  id: FamilyId,
  status: TokenStatus,
});

/** One row of the lifeline: everything that is known about one credential or family over time. */
export const LifelineRow = z.discriminatedUnion('kind', [CredentialRow, FamilyRow]);
export type LifelineRow = z.infer<typeof LifelineRow>;
export type LifelineRowOf<K extends LifelineRow['kind']> = Extract<LifelineRow, { kind: K }>;

/** First what needs attention, then what expires sooner. */
export const Lifeline = z.object({
  now: z.string(),
  rows: z.array(LifelineRow),
  /** How many rows more there would be. */
  left_out: z.int(),
});
export type Lifeline = z.infer<typeof Lifeline>;

/** How far the lifeline looks back and ahead, in days. Apart from its schema, so that a window can know it without. */
export const lifelineDays = 90;
