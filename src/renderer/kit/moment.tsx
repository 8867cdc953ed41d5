import { aboutMoment, durationText, exactText, fullText, momentText } from '../../text/time.ts';
import { RichText } from './rich-text.tsx';
import { windowText } from '../../text/window/window.ts';
import { useMinute } from './use-minute.ts';

/**
 * An instant in the person's own time, to the minute, with its seconds on hover.
 *
 * Nothing relative ("2 minutes ago"): that would be wrong a minute later or need a timer in every row.
 */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullText(at)}>
      {momentText(at, new Date().getTime())}
    </time>
  );
}

/** The same with its day whatever the day is now: "Tue 24 Nov, 03:12". */
export function ExactMoment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullText(at)}>
      {exactText(at, new Date().getTime())}
    </time>
  );
}

/** When a token expires: "about" that, where nobody has said it. */
export function ExpiryMoment({
  one: { expires_at: at, expiry_assumed: assumed },
}: {
  one: { readonly expires_at: string; readonly expiry_assumed?: string | undefined };
}) {
  if (assumed === undefined) return <ExactMoment at={at} />;
  return <RichText text={aboutMoment} parts={{ at: <ExactMoment at={at} /> }} />;
}

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
