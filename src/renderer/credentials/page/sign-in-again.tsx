import type { CredentialView } from '../../../contract/credential/credential-view.ts';
import type { StartSignIn } from '../../../contract/credential/sign-in.ts';
import { maySignInWithCode } from '../../../providers/catalogue.ts';
import { signInText as text } from '../../../text/credential/sign-in-text.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton, Button } from '../../kit/button.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { SignInWaiting } from '../sign-in-waiting.tsx';
import { useSignIn } from '../use-sign-in.ts';

/** Starts a sign-in for a credential and waits for it. That it is done is told by the stream of changes. */
export function SignInAgain({
  one: { name, provider },
  rank,
}: {
  one: Pick<CredentialView, 'name' | 'provider'>;
  rank: 'main' | 'plain';
}) {
  const act = useAct();
  const { waiting, failure, begin, cancel } = useSignIn(() => undefined);

  async function start(method: StartSignIn['method']): Promise<void> {
    const started = await act.run(method, () => askPortal('startSignIn', { body: { name, method } }));
    if (started !== null) begin(started.value);
  }
  if (waiting !== null) {
    return (
      <Stack gap={3} align="start">
        <SignInWaiting signIn={waiting} />
        <Button onPress={cancel}>{text.cancel}</Button>
      </Stack>
    );
  }
  return (
    <Stack gap={2}>
      <Row gap={2} wraps>
        <ActionButton rank={rank} isBusy={isBusyWith(act, 'browser')} onPress={() => void start('browser')}>
          {isBusyWith(act, 'browser') ? text.starting : text.again}
        </ActionButton>
        {maySignInWithCode(provider) ? (
          <ActionButton isBusy={isBusyWith(act, 'device')} onPress={() => void start('device')}>
            {isBusyWith(act, 'device') ? text.starting : text.againWithCode}
          </ActionButton>
        ) : null}
      </Row>
      <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : failure} />
    </Stack>
  );
}
