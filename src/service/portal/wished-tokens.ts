import { z } from 'zod';
import type { TokenConditions, TokenQuery } from '../../contract/token-list.ts';
import { TokenStatus } from '../../contract/token.ts';
import type { PageWish } from '../../core/token/token-catalogue.ts';
import type { TokenFilter } from '../../core/token/token-filter.ts';

const defaultLimit = 100;

/** The conditions of a query, checked already, as core takes them. */
export function wishedFilter({ status, family_id, category, text, newest }: TokenConditions): TokenFilter {
  return {
    statuses: status === undefined ? null : z.array(TokenStatus).parse(status.split(',')),
    familyId: family_id ?? null,
    category: category ?? null,
    text: text ?? null,
    isNewestOnly: newest === 'true',
  };
}

/** The page that a query asks for, with what holds where it says nothing. */
export function wishedPage(query: TokenQuery): PageWish {
  const { sort = 'created', order, after, offset = '0', limit = String(defaultLimit) } = query;
  return {
    filter: wishedFilter(query),
    sort,
    isDescending: (order ?? (sort === 'created' || sort === 'changed' ? 'desc' : 'asc')) === 'desc',
    after: after ?? null,
    offset: Number(offset),
    limit: Number(limit),
  };
}
