import { useState } from 'react';

import type { RotationPolicy } from '../../../contract/credential.ts';
import type { CredentialView } from '../../../contract/credential-view.ts';
import { useMinute } from '../../kit/use-minute.ts';
import { ExactMoment } from '../exact-moment.tsx';
import { lifeMs, spanWords } from '../life-words.ts';
import { dueUnder } from '../planned-life.ts';

/** What a policy means for the value that is held: after how long, and at which instant exactly. */
export function PolicyMeaning({
  one,
  policy,
  isChanged,
}: {
  one: CredentialView;
  /** Null: it is not one yet. */
  policy: RotationPolicy | null;
  isChanged: boolean;
}) {
  const minute = useMinute();
  const [mountedAt] = useState(() => Date.now());
  if (policy === null) return null;
  const whole = lifeMs(one);
  const next =
    one.trouble !== null
      ? null
      : isChanged
        ? dueUnder(policy, one, Math.max(minute, mountedAt))
        : one.next_rotation_at;
  return (
    <>
      About {spanWords(whole * policy.fraction)} into a life of {spanWords(whole)}
      {next === null ? null : (
        <>
          ; {isChanged ? 'the next one would be ' : 'the next one is '}
          <ExactMoment at={next} />
        </>
      )}
      .
    </>
  );
}
