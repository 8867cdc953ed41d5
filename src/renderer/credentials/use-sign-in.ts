import { useEffect, useRef, useState } from 'react';
import type { SignInView } from '../../contract/credential/sign-in.ts';
import { problemText } from '../../text/window/connection.ts';
import { signInText } from '../../text/credential/sign-in-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { setSearch, useSearch } from '../kit/navigation.ts';

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
      if (reply.kind === 'ok' && status === 'failed') return end(reply.value.message ?? signInText.failed);
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
