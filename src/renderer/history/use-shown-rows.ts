import { useState } from 'react';

import type { MatchedRows } from './matched-rows.ts';

/** Why the rows are to stay as they are: the person reads further down, or is at a row with the keyboard. */
export type Hold = 'scrolled' | 'focused';

/**
 * The rows that the list shows: the newest that are known, but for as long as they are held.
 *
 * Held, nothing moves under the eyes, and `news` is how many have come meanwhile. Another search is shown at once.
 */
export function useShownRows(
  latest: MatchedRows | undefined,
  isEventOpen: boolean,
): {
  rows: MatchedRows | undefined;
  news: number;
  showNews: () => void;
  hold: (why: Hold, isSo: boolean) => void;
} {
  const [shown, setShown] = useState(latest);
  const [holds, setHolds] = useState<Readonly<Record<Hold, boolean>>>({ scrolled: false, focused: false });
  const isHeld = isEventOpen || holds.scrolled || holds.focused;
  const rows = isHeld && shown?.filters === latest?.filters ? shown : latest;
  if (rows !== shown) setShown(rows);
  return {
    rows,
    news: (latest?.count ?? 0) - (rows?.count ?? 0),
    showNews: () => setShown(latest),
    hold: (why, isSo) => setHolds((before) => (before[why] === isSo ? before : { ...before, [why]: isSo })),
  };
}
