import type { ReactNode } from 'react';

import type { TokenView } from '../../../contract/token.ts';
import { Moment } from '../../kit/moment.tsx';
import type { TokenMove } from './move-words.ts';

/** What follows from a move, for whoever uses the token and for what keeps it fresh, one sentence each. */
export function consequencesOf(
  move: TokenMove,
  { expires_at }: TokenView,
  keptFreshBy: string | null,
): ReactNode[] {
  const end = <Moment at={expires_at} />;
  const keeper = <strong>{keptFreshBy}</strong>;
  switch (move) {
    case 'suspend':
      return [
        'Every call with it is answered with 403 at once, and so are calls with its access tokens.',
        'It can be neither rotated nor refreshed until you resume it.',
        <>Its clock goes on: suspended or not, it ends {end}.</>,
        ...(keptFreshBy === null
          ? []
          : [<>The credential {keeper} neither rotates nor delivers it until it is resumed.</>]),
      ];
    case 'resume':
      return [
        'Calls with it work again at once.',
        <>
          It can be rotated and refreshed again. The time that it was suspended is not given back: it ends{' '}
          {end}.
        </>,
        ...(keptFreshBy === null ? [] : [<>The credential {keeper} rotates it again by itself.</>]),
      ];
    case 'blacklist':
      return [
        'It never works again: nobody can take this back.',
        'Every call with it is answered with 403 at once, and so are calls with its access tokens.',
        'It cannot be rotated, so its family ends here. Whoever uses it needs a token that is issued anew.',
        ...(keptFreshBy === null
          ? []
          : [
              <>
                The credential {keeper} loses its value with it, and waits until you give it another one on
                its page.
              </>,
            ]),
      ];
  }
}
