import { z } from 'zod';
import { limitParameter, HistoryPage, HistoryQuery } from '../service/portal.ts';
import {
  FamilyId,
  TokenConfiguration,
  TokenId,
  TokenStatus,
  tokenStatuses,
  TokenUse,
  TokenView,
  IssuedToken,
  IssueToken,
  StateChange,
} from './token.ts';
import { portalRoute, noBody, bodyProblems, historyProblems, portalProblems, type Route } from '../route.ts';

/** How a list of tokens can be ordered. */
export const tokenSorts = ['created', 'changed', 'expires', 'name', 'status', 'category'] as const;
export type TokenSort = (typeof tokenSorts)[number];

const anyStatus = tokenStatuses.join('|');
const isNewestOnly = z.enum(['true', 'false'], { error: 'must be true or false' });

/** Which tokens: every condition that is given holds for each of them. */
export const TokenConditions = z.strictObject({
  /** One status, or several with commas between them. */
  status: z
    .string()
    .regex(
      new RegExp(`^(?:${anyStatus})(?:,(?:${anyStatus}))*$`),
      `must be one or more of ${tokenStatuses.join(', ')}, with commas between them`,
    )
    .optional(),
  family_id: z.string().max(100).optional(),
  /** The whole category, as it is written. */
  category: z.string().max(50, 'must have 50 characters at most').optional(),
  /** Found in its name or that of its credential, the category, the id or the reason, in upper or lower case. */
  text: z.string().max(200, 'must have 200 characters at most').optional(),
  /** Only the newest generation of each family. */
  newest: isNewestOnly.optional(),
});
export type TokenConditions = z.infer<typeof TokenConditions>;

const offsetParameter = z.string().regex(/^\d{1,9}$/, 'must be a whole number, 0 or more');

/** Which tokens, in which order, and which page of them: it begins after a token, or so many into the list. */
export const TokenQuery = TokenConditions.extend({
  sort: z.enum(tokenSorts, { error: `must be one of ${tokenSorts.join(', ')}` }).optional(),
  /** Default: what was created or changed last comes first, everything else from the beginning. */
  order: z.enum(['asc', 'desc'], { error: 'must be asc or desc' }).optional(),
  /** The id after which the page begins. */
  after: z.string().max(100).optional(),
  offset: offsetParameter.optional(),
  limit: limitParameter.optional(),
}).refine(({ after, offset }) => after === undefined || offset === undefined, {
  path: ['offset'],
  error: 'must not be there together with after: a page has one beginning',
});
export type TokenQuery = z.infer<typeof TokenQuery>;

/** A token in a list. */
export const TokenRow = TokenView.extend({
  /** The name of the credential that rotates its family. */
  kept_fresh_by: z.string().nullable(),
});
export type TokenRow = z.infer<typeof TokenRow>;

export const TokenPage = z.object({
  tokens: z.array(TokenRow),
  next_after: z.string().nullable(),
  /** How many there are on all pages together. */
  total: z.int(),
});
export type TokenPage = z.infer<typeof TokenPage>;

/** As many categories as a person picks from. */
export const maxCategoriesListed = 200;

/**
 * How many tokens each choice would show.
 *
 * Each count takes every condition but its own: the statuses are counted whatever status is asked for, and likewise the
 * categories.
 */
export const TokenFacets = z.object({
  statuses: z.record(TokenStatus, z.int()),
  /** The most used first, and no more than `maxCategoriesListed`. */
  categories: z.array(z.object({ category: z.string(), tokens: z.int() })),
});
export type TokenFacets = z.infer<typeof TokenFacets>;

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
  /** Who still uses tokens of it that were replaced, the latest first. A caller that uses the current token is not in it. */
  reuses: z.array(TokenUse).default([]),
  /** The first of them. */
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
  /** The name of the credential that rotates it. */
  kept_fresh_by: z.string().nullable(),
});
export type TokenFamilyView = z.infer<typeof TokenFamilyView>;

/** Tokens and their families, for the owner. */
export const tokenRoutes = {
  issueToken: {
    ...portalRoute('POST', '/portal/tokens'),
    title: 'Issue a token',
    summary: 'Issue a token. Only this answer contains it.',
    body: IssueToken,
    reply: IssuedToken,
    problems: [...portalProblems, ...bodyProblems],
  },
  listTokens: {
    ...portalRoute('GET', '/portal/tokens'),
    title: 'List tokens',
    summary: 'A page of the tokens that meet every condition, in the order that is asked for.',
    query: TokenQuery,
    reply: TokenPage,
    problems: [...portalProblems, 'bad_request'],
  },
  tokenFacets: {
    ...portalRoute('GET', '/portal/tokens/facets'),
    title: 'Count tokens',
    summary: 'How many tokens each status and each category has, among those that meet the other conditions.',
    query: TokenConditions,
    reply: TokenFacets,
    problems: [...portalProblems, 'bad_request'],
  },
  readFamily: {
    ...portalRoute('GET', '/portal/families/:id'),
    title: 'Read a token with its rotations',
    summary:
      'A token with all its previous and later ones, by their common `family_id`, and what was recorded when it was issued.',
    reply: TokenFamilyView,
    problems: [...historyProblems, 'not_found'],
  },
  dismissReuse: {
    ...portalRoute('POST', '/portal/families/:id/dismiss-use'),
    title: 'Dismiss the use of replaced tokens',
    summary:
      'Dismiss the warning that replaced tokens are still used; a later use is reported again. Takes the id of a token, or the `family_id` that it shares with its previous and later ones.',
    body: noBody,
    reply: TokenFamilyView,
    problems: [...historyProblems, ...bodyProblems, 'not_found'],
  },
  readToken: {
    ...portalRoute('GET', '/portal/tokens/:id'),
    title: 'Read a token',
    summary: 'Read one token.',
    reply: TokenView,
    problems: [...portalProblems, 'not_found'],
  },
  tokenHistory: {
    ...portalRoute('GET', '/portal/tokens/:id/history'),
    title: 'History of a token',
    summary: 'What happened to one token, newest first.',
    query: HistoryQuery.pick({ before: true, limit: true }),
    reply: HistoryPage,
    problems: [...historyProblems, 'bad_request', 'not_found'],
  },
  suspendToken: {
    ...portalRoute('POST', '/portal/tokens/:id/suspend'),
    title: 'Suspend a token',
    summary: 'Active -> Suspended.',
    body: StateChange.optional(),
    reply: TokenView,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
  resumeToken: {
    ...portalRoute('POST', '/portal/tokens/:id/resume'),
    title: 'Resume a token',
    summary: 'Suspended -> Active.',
    body: StateChange.optional(),
    reply: TokenView,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
  blacklistToken: {
    ...portalRoute('POST', '/portal/tokens/:id/blacklist'),
    title: 'Blacklist a token',
    summary: 'Active or Suspended -> Blacklisted, permanently.',
    body: StateChange.optional(),
    reply: TokenView,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
} as const satisfies Record<string, Route>;
