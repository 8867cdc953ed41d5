import { useMinute } from './use-minute.ts';
import { exactInstant } from './moment.tsx';

/**
 * How long it is until an instant, in its two largest units ("2 d 4 h"), right to the minute.
 *
 * Not a live region: a screen reader hears it when it is read, not each minute.
 */
export function Countdown({ to, past = 'over' }: { to: string; past?: string }) {
  const now = useMinute();
  const leftMs = new Date(to).getTime() - now;
  return (
    <time dateTime={to} title={exactInstant(to)}>
      {leftMs <= 0 ? past : spanWords(leftMs)}
    </time>
  );
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A span of time in its two largest units. */
export function spanWords(ms: number): string {
  if (ms < minuteMs) return 'under 1 min';
  const days = Math.floor(ms / dayMs);
  const hours = Math.floor((ms % dayMs) / hourMs);
  const minutes = Math.floor((ms % hourMs) / minuteMs);
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return `${minutes} min`;
}
