import { aboutMoment, exactText, fullText, momentText } from '../../text/time.ts';
import { RichText } from './rich-text.tsx';

/**
 * An instant in the person's own time, with the exact one on hover.
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

/** An instant to the second with its day, in the person's own time: "Tue 24 Nov, 03:12:07". */
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
