import { z } from 'zod';
import { longestValidityDays } from '../credential/provider.ts';
import { newName, wholeDays, wholeDaysError } from '../shapes.ts';

/** Spec section 3.1. Superseded, Expired and Blacklisted are final. */
export const tokenStatuses = ['Active', 'Superseded', 'Expired', 'Suspended', 'Blacklisted'] as const;
export const TokenStatus = z.enum(tokenStatuses);
export type TokenStatus = z.infer<typeof TokenStatus>;

export const scopes = ['ivr:read', 'ivr:write'] as const;
export const Scope = z.enum(scopes, { error: `must be one of ${scopes.join(', ')}` });
export type Scope = z.infer<typeof Scope>;

export const FamilyId = z.string().brand<'FamilyId'>();
export type FamilyId = z.infer<typeof FamilyId>;

/** `tok_<family>_<generation>`: the lineage can be read from the id. */
export const TokenId = z.string().brand<'TokenId'>();
export type TokenId = z.infer<typeof TokenId>;

const Instant = z.iso.datetime({ offset: true, error: 'must be an instant like 2026-12-31T23:59:59Z' });

const anyAddress = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()]);

/** An address or a CIDR range, IPv4 or IPv6. */
export const IpRestriction = z
  .string({ error: 'must be an address or a CIDR range, such as 10.0.0.0/8 or ::1' })
  .refine(
    (text) => anyAddress.safeParse(text).success,
    'must be an address or a CIDR range, such as 10.0.0.0/8 or ::1',
  );

/** The validity options that the spec names, in days. Any whole number from 1 to 90 is taken. */
export const namedValidities = [1, 7, 15, 30, 90] as const;
/** Of a token that is rotated automatically, where nobody says another. */
export const usualValidityDays = 7;
export const maxValidityDays = 90;

/**
 * Everything a token is set up with, and everything that a rotation hands on (spec section 2.1).
 *
 * A setting added here is inherited without another line of code: a family has one configuration, and a rotation adds a
 * generation to the family.
 */
export const TokenConfiguration = z.object({
  name: z
    .string({ error: 'must be a text of 1 to 100 characters' })
    .trim()
    .min(1, 'must have 1 to 100 characters')
    .max(100, 'must have 1 to 100 characters'),
  category: z
    .string({ error: 'must be a text of 1 to 50 characters' })
    .trim()
    .min(1, 'must have 1 to 50 characters')
    .max(50, 'must have 1 to 50 characters')
    .default('general'),
  validity_days: wholeDays(maxValidityDays),
  /** Empty: unrestricted. */
  scopes: z
    .array(Scope, { error: 'must be a list of scopes' })
    .max(100, 'must have 100 entries at most')
    .refine((list) => new Set(list).size === list.length, 'must not name a scope twice')
    .default([]),
  /** Empty: any address. */
  ip_restrictions: z
    .array(IpRestriction, { error: 'must be a list of addresses or CIDR ranges' })
    .max(100, 'must have 100 entries at most')
    .default([]),
});
export type TokenConfiguration = z.infer<typeof TokenConfiguration>;

/** What the owner says to issue a token. `expires_at` ends this one token sooner; its successor has full validity. */
export const IssueToken = TokenConfiguration.extend({
  name: newName(TokenConfiguration.shape.name),
  category: newName(TokenConfiguration.shape.category.unwrap()).default('general'),
  expires_at: Instant.optional(),
}).strict();
export type IssueToken = z.input<typeof IssueToken>;

/** A token as the owner sees it. The token itself is not stored. */
export const TokenView = TokenConfiguration.extend({
  id: TokenId,
  family_id: FamilyId,
  generation: z.int(),
  status: TokenStatus,
  created_at: z.string(),
  expires_at: z.string(),
  /** When a program first used it; Rotavox's own calls do not count. */
  first_used_at: z.string().nullable(),
  /** When Rotavox itself used it, while no other program has. */
  checked_at: z.string().nullable().default(null),
  /** When its status last changed; null where that was written down before it was kept. */
  changed_at: z.string().nullable().default(null),
  /** When it was superseded, blacklisted or expired. */
  ended_at: z.string().nullable(),
  /** Why it is in its current status, in the owner's words. */
  reason: z.string().nullable(),
  predecessor_id: TokenId.nullable(),
  successor_id: TokenId.nullable(),
});
export type TokenView = z.infer<typeof TokenView>;

/** The reply to issuing a token: the only time that it is shown. */
export const IssuedToken = TokenView.extend({ access_token: z.string(), token_type: z.literal('bearer') });
export type IssuedToken = z.infer<typeof IssuedToken>;

/** Why the owner suspends, resumes or blacklists a token; kept in its history. */
export const StateChange = z.strictObject({
  reason: newName(
    z.string({ error: 'must be a text' }).trim().max(500, 'must have 500 characters at most'),
  ).optional(),
});
export type StateChange = z.infer<typeof StateChange>;

/**
 * Beside the spec: a token that is rotated may say for how many days its successor shall be valid at most, in a header that other
 * services pass over. Never longer than the settings say.
 */
export const validityHeader = 'rotavox-validity-days';
export const ValidityHeader = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, wholeDaysError(longestValidityDays))
  .transform(Number)
  .pipe(wholeDays(longestValidityDays));

/** Spec section 2.2. */
export const RotateReply = z.object({
  success: z.literal(true),
  message: z.string(),
  access_token: z.string(),
  token_type: z.literal('bearer'),
  validity_days: z.int(),
});
export type RotateReply = z.infer<typeof RotateReply>;

/** Spec section 7, the Active row. */
export const rotatedMessage = 'Token refreshed successfully.';

export const RefreshReply = z.object({
  success: z.literal(true),
  access_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.int(),
});
export type RefreshReply = z.infer<typeof RefreshReply>;

/** What a bearer may learn of itself. */
export const TokenSelf = TokenConfiguration.extend({
  status: TokenStatus,
  created_at: z.string(),
  expires_at: z.string(),
});
export type TokenSelf = z.infer<typeof TokenSelf>;

/** As many callers as are remembered of one family. */
export const maxReusesKept = 20;

/** The uses of replaced tokens of a family by one caller. Calls within one minute count as one use. */
export const TokenUse = z.object({
  /** The token of the last use. */
  token_id: TokenId,
  /** What replaced it. */
  successor_id: TokenId.nullable(),
  address: z.string(),
  user_agent: z.string().nullable(),
  count: z.int(),
  first_at: z.string(),
  last_at: z.string(),
});
export type TokenUse = z.infer<typeof TokenUse>;
