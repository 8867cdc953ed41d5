import type { PauseSpan } from './tray-item.ts';

/** The hour of the next day, on the person's clock, at which a pause until tomorrow ends. */
const morningHour = 8;

/** When a pause that begins `now` ends (ISO), or null when it ends by the person's word. */
export function pauseUntil(span: PauseSpan, now: Date): string | null {
  switch (span) {
    case 'hour':
      return new Date(now.getTime() + 3_600_000).toISOString();
    case 'tomorrow':
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, morningHour).toISOString();
    case 'resumed':
      return null;
  }
}
