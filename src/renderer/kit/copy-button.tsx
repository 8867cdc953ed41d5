import { windowText } from '../../text/window/window.ts';
import { useEffect, useState } from 'react';

import { copyText } from './clipboard.ts';
import buttonStyles from './button.module.css';
import { Icon } from './icon.tsx';
import styles from './copy-button.module.css';

type CopyState = 'idle' | 'copied' | 'failed';

const looks = {
  idle: { tone: undefined, icon: 'copy' },
  copied: { tone: 'good', icon: 'tick' },
  failed: { tone: 'bad', icon: 'cross' },
} as const satisfies Readonly<Record<CopyState, unknown>>;

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
      data-tone={looks[state].tone}
      aria-label={windowText.copy.what(what)}
      title={windowText.copy.what(what)}
      onClick={copy}
    >
      <Icon name={looks[state].icon} />
      <span className={styles['label']} aria-live="polite">
        {windowText.copy[state]}
      </span>
    </button>
  );
}
