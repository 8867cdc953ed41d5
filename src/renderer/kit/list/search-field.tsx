import { windowText } from '../../../text/window/window.ts';
import { type KeyboardEvent, useRef } from 'react';

import { Icon } from '../icon.tsx';
import input from '../input.module.css';
import { useShortcut } from '../keys/use-shortcut.ts';
import styles from './list.module.css';

/**
 * The field that a list is searched by: `/` leads to it, the arrow down and Enter lead on to what was found.
 *
 * `what` completes "Search …".
 */
export function SearchField({
  what,
  placeholder,
  value,
  maxLength,
  onChange,
  onDown,
}: {
  what: string;
  placeholder: string;
  value: string;
  maxLength: number;
  onChange: (value: string) => void;
  /** Told when the keyboard leads down from the field. */
  onDown: () => void;
}) {
  const fieldRef = useRef<HTMLInputElement>(null);
  useShortcut('/', windowText.search.field(what), () => fieldRef.current?.select());

  function press(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    onDown();
  }

  return (
    <div className={styles['field']}>
      <span className={styles['glass']}>
        <Icon name="search" />
      </span>
      <input
        ref={fieldRef}
        type="search"
        className={[input['input'], styles['sought']].join(' ')}
        aria-label={windowText.search.field(what)}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={value}
        maxLength={maxLength}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={press}
      />
      <kbd className={styles['key']} aria-hidden="true">
        /
      </kbd>
    </div>
  );
}
