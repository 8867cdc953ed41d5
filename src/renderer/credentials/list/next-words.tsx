import type { CredentialView } from '../../../contract/credential-view.ts';
import { Countdown } from '../../kit/countdown.tsx';
import { ExactMoment } from '../exact-moment.tsx';
import { waitsForPerson } from '../state-words.ts';

/** The countdown to what comes next, in a few words. */
export function NextCountdown({ one }: { one: CredentialView }) {
  if (one.rotation !== null && one.trouble === null) return <>under way</>;
  if (one.next_rotation_at === null) return <>{noneWords(one)}</>;
  return <Countdown to={one.next_rotation_at} past="due now" />;
}

/** What comes next, at its exact instant. */
export function NextExactly({ one }: { one: CredentialView }) {
  const { next_rotation_at: next, paused } = one;
  if (next === null) {
    if (one.trouble?.kind === 'suspended') return <>no rotation until the token is resumed</>;
    if (waitsForPerson(one) || one.can_rotate === false) return <>no rotation is planned</>;
    return <>no rotation until you resume it</>;
  }
  const what = one.trouble !== null ? 'next try' : paused !== null ? 'next, after the pause' : 'next';
  return (
    <>
      {what}: <ExactMoment at={next} />
    </>
  );
}

/** Why no rotation is planned. */
function noneWords(one: CredentialView): string {
  if (one.trouble?.kind === 'suspended') return 'suspended';
  if (waitsForPerson(one) || one.trouble !== null) return 'waits for you';
  return one.can_rotate === false ? 'not rotated' : 'paused';
}
