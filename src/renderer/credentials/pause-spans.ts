export const pauseSpans = ['hour', 'tomorrow', 'resumed'] as const;
export type PauseSpan = (typeof pauseSpans)[number];

export const pauseSpanWords: Record<PauseSpan, string> = {
  hour: 'For 1 hour',
  tomorrow: 'Until tomorrow',
  resumed: 'Until I resume it',
};

/** The hour of the next day, on the person's clock, at which a pause until tomorrow ends; the tray has the same. */
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

/** Whether a pause would still last when the value expires: then nothing replaces it in time. */
export function outlastsValue(until: string | null, expiresAt: string): boolean {
  return until === null || Date.parse(until) >= Date.parse(expiresAt);
}
