import { windowText } from '../../text/window/window.ts';
import { type Ref, useState } from 'react';

import { Box } from './box.tsx';
import { Button } from './button.tsx';
import { clipboardMessage, copySecret, type ClipboardOutcome } from './clipboard.ts';
import { Row, Stack } from './layout.tsx';
import { Text } from './text.tsx';
import styles from './copy-button.module.css';

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
      <Box isSunken>
        <Row gap={3} wraps align="center">
          <code className={styles['secret']} onCopy={onCopied}>
            {value}
          </code>
          <Button rank={rank} ref={copyRef} onPress={() => void copy()}>
            {windowText.copy.what(what)}
          </Button>
        </Row>
      </Box>
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
