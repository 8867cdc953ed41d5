import { useState } from 'react';
import { tokenCardText } from '../../text/credential/credential-page.ts';
import { clipboardMessage, copySecret, type ClipboardOutcome } from '../kit/clipboard.ts';
import { useAct } from '../kit/use-act.ts';
import { readTokenToCopy } from './read-credentials.ts';

type CopyState = 'idle' | 'copied' | 'not-allowed' | ClipboardOutcome;

/** Copies the current token of a credential. It is requested at that moment and stays nowhere but on the clipboard. */
export function useCopyToken(name: string): {
  readonly isBusy: boolean;
  readonly copy: () => Promise<void>;
  /** What became of it, or why it failed. */
  readonly answer: { readonly tone: 'calm' | 'bad'; readonly words: string } | null;
} {
  const act = useAct();
  const [state, setState] = useState<CopyState>('idle');

  async function copy(): Promise<void> {
    setState('idle');
    const read = await act.run('copy', () => readTokenToCopy(name));
    if (read === null) return;
    try {
      await copySecret(read.value.value, setState);
      setState('copied');
    } catch {
      setState('not-allowed'); // shown, with what to do instead
    }
  }
  return {
    isBusy: act.state.kind === 'busy',
    copy,
    answer: act.state.kind === 'refused' ? { tone: 'bad', words: act.state.reason } : answerOf(state),
  };
}

function answerOf(state: CopyState): ReturnType<typeof useCopyToken>['answer'] {
  if (state === 'idle') return null;
  if (state === 'not-allowed') return { tone: 'bad', words: tokenCardText.clipboardRefused };
  const words = clipboardMessage(state, tokenCardText.copied);
  return words === null ? null : { tone: 'calm', words };
}
