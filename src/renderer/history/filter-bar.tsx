import { type KeyboardEvent, type ReactNode, useRef } from 'react';

import type { HistoryFilters } from '../../contract/history.ts';
import { Choice } from '../kit/choice.tsx';
import { Icon } from '../kit/icon.tsx';
import input from '../kit/input.module.css';
import { useShortcut } from '../kit/keys/use-shortcut.ts';
import { setSearch } from '../kit/navigation.ts';
import styles from './filter-bar.module.css';
import { maxTextLength } from './history-filters.ts';
import { KindSelect } from './kind-select.tsx';

const results = [
  { value: '', label: 'All' },
  { value: 'ok', label: 'OK' },
  { value: 'attention', label: 'Attention' },
  { value: 'failed', label: 'Failed' },
] as const;

/** What is searched for and which events are left out, all kept in the window's address. */
export function FilterBar({
  typed,
  filters,
  about,
  onDown,
  children,
}: {
  /** As it stands in the field. */
  typed: string;
  filters: HistoryFilters;
  /** What the subject is called, when the view is of one only. */
  about: string | undefined;
  /** Told when the keyboard leads down from the field, to what was found. */
  onDown: () => void;
  children: ReactNode;
}) {
  const fieldRef = useRef<HTMLInputElement>(null);
  useShortcut('/', 'Search the history', () => fieldRef.current?.select());

  function press(event: KeyboardEvent): void {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    onDown();
  }

  return (
    <search className={styles['bar']}>
      <div className={styles['field']}>
        <span className={styles['glass']}>
          <Icon name="search" />
        </span>
        <input
          ref={fieldRef}
          type="search"
          className={[input['input'], styles['text']].join(' ')}
          aria-label="Search the history"
          aria-keyshortcuts="/"
          placeholder="Name, id, address, reason …"
          value={typed}
          maxLength={maxTextLength}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => setSearch({ text: target.value })}
          onKeyDown={press}
        />
        <kbd className={styles['key']} aria-hidden="true">
          /
        </kbd>
      </div>
      <div className={styles['tools']}>{children}</div>
      <div className={styles['filters']}>
        <KindSelect kind={filters.kind} onChange={(kind) => setSearch({ kind })} />
        <fieldset className={styles['results']}>
          <legend className={styles['hidden']}>Result</legend>
          <Choice
            options={results}
            value={filters.result ?? ''}
            onChange={(result) => setSearch({ result })}
          />
        </fieldset>
        {filters.subject === undefined ? null : (
          <button
            type="button"
            className={styles['subject']}
            aria-label={`Only ${about ?? filters.subject}. Show the events of everything`}
            onClick={() => setSearch({ subject: undefined })}
          >
            <span className={styles['about']}>Only {about ?? filters.subject}</span>
            <Icon name="cross" />
          </button>
        )}
      </div>
    </search>
  );
}
