import { useState } from 'react';

import { askPortal } from '../kit/ask-portal.ts';
import { clipboardMessage, copySecret, type ClipboardOutcome } from '../kit/clipboard.ts';
import { useAct } from '../kit/use-act.ts';

type CopyState = 'idle' | 'copied' | 'not-allowed' | ClipboardOutcome;

/** Copies the present value of a credential. It is asked for at that moment and stays nowhere but on the clipboard. */
export function useCopyToken(name: string): {
  readonly isBusy: boolean;
  readonly copy: () => Promise<void>;
  /** What became of it, or why it could not be. */
  readonly answer: { readonly tone: 'calm' | 'bad'; readonly words: string } | null;
} {
  const act = useAct();
  const [state, setState] = useState<CopyState>('idle');

  async function copy(): Promise<void> {
    setState('idle');
    const read = await act.run('copy', () => askPortal('readCredentialValue', { params: { name } }));
    if (read === null) return;
    try {
      await copySecret(read.value.value, setState);
      setState('copied');
    } catch {
      setState('not-allowed'); // said, with what to do instead
    }
  }
  const words = wordsFor(state);
  return {
    isBusy: act.state.kind === 'busy',
    copy,
    answer:
      act.state.kind === 'refused'
        ? { tone: 'bad', words: act.state.reason }
        : words === null
          ? null
          : { tone: state === 'not-allowed' ? 'bad' : 'calm', words },
  };
}

function wordsFor(state: CopyState): string | null {
  switch (state) {
    case 'idle':
      return null;
    case 'not-allowed':
      return 'The clipboard refused it. Allow this page to use the clipboard and copy again.';
    case 'copied':
    case 'cleared':
    case 'left':
    case 'replaced':
      return clipboardMessage(state, 'the token');
  }
}
