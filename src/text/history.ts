/** The card with the newest events. */
export const historyCardText = {
  title: 'History',
  live: 'newest first, live',
  newestFirst: 'newest first',
  empty: 'No events yet. Everything that happens to tokens and phone menus is recorded here permanently.',
} as const;
