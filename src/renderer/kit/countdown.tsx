import { windowText } from '../../text/window/window.ts';
import { durationText, fullText } from '../../text/time.ts';
import { useMinute } from './use-minute.ts';

/**
 * How long it is until an instant, right to the minute.
 *
 * Not a live region: a screen reader hears it when it is read, not each minute.
 */
export function Countdown({ to, past = windowText.over }: { to: string; past?: string }) {
  const now = useMinute();
  const leftMs = new Date(to).getTime() - now;
  return (
    <time dateTime={to} title={fullText(to)}>
      {leftMs <= 0 ? past : durationText(leftMs)}
    </time>
  );
}
