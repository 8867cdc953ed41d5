import { Stack } from './layout.tsx';
import { windowText } from '../../text/window/window.ts';
import { type Ref, useState } from 'react';

import { Button } from './button.tsx';
import { clipboardMessage, copySecret, type ClipboardOutcome } from './clipboard.ts';
import { Text } from './text.tsx';
import styles from './secret-value.module.css';

type CopyState = 'idle' | 'copied' | 'refused' | ClipboardOutcome;

/** A secret that is shown in full, once, with a button that copies it and a note on how long it stays on the clipboard. */
export function SecretValue({
  value,
  what,
  rank = 'main',
  copyRef,
  onCopied,
}: {
  value: string;
  /** Such as `the token`. */
  what: string;
  /** `plain` where something else is suggested. */
  rank?: 'main' | 'plain';
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
    <Stack gap={2}>
      <div className={styles['line']}>
        <code className={styles['value']} onCopy={onCopied}>
          {value}
        </code>
        <Button rank={rank} ref={copyRef} onPress={() => void copy()}>
          {windowText.copy.what(what)}
        </Button>
      </div>
      <div className={styles['outcome']} aria-live="polite">
        <Text tone={state === 'refused' ? 'bad' : 'soft'} size="small">
          {messageOf(state, what)}
        </Text>
      </div>
    </Stack>
  );
}

function messageOf(state: CopyState, what: string): string | null {
  switch (state) {
    case 'idle':
      return null;
    case 'refused':
      return windowText.copy.secretFailed;
    case 'copied':
    case 'cleared':
    case 'left':
    case 'replaced':
      return clipboardMessage(state, what);
  }
}
