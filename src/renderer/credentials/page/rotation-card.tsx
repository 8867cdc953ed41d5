import { useState } from 'react';

import { type CredentialView, mayRotate } from '../../../contract/credential-view.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { Card } from '../../kit/card.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { ExactMoment } from '../exact-moment.tsx';
import { LifeBar } from '../life-bar.tsx';
import { PauseDialog } from '../pause-dialog.tsx';
import { useRotationRun } from '../use-rotation-run.ts';
import { useRotation } from '../use-rotation.ts';
import { LiveSteps } from './live-steps.tsx';
import { PlannedRotations } from './planned-rotations.tsx';
import styles from './rotation-card.module.css';
import { RotationHeadline } from './rotation-headline.tsx';

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
          <div className={styles['buttons']}>
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
    <p className={styles['soft']}>
      A rotation was begun <ExactMoment at={rotation.begun_at} />
      {rotation.cause === 'owner' ? ', as you asked,' : ''} and is under way. Its further steps are shown
      here.
    </p>
  );
}
