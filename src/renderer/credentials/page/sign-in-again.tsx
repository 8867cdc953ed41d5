import { useEffect, useState } from 'react';

import type { SignInView } from '../../../contract/sign-in.ts';
import { signInText as text } from '../../../text/sign-in.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { desktop } from '../../kit/desktop.ts';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import pageStyles from '../../kit/page.module.css';
import { Text } from '../../kit/text.tsx';
import { isBusyWith, useAct } from '../../kit/use-act.ts';

const pollMs = 1_000;

/** Starts a sign-in for a credential and leads to its page. That it is done is told by the stream of changes. */
export function SignInAgain({ name, rank }: { name: string; rank: 'main' | 'plain' }) {
  const act = useAct();
  const [signIn, setSignIn] = useState<SignInView | null>(null);
  const id = signIn?.status === 'waiting' ? signIn.id : null;

  useEffect(() => {
    if (id === null) return undefined;
    const timer = setInterval(() => {
      void askPortal('readSignIn', { params: { id } }).then((reply) => {
        if (reply.kind === 'ok') setSignIn(reply.value);
      });
    }, pollMs);
    return () => clearInterval(timer);
  }, [id]);

  async function start(): Promise<void> {
    const begin = () => askPortal('startSignIn', { body: { name, method: 'browser' } });
    const started = await act.run('sign-in', begin);
    if (started !== null) setSignIn(started.value);
  }

  const refusal = act.state.kind === 'refused' ? act.state.reason : (signIn?.message ?? undefined);
  return (
    <Stack gap={2}>
      {signIn?.status === 'waiting' ? (
        <>
          <Row as="span" gap={2} wraps align="center">
            {desktop === undefined ? (
              <a className={pageStyles['link']} href={signIn.url} target="_blank" rel="noreferrer">
                {text.open(new URL(signIn.url).host)}
              </a>
            ) : (
              <code>{new URL(signIn.url).host}</code>
            )}
            <CopyButton text={signIn.url} what={text.address} />
          </Row>
          <Text tone="soft">{text.waiting}</Text>
        </>
      ) : (
        <ActionButton rank={rank} isBusy={isBusyWith(act, 'sign-in')} onPress={() => void start()}>
          {isBusyWith(act, 'sign-in') ? text.starting : text.again}
        </ActionButton>
      )}
      <FormRefusal reason={refusal} />
    </Stack>
  );
}
