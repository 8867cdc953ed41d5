import { useEffect } from 'react';

import type { SignInView } from '../../contract/sign-in.ts';
import { signInText as text } from '../../text/sign-in.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { desktop } from '../kit/desktop.ts';
import { Row } from '../kit/layout.tsx';
import pageStyles from '../kit/page.module.css';
import { Text } from '../kit/text.tsx';

const pollMs = 1_000;

/** Leads to the page of a sign-in that waits for the person, and reports its end. */
export function SignInLink({ signIn, onEnd }: { signIn: SignInView; onEnd: (ended: SignInView) => void }) {
  const { id, url } = signIn;
  useEffect(() => {
    const timer = setInterval(() => {
      void askPortal('readSignIn', { params: { id } }).then((reply) => {
        if (reply.kind === 'ok' && reply.value.status !== 'waiting') onEnd(reply.value);
      });
    }, pollMs);
    return () => clearInterval(timer);
  }, [id, onEnd]);
  const { host } = new URL(url);
  return (
    <>
      <Row as="span" gap={2} wraps align="center">
        {desktop === undefined ? (
          <a className={pageStyles['link']} href={url} target="_blank" rel="noreferrer">
            {text.open(host)}
          </a>
        ) : (
          <code>{host}</code>
        )}
        <CopyButton text={url} what={text.address} />
      </Row>
      <Text tone="soft">{text.waiting}</Text>
    </>
  );
}
