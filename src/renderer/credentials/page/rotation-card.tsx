import { useState } from 'react';
import { type CredentialView, mayRotate, waitsForPerson } from '../../../contract/credential-view.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { Countdown } from '../../kit/countdown.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { ExactMoment } from '../../kit/moment.tsx';
import { LifeBar } from '../life-bar.tsx';
import { PauseDialog } from '../pause-dialog.tsx';
import { useRotationRun } from '../rotation-run.ts';
import { useRotation } from '../use-rotation.ts';
import { LiveSteps } from './live-steps.tsx';
import styles from './credential-page.module.css';

/** When the value is replaced: the countdown, the exact instants, and a rotation while it happens. */
export function RotationCard({ one }: { one: CredentialView }) {
  const { rotate, resume, isResuming, refusal, ...rotation } = useRotation(one);
  const run = useRotationRun(one.id);
  const [isPausing, setPausing] = useState(false);
  const isRotating = rotation.isRotating || run?.state === 'running';

  return (
    <Card
      title="Rotation"
      aside={one.last_rotated_at === null ? 'not rotated yet' : <LastRotated at={one.last_rotated_at} />}
    >
      <div className={styles['rotation']}>
        <RotationHeadline one={one} />
        <div>
          <LifeBar one={one} />
          <div className={styles['ends']}>
            <p>
              since <ExactMoment at={one.obtained_at} />
            </p>
            <p>
              until <ExactMoment at={one.expires_at} />
            </p>
          </div>
        </div>
        {mayRotate(one) ? (
          <div className={styles['rotationButtons']}>
            <ActionButton rank="main" isBusy={isRotating} onPress={rotate}>
              {isRotating ? 'Rotating …' : 'Rotate now'}
            </ActionButton>
            {one.paused === null ? (
              <ActionButton onPress={() => setPausing(true)}>Pause…</ActionButton>
            ) : (
              <ActionButton isBusy={isResuming} onPress={resume}>
                Resume
              </ActionButton>
            )}
          </div>
        ) : null}
        <FormRefusal reason={refusal} />
        {run === null ? <UnderWay one={one} /> : null}
        <LiveSteps run={run} one={one} />
        <PlannedRotations one={one} />
      </div>
      {isPausing ? <PauseDialog one={one} onClose={() => setPausing(false)} /> : null}
    </Card>
  );
}

function LastRotated({ at }: { at: string }) {
  return (
    <>
      last rotated <ExactMoment at={at} />
    </>
  );
}

/** One that was begun before this window was opened: what of it was, nobody tells again. */
function UnderWay({ one: { rotation, trouble } }: { one: CredentialView }) {
  if (rotation === null || trouble !== null) return null;
  return (
    <p className={styles['rotationNote']}>
      A rotation was begun <ExactMoment at={rotation.begun_at} />
      {rotation.cause === 'owner' ? ', as you asked,' : ''} and is under way. Its further steps are shown
      here.
    </p>
  );
}

/** What comes next: the countdown large, its exact instant below. */
function RotationHeadline({ one }: { one: CredentialView }) {
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

/** Enough to see the rhythm. */
const shownAtOnce = 5;
/** The service plans no more than so many. */
const most = 200;

/** The dry run: the rotations of the next 90 days, if each succeeds at once. */
function PlannedRotations({ one: { planned } }: { one: CredentialView }) {
  const [isOpen, setOpen] = useState(false);
  if (planned.length === 0) return null;
  const shown = isOpen ? planned : planned.slice(0, shownAtOnce);
  return (
    <div className={styles['planned']}>
      <h3 className={styles['title']}>{titleOf(planned.length)}</h3>
      <ol className={styles['list']} aria-label="Planned rotations">
        {shown.map((at) => (
          <li key={at}>
            <ExactMoment at={at} />
          </li>
        ))}
      </ol>
      {planned.length > shownAtOnce ? (
        <div>
          <Button onPress={() => setOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `Show all ${planned.length}`}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function titleOf(count: number): string {
  if (count >= most) return `More than ${most} rotations in the next 90 days`;
  return count === 1 ? '1 rotation in the next 90 days' : `${count} rotations in the next 90 days`;
}
