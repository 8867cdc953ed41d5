import type { ReactNode } from 'react';

import type { HistoryFilters } from '../../contract/history.ts';
import { Choice } from '../kit/choice.tsx';
import { Icon } from '../kit/icon.tsx';
import { setSearch } from '../kit/navigation.ts';
import { SearchField } from '../kit/search-field.tsx';
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
  return (
    <search className={styles['bar']}>
      <SearchField
        what="the history"
        placeholder="Name, id, address, reason …"
        value={typed}
        maxLength={maxTextLength}
        onChange={(text) => setSearch({ text })}
        onDown={onDown}
      />
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
