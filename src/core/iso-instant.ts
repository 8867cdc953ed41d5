const dayMs = 86_400_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
let knownDay = Number.NaN;
let knownDate = '';

/**
 * Milliseconds since the epoch as an ISO instant: what `Date.prototype.toISOString` gives, several times as fast.
 *
 * Every event has two and every row of the state file up to four; the date changes once a day.
 */
export function isoInstant(ms: number): string {
  const day = Math.floor(ms / dayMs);
  if (day !== knownDay) {
    knownDate = new Date(ms).toISOString().slice(0, -13);
    knownDay = day;
  }
  const inDay = ms - day * dayMs;
  const hours = Math.floor(inDay / 3_600_000);
  const minutes = Math.floor(inDay / 60_000) % 60;
  const seconds = Math.floor(inDay / 1000) % 60;
  const millis = inDay % 1000;
  const fraction = millis < 10 ? `00${millis}` : millis < 100 ? `0${millis}` : String(millis);
  return `${knownDate}${twoDigits[hours] ?? ''}:${twoDigits[minutes] ?? ''}:${twoDigits[seconds] ?? ''}.${fraction}Z`;
}
