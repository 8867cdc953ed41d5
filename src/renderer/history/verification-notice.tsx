import { useEffect, useEffectEvent, useState } from 'react';
import type { Verification } from '../../contract/portal.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { Notice } from '../kit/notice.tsx';
import { PathText } from '../kit/command-line.tsx';
import { problemWords } from '../kit/problem-words.ts';
import styles from './verification-notice.module.css';

/** That the journal is not as it was written, where, and what to do; or why it could not be checked. */
export function VerificationNotice({ state }: { state: VerificationState }) {
  if (state.kind === 'failed') {
    return (
      <Notice tone="warn" title="The journal could not be checked.">
        <p>{state.why}</p>
      </Notice>
    );
  }
  if (state.kind !== 'checked' || state.found.status !== 'damaged') return null;
  return <Damage found={state.found} />;
}

function Damage({ found }: { found: Extract<Verification, { status: 'damaged' }> }) {
  const { file, line, reason, verified_to: verifiedTo } = found;
  return (
    <Notice tone="bad" title="The journal is damaged: it is not as it was written.">
      <p>
        <code>
          <PathText path={file} />
        </code>
        , line {line.toLocaleString()}: {reason}.
      </p>
      <p>
        {verifiedTo === 0
          ? 'No event before that is left to rely on.'
          : `Every event up to ${verifiedTo.toLocaleString()} is intact; what comes after it cannot be relied on.`}
      </p>
      <p>
        Stop Rotavox and put that file back from a backup of the data folder; a copy from any later day fits.
        It does not start again with a damaged file.
      </p>
    </Notice>
  );
}

/** That the journal is being checked, or how far it was found to be as it was written. */
export function VerificationSentence({ state }: { state: VerificationState }) {
  return (
    <div role="status" className={styles['status']}>
      {state.kind === 'checking' ? <p className={styles['sentence']}>Checking every event …</p> : null}
      {state.kind === 'checked' && state.found.status === 'intact' ? (
        <p className={styles['sentence']}>
          <span className={styles['shield']}>
            <Icon name="shield" />
          </span>
          <span>
            Every event up to {state.found.verified_to.toLocaleString()} verified, each hash and each link of
            the chain, in {fileWords(state.found.segments)}. Checked at <Moment at={state.at} />.
          </span>
        </p>
      ) : null}
    </div>
  );
}

function fileWords(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString()} files`;
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
        : { kind: 'failed', why: problemWords(reply) },
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
