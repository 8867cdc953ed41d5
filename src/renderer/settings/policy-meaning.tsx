import type { RotationPolicy } from '../../contract/credential.ts';
import { dueAt } from '../../core/rotation/due-at.ts';
import { ownZone } from '../credentials/planned-life.ts';
import { spanWords } from '../kit/countdown.tsx';
import { Moment } from '../kit/moment.tsx';
import { useMinute } from '../kit/use-minute.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** The validity that most tokens have. */
const exampleDays = 7;

/** What a policy means for a token of a week: by the function that the loop itself uses. */
export function PolicyMeaning({ policy }: { policy: RotationPolicy }) {
  const nowMs = useMinute();
  const life = { obtainedAtMs: nowMs, expiresAtMs: nowMs + exampleDays * dayMs };
  // Two thirds are no whole number: without this 4 d 16 h would read as an hour less.
  const waitMs = Math.round((policy.fraction * exampleDays * dayMs) / minuteMs) * minuteMs;
  const dueMs = dueAt({ life, policy, seed: 'example' }, ownZone);
  return (
    <>
      A {exampleDays}-day token is replaced after {spanWords(waitMs)}, a little sooner or later so that not
      all fall due together. One issued now: on <Moment at={new Date(dueMs).toISOString()} />.
    </>
  );
}
