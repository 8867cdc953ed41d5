import { useRef, useState } from 'react';
import type { CredentialView } from '../../contract/credential-view.ts';
import { type PauseSpan, pauseSpans, pauseUntil } from '../../text/time.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { ExactMoment } from '../kit/moment.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import styles from './pause-dialog.module.css';
import { useKnownCredential } from './read-credentials.ts';

/** Asks for how long no rotation of a credential is begun, and says what that means for its value. */
export function PauseDialog({ one, onClose }: { one: CredentialView; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const show = useKnownCredential();
  const [now] = useState(() => new Date());
  const { name } = one;

  async function pause(span: PauseSpan): Promise<void> {
    const until = pauseUntil(span, new Date());
    const body = until === null ? {} : { until };
    const paused = await act.run(
      span,
      () => askPortal('pauseCredential', { params: { name }, body }),
      'it is paused',
    );
    if (paused === null) return;
    show(paused.value);
    ref.current?.close();
  }

  return (
    <Dialog ref={ref} title={`Pause ${name}`} mayClose={() => act.state.kind !== 'busy'} onClose={onClose}>
      <div className={styles['pause']}>
        <p>
          No rotation is begun until the pause is over; one that was begun is finished. The value works until{' '}
          <ExactMoment at={one.expires_at} />, and no longer unless it is replaced before.
        </p>
        <ul className={styles['spans']}>
          {pauseSpans.map((span) => {
            const until = pauseUntil(span, now);
            return (
              <li key={span} className={styles['span']}>
                <ActionButton isBusy={isBusyWith(act, span)} onPress={() => void pause(span)}>
                  {pauseSpanWords[span]}
                </ActionButton>
                <p className={styles['end']}>
                  {until === null ? 'However long that is.' : <ExactMoment at={until} />}
                  {outlastsValue(until, one.expires_at)
                    ? until === null
                      ? ' Left paused, the value expires.'
                      : ' The value expires before that.'
                    : null}
                </p>
              </li>
            );
          })}
        </ul>
        <DialogButtons>
          <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
          <Button onPress={() => ref.current?.close()}>Cancel</Button>
        </DialogButtons>
      </div>
    </Dialog>
  );
}

const pauseSpanWords: Record<PauseSpan, string> = {
  hour: 'For 1 hour',
  tomorrow: 'Until tomorrow',
  resumed: 'Until I resume it',
};

/** Whether a pause would still last when the value expires: then nothing replaces it in time. */
export function outlastsValue(until: string | null, expiresAt: string): boolean {
  return until === null || Date.parse(until) >= Date.parse(expiresAt);
}
