import { useRef, useState } from 'react';

import { type Change, problemText } from '../../text/window/connection.ts';
import type { PortalReply } from './read-portal.ts';

/** Where something that was asked for stands. */
export type ActState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy'; readonly what: string }
  | { readonly kind: 'refused'; readonly what: string; readonly reason: string };

export interface Act {
  readonly state: ActState;
  /** Why the last was refused. */
  readonly refusal: string | undefined;
  /**
   * Asks for something, one thing at a time: a second press while the first is under way is none.
   *
   * `change` is what it changes; leave it out for what only reads. Resolves to the answer, or to null when it was refused.
   */
  readonly run: <T>(
    what: string,
    ask: () => Promise<PortalReply<T>>,
    change?: Change,
  ) => Promise<{ readonly value: T } | null>;
  readonly clear: () => void;
}

/** Asks for changes and keeps why the last was refused, to be said where it was asked. */
export function useAct(): Act {
  const [state, setState] = useState<ActState>({ kind: 'idle' });
  const isBusy = useRef(false);

  async function run<T>(
    what: string,
    ask: () => Promise<PortalReply<T>>,
    change?: Change,
  ): Promise<{ readonly value: T } | null> {
    if (isBusy.current) return null;
    isBusy.current = true;
    setState({ kind: 'busy', what });
    try {
      const reply = await ask();
      if (reply.kind === 'ok') {
        setState({ kind: 'idle' });
        return { value: reply.value };
      }
      setState({ kind: 'refused', what, reason: problemText(reply, change) });
      return null;
    } finally {
      isBusy.current = false;
    }
  }
  const refusal = state.kind === 'refused' ? state.reason : undefined;
  return { state, refusal, run, clear: () => setState({ kind: 'idle' }) };
}

/** Whether that very thing is under way. */
export function isBusyWith({ state }: Act, what: string): boolean {
  return state.kind === 'busy' && state.what === what;
}
