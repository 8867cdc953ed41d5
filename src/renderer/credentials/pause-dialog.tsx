import { useRef, useState } from 'react';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { pauseText as text } from '../../text/credential/credential-list-text.ts';
import { type PauseSpan, pauseSpans, pauseUntil } from '../../text/time.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { ExactMoment, ExpiryMoment } from '../kit/moment.tsx';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import styles from './credentials.module.css';
import { useKnownCredential } from './read-credentials.ts';

/** Asks for how long the rotation of a credential is paused, and says what that means for its token. */
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
      'rotation_paused',
    );
    if (paused === null) return;
    show(paused.value);
    ref.current?.close();
  }

  return (
    <Dialog ref={ref} title={text.title(name)} mayClose={() => act.state.kind !== 'busy'} onClose={onClose}>
      <Stack gap={4}>
        <p>
          <RichText text={text.lead} parts={{ expires: <ExpiryMoment one={one} /> }} />
        </p>
        <Stack as="ul" gap={4} className={styles['spans']}>
          {pauseSpans.map((span) => {
            const until = pauseUntil(span, now);
            const expiresText = until === null ? text.expiresUnlessResumed : text.expiresBefore;
            return (
              <Row key={span} as="li" gap={4} wraps align="center">
                <ActionButton isBusy={isBusyWith(act, span)} onPress={() => void pause(span)}>
                  {text.spans[span]}
                </ActionButton>
                <Text tone="soft" size="medium">
                  {until === null ? text.unlimited : <ExactMoment at={until} />}{' '}
                  {outlastsToken(until, one.expires_at) ? expiresText : null}
                </Text>
              </Row>
            );
          })}
        </Stack>
        <DialogButtons>
          <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
          <Button onPress={() => ref.current?.close()}>{text.cancel}</Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  );
}

/** Whether a pause would still last when the token expires: then it is not rotated in time. */
export function outlastsToken(until: string | null, expiresAt: string): boolean {
  return until === null || Date.parse(until) >= Date.parse(expiresAt);
}
