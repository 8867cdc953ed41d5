import { windowText } from '../../text/window/window.ts';
import { useEffect, useState } from 'react';

import { copyText } from './clipboard.ts';
import buttonStyles from './button.module.css';
import { Icon } from './icon.tsx';
import styles from './copy-button.module.css';

type CopyState = 'idle' | 'copied' | 'failed';

/** How long the button says what happened before it offers to copy again. */
const shownMs = 2000;

/**
 * Copies a text to the clipboard and says whether that worked.
 *
 * Not for secrets: `secret-value.tsx` is for those.
 */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [state, setState] = useState<CopyState>('idle');

  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), shownMs);
    return () => clearTimeout(timer);
  }, [state]);

  function copy(): void {
    copyText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  }

  return (
    <button
      type="button"
      className={[buttonStyles['button'], styles['button']].join(' ')}
      data-tone={state === 'idle' ? undefined : state === 'copied' ? 'good' : 'bad'}
      aria-label={windowText.copy.what(what)}
      title={windowText.copy.what(what)}
      onClick={copy}
    >
      <Icon name={state === 'copied' ? 'tick' : state === 'failed' ? 'cross' : 'copy'} />
      <span className={styles['label']} aria-live="polite">
        {windowText.copy[state]}
      </span>
    </button>
  );
}
