import { type Ref, useState } from 'react';

import { Button } from './button.tsx';
import { copySecret, type SecretFate } from './clipboard.ts';
import { desktop } from './desktop.ts';
import styles from './secret-value.module.css';

type CopyState = 'idle' | 'copied' | 'refused' | SecretFate;

/** A secret that is shown in full, once, with a button that copies it and words on how long it stays on the clipboard. */
export function SecretValue({
  value,
  what,
  copyRef,
  onCopied,
}: {
  value: string;
  /** Such as `the token`. */
  what: string;
  copyRef?: Ref<HTMLButtonElement>;
  /** By the button or by hand. */
  onCopied: () => void;
}) {
  const [state, setState] = useState<CopyState>('idle');

  async function copy(): Promise<void> {
    try {
      await copySecret(value, setState);
      setState('copied');
      onCopied();
    } catch {
      setState('refused'); // said below, with what to do instead
    }
  }

  return (
    <div className={styles['secret']}>
      <div className={styles['line']}>
        <code className={styles['value']} onCopy={onCopied}>
          {value}
        </code>
        <Button rank="main" ref={copyRef} onPress={() => void copy()}>
          Copy {what}
        </Button>
      </div>
      <p className={styles['fate']} data-state={state} aria-live="polite">
        {wordsFor(state, what)}
      </p>
    </div>
  );
}

function wordsFor(state: CopyState, what: string): string {
  switch (state) {
    case 'idle':
    case 'replaced':
      return '';
    case 'copied':
      return desktop?.copySecret === undefined
        ? 'Copied. While you stay on this page, it is cleared from the clipboard after 30 seconds.'
        : 'Copied. It is cleared from the clipboard after 30 seconds.';
    case 'cleared':
      return 'Cleared from the clipboard.';
    case 'left':
      return `You left this page, so it leaves the clipboard alone: ${what} may still be on it. Copy something else over it.`;
    case 'refused':
      return 'The clipboard refused it. Select the value and copy it by hand.';
  }
}
