import { type CredentialView, isDead, mayRotate } from '../../../contract/credential-view.ts';
import { ActionButton } from '../../kit/action-button.tsx';
import { AnswerLine } from '../answer-line.tsx';
import { useCopyToken } from '../use-copy-token.ts';
import { useRotation } from '../use-rotation.ts';
import styles from './credential-row.module.css';

/** What is asked for most, and what came of it. */
export function RowActions({ one, onPause }: { one: CredentialView; onPause: () => void }) {
  const { rotate, resume, isRotating, isResuming, refusal } = useRotation(one);
  const token = useCopyToken(one.name);
  const answer = refusal === undefined ? token.answer : { tone: 'bad' as const, words: refusal };

  return (
    <div className={styles['actions']}>
      <div className={styles['buttons']}>
        {!mayRotate(one) ? null : (
          <ActionButton about={one.name} isBusy={isRotating} onPress={rotate}>
            {isRotating ? 'Rotating …' : 'Rotate now'}
          </ActionButton>
        )}
        {isDead(one) ? null : (
          <ActionButton about={`of ${one.name}`} isBusy={token.isBusy} onPress={() => void token.copy()}>
            Copy token
          </ActionButton>
        )}
        {!mayRotate(one) ? null : one.paused === null ? (
          <ActionButton about={one.name} onPress={onPause}>
            Pause…
          </ActionButton>
        ) : (
          <ActionButton about={one.name} isBusy={isResuming} onPress={resume}>
            Resume
          </ActionButton>
        )}
      </div>
      <AnswerLine tone={answer?.tone ?? 'calm'} words={answer?.words ?? null} />
    </div>
  );
}
