import { useState } from 'react';

import type { Verification } from '../../contract/portal.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { problemWords } from '../kit/problem-words.ts';

export type VerificationState =
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
