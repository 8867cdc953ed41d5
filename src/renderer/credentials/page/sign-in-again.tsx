import { useState } from 'react';

import type { SignInView } from '../../../contract/sign-in.ts';
import { signInText as text } from '../../../text/sign-in.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton } from '../../kit/button.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Stack } from '../../kit/layout.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';
import { SignInLink } from '../sign-in-link.tsx';

/** Starts a sign-in for a credential and leads to its page. That it is done is told by the stream of changes. */
export function SignInAgain({ name, rank }: { name: string; rank: 'main' | 'plain' }) {
  const act = useAct();
  const [signIn, setSignIn] = useState<SignInView | null>(null);

  async function start(): Promise<void> {
    const begin = () => askPortal('startSignIn', { body: { name, method: 'browser' } });
    const started = await act.run('sign-in', begin);
    if (started !== null) setSignIn(started.value);
  }

  const refusal = act.state.kind === 'refused' ? act.state.reason : (signIn?.message ?? undefined);
  return (
    <Stack gap={2}>
      {signIn?.status === 'waiting' ? (
        <SignInLink signIn={signIn} onEnd={setSignIn} />
      ) : (
        <ActionButton rank={rank} isBusy={isBusyWith(act, 'sign-in')} onPress={() => void start()}>
          {isBusyWith(act, 'sign-in') ? text.starting : text.again}
        </ActionButton>
      )}
      <FormRefusal reason={refusal} />
    </Stack>
  );
}
