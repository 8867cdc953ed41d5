import { useRef, useState } from 'react';

import type { TokenId, TokenView } from '../../../contract/token.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { problemWords } from '../../kit/problem-words.ts';
import { moveWords, type TokenMove } from './move-words.ts';

/** Asks for a move, one at a time: a second press while the first is under way is none. Keeps why it was refused. */
export function useMove() {
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly refusal: string | undefined }>({
    isBusy: false,
    refusal: undefined,
  });
  const isBusy = useRef(false);

  /** Answers the token as it is then, or null when it was refused. */
  async function run(move: TokenMove, id: TokenId, reason: string): Promise<TokenView | null> {
    if (isBusy.current) return null;
    isBusy.current = true;
    setState({ isBusy: true, refusal: undefined });
    const { call, wish } = moveWords[move];
    const reply = await askPortal(call, { params: { id }, body: reason === '' ? {} : { reason } });
    isBusy.current = false;
    const refusal = reply.kind === 'ok' ? undefined : problemWords(reply, wish);
    setState({ isBusy: false, refusal });
    return reply.kind === 'ok' ? reply.value : null;
  }
  return { ...state, run };
}
