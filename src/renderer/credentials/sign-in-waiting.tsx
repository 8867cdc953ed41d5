import { Box } from '../kit/box.tsx';
import type { SignInView, StartSignIn } from '../../contract/credential/sign-in.ts';
import { signInText as text } from '../../text/credential/sign-in-text.ts';
import { CopyButton } from '../kit/copy-button.tsx';
import { Countdown } from '../kit/moment.tsx';
import { desktop } from '../kit/desktop-bridge.ts';
import { Row, Stack } from '../kit/layout.tsx';
import linkStyles from '../kit/link.module.css';
import { RichText } from '../kit/rich-text.tsx';
import { Text } from '../kit/text.tsx';
import styles from './credentials.module.css';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../../text/window/connection.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { setSearch, useSearch } from '../kit/navigation.ts';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { maySignInWithCode } from '../../providers/catalogue.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { isBusyWith, useAct } from '../kit/use-act.ts';
import { troubleText } from '../../text/credential/credential-page.ts';

/** What a person does to sign in: the page to open, the code to enter there, and how long that counts. */
export function SignInWaiting({ signIn }: { signIn: SignInView }) {
  const { url, user_code: code, expires_at: until } = signIn;
  return (
    <Stack gap={4}>
      <Stack gap={2}>
        {code === null ? null : <Text>{text.openThenEnter}</Text>}
        <PortalLink address={url} shown={new URL(url).host} open={text.open} what={text.address} />
      </Stack>
      {code === null ? null : (
        <Box isSunken>
          <Row gap={4} wraps align="center">
            <code className={styles['value']}>{code}</code>
            <CopyButton text={code} what={text.code} />
          </Row>
        </Box>
      )}
      <Text tone="soft" isTabular>
        <span role="status">{code === null ? text.waiting : text.waitingForApproval}</span>{' '}
        <RichText
          text={code === null ? text.expires : text.codeExpires}
          parts={{ left: <Countdown to={until} past={text.noTime} /> }}
        />
      </Text>
    </Stack>
  );
}

/** How often it is asked whether the person is done. */
const pollMs = 1_000;
const parameter = 'sign-in';

/** A sign-in that a page waits for. */
export interface SigningIn {
  /** Null: none waits, or it is not read yet. */
  readonly waiting: SignInView | null;
  /** Why the last one failed. */
  readonly failure: string | undefined;
  readonly begin: (started: SignInView) => void;
  /** Stops waiting; the person need not be told why. */
  readonly cancel: () => void;
}

/** Waits for a sign-in. Its id is in the address of the page, so that a page that is loaded again finds it. */
export function useSignIn(onDone: (ended: SignInView) => void): SigningIn {
  const id = useSearch().get(parameter);
  const [known, setKnown] = useState<SignInView | null>(null);
  const [failure, setFailure] = useState<string>();
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });

  useEffect(() => {
    if (id === null) return;
    const left = new AbortController();
    const { signal } = left;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function end(reason?: string): void {
      setKnown(null);
      setFailure(reason);
      setSearch({ [parameter]: undefined });
    }
    async function read(signInId: string): Promise<void> {
      const reply = await askPortal('readSignIn', { params: { id: signInId }, signal });
      if (signal.aborted) return;
      if (reply.kind === 'refused' && reply.code === 'not_found') return end(problemText(reply));
      const status = reply.kind === 'ok' ? reply.value.status : 'waiting';
      if (reply.kind === 'ok' && status === 'done') {
        end();
        return done.current(reply.value);
      }
      if (reply.kind === 'ok' && status === 'failed') return end(reply.value.message ?? text.failed);
      if (reply.kind === 'ok') setKnown(reply.value);
      timer = setTimeout(poll, pollMs);
    }
    function poll(): void {
      read(id ?? '').catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    }
    poll();
    return () => {
      left.abort();
      clearTimeout(timer);
    };
  }, [id]);

  return {
    waiting: id !== null && known?.id === id ? known : null,
    failure,
    begin(started) {
      setFailure(undefined);
      setKnown(started);
      setSearch({ [parameter]: started.id });
    },
    cancel() {
      setKnown(null);
      setSearch({ [parameter]: undefined });
      if (id !== null) void askPortal('cancelSignIn', { params: { id } });
    },
  };
}

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

/** A page of another service. The app opens no page of another origin: there its address is copied. */
export function PortalLink({
  address,
  shown = address,
  open = troubleText.open,
  what = troubleText.address,
}: {
  address: string;
  /** What is read of a long address. */
  shown?: string;
  open?: (shown: string) => string;
  what?: string;
}) {
  return (
    <Row as="span" gap={2} wraps align="center">
      {desktop === undefined ? (
        <a className={linkStyles['link']} href={address} target="_blank" rel="noreferrer">
          {open(shown)}
        </a>
      ) : (
        <code>{shown}</code>
      )}
      <CopyButton text={address} what={what} />
    </Row>
  );
}
