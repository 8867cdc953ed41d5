import { useEffect, useEffectEvent, useState } from 'react';
import { problemText } from '../../text/window/connection.ts';
import type { Verification } from '../../contract/service/portal.ts';
import { verificationText as text } from '../../text/window/history-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import { PathText } from '../kit/command-line.tsx';
import { Text } from '../kit/text.tsx';
import { RichText } from '../kit/rich-text.tsx';

/** That the journal is damaged, where, and what to do; or why it could not be checked. */
export function VerificationNotice({ state }: { state: VerificationState }) {
  if (state.kind === 'failed') {
    return (
      <Notice tone="warn" title={text.failed}>
        <p>{state.why}</p>
      </Notice>
    );
  }
  if (state.kind !== 'checked' || state.found.status !== 'damaged') return null;
  const { file, line, reason, verified_to: verifiedTo } = state.found;
  const parts = {
    file: (
      <code>
        <PathText path={file} />
      </code>
    ),
  };
  return (
    <Notice tone="bad" title={text.damaged}>
      <p>
        <RichText text={text.place(line, reason)} parts={parts} />
      </p>
      <p>{text.intact(verifiedTo)}</p>
      <p>{text.remedy(file)}</p>
    </Notice>
  );
}

/** That the journal is being checked, or up to which event it was verified. */
export function VerificationSentence({ state }: { state: VerificationState }) {
  return (
    <Text as="div" role="status" tone="soft" size="medium">
      {state.kind === 'checking' ? text.checkingAll : null}
      {state.kind === 'checked' && state.found.status === 'intact' ? (
        <>
          <Text as="span" tone="good">
            <Icon name="shield" />
          </Text>{' '}
          <span>
            <RichText
              text={text.verified(state.found.verified_to, state.found.segments, state.found.marked_from)}
              parts={{ at: <Moment at={state.at} /> }}
            />
          </span>
        </>
      ) : null}
    </Text>
  );
}

type VerificationState =
  | { readonly kind: 'not-asked' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'checked'; readonly found: Verification; readonly at: string }
  | { readonly kind: 'failed'; readonly why: string };

/** Has the whole journal checked when the person wants it. */
export function useVerification(): { state: VerificationState; verify: () => void } {
  const [state, setState] = useState<VerificationState>({ kind: 'not-asked' });

  async function verify(): Promise<void> {
    if (state.kind === 'checking') return;
    setState({ kind: 'checking' });
    const reply = await askPortal('verifyHistory');
    setState(
      reply.kind === 'ok'
        ? { kind: 'checked', found: reply.value, at: new Date().toISOString() }
        : { kind: 'failed', why: problemText(reply) },
    );
  }
  return { state, verify: () => void verify() };
}

/**
 * Verifies when the window's address asks for it (`?verify=1`), as the palette's command does.
 *
 * The request is for once, and so leaves the address first: neither a reload nor the way back repeats it.
 */
export function useVerifyOnRequest(verify: () => void): void {
  const isRequested = useSearch().get('verify') === '1';
  const grant = useEffectEvent(() => {
    setSearch({ verify: undefined });
    verify();
  });
  useEffect(() => {
    if (isRequested) grant();
  }, [isRequested]);
}
