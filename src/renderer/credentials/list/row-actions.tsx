import type { CredentialView } from '../../../contract/credential-view.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton } from '../action-button.tsx';
import { AnswerLine } from '../answer-line.tsx';
import { isBusyWith, useAct } from '../use-act.ts';
import { useCopyToken } from '../use-copy-token.ts';
import { useKnownCredential } from '../use-known-credential.ts';
import styles from './credential-row.module.css';

/** What is asked for most, and what came of it. */
export function RowActions({ one, onPause }: { one: CredentialView; onPause: () => void }) {
  const act = useAct();
  const show = useKnownCredential();
  const token = useCopyToken(one.name);
  const params = { name: one.name };

  async function rotate(): Promise<void> {
    const asked = await act.run('rotate', () => askPortal('rotateCredential', { params }), 'it was rotated');
    if (asked !== null) show(asked.value);
  }
  async function resume(): Promise<void> {
    const asked = await act.run('resume', () => askPortal('resumeCredential', { params }), 'it was resumed');
    if (asked !== null) show(asked.value);
  }
  const refusal = act.state.kind === 'refused' ? { tone: 'bad' as const, words: act.state.reason } : null;
  const answer = refusal ?? token.answer;

  return (
    <div className={styles['actions']}>
      <div className={styles['buttons']}>
        <ActionButton
          about={one.name}
          isBusy={isBusyWith(act, 'rotate') || one.state === 'rotating'}
          onPress={() => void rotate()}
        >
          {isBusyWith(act, 'rotate') || one.state === 'rotating' ? 'Rotating …' : 'Rotate now'}
        </ActionButton>
        <ActionButton about={`of ${one.name}`} isBusy={token.isBusy} onPress={() => void token.copy()}>
          Copy token
        </ActionButton>
        {one.paused === null ? (
          <ActionButton about={one.name} onPress={onPause}>
            Pause…
          </ActionButton>
        ) : (
          <ActionButton about={one.name} isBusy={isBusyWith(act, 'resume')} onPress={() => void resume()}>
            Resume
          </ActionButton>
        )}
      </div>
      <AnswerLine tone={answer?.tone ?? 'calm'} words={answer?.words ?? null} />
    </div>
  );
}
