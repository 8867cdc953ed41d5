import type { CredentialView } from '../../../contract/credential-view.ts';
import { Countdown } from '../../kit/countdown.tsx';
import { ExactMoment } from '../exact-moment.tsx';
import { waitsForPerson } from '../state-words.ts';
import styles from './rotation-headline.module.css';

/** What comes next: the countdown large, its exact instant below. */
export function RotationHeadline({ one }: { one: CredentialView }) {
  const { next_rotation_at: next, paused, rotation, trouble } = one;
  const pausedUntil = paused?.until ?? null;
  if (rotation !== null && trouble === null)
    return <Headline large="under way" small="The value is being replaced now." />;
  if (next === null) {
    if (waitsForPerson(one))
      return <Headline large="none planned" small="No attempt can help: it needs a new value first." />;
    if (trouble?.kind === 'suspended')
      return (
        <Headline large="none planned" small="The token is suspended. Rotation goes on when it is resumed." />
      );
    if (one.can_rotate === false)
      return (
        <Headline
          large={<Countdown to={one.expires_at} past="expired" />}
          small="Until it expires. Its service has no rotate endpoint: Rotavox reminds you and does not rotate it."
        />
      );
    return <Headline large="paused" small="No rotation is begun until you resume it." />;
  }
  const what = trouble === null ? 'Next rotation' : `Next try, after ${attemptWords(trouble.attempts)}`;
  return (
    <Headline
      large={<Countdown to={next} past="due now" />}
      small={
        <>
          {what}: <ExactMoment at={next} />
          {pausedUntil === null ? null : (
            <>
              . Paused until <ExactMoment at={pausedUntil} />
            </>
          )}
        </>
      }
    />
  );
}

function Headline({ large, small }: { large: React.ReactNode; small: React.ReactNode }) {
  return (
    <div>
      <p className={styles['large']}>{large}</p>
      <p className={styles['small']}>{small}</p>
    </div>
  );
}

function attemptWords(attempts: number): string {
  return attempts === 1 ? '1 failed attempt' : `${attempts} failed attempts`;
}
