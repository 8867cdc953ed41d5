import type { ReactNode } from 'react';
import { Text } from '../kit/text.tsx';
import { eventKindNames } from '../../contract/audit-event.ts';
import { eventGroups, type HistoryFilters } from '../../contract/history.ts';
import { historyText as text } from '../../text/history-text.ts';
import buttonStyles from '../kit/button.module.css';
import { Choice } from '../kit/choice.tsx';
import { DayField } from '../kit/day-field.tsx';
import { Icon } from '../kit/icon.tsx';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { Toolbar } from '../kit/toolbar.tsx';
import selectStyles from '../kit/select.module.css';
import { eventTitle, maxSearchLength } from '../../text/events.ts';
import styles from './history.module.css';

const results = (['', 'ok', 'attention', 'failed'] as const).map((value) => ({
  value,
  label: text.results[value],
}));

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
    <Toolbar
      search={{
        what: text.search,
        placeholder: text.searchHint,
        value: typed,
        maxLength: maxSearchLength,
        onChange: (sought) => setSearch({ text: sought }),
        onDown,
      }}
      filters={
        <>
          <KindSelect kind={filters.kind} onChange={(kind) => setSearch({ kind })} />
          <Choice
            label={text.result}
            options={results}
            value={filters.result ?? ''}
            onChange={(result) => setSearch({ result })}
          />
          <DateField label={text.from} name="from" />
          <DateField label={text.until} name="to" />
          {filters.subject === undefined ? null : (
            <button
              type="button"
              className={[buttonStyles['button'], styles['subject']].join(' ')}
              aria-label={text.onlyLabel(about ?? filters.subject)}
              onClick={() => setSearch({ subject: undefined })}
            >
              <Text as="span" isCut>
                {text.only(about ?? filters.subject)}
              </Text>
              <Icon name="cross" />
            </button>
          )}
        </>
      }
    >
      {children}
    </Toolbar>
  );
}

/** The first or the last day that is shown, kept in the address as it is typed. */
function DateField({ label, name }: { label: string; name: 'from' | 'to' }) {
  const value = useSearch().get(name) ?? '';
  return (
    <DayField
      label={label}
      value={value}
      onChange={(day) => setSearch({ [name]: day === '' ? undefined : day })}
    />
  );
}

/** Which kinds of event are shown: all, a whole group, or one. */
function KindSelect({
  kind,
  onChange,
}: {
  kind: string | undefined;
  onChange: (kind: string | undefined) => void;
}) {
  const isListed = kind?.includes(',') === true; // several at once come by a link only
  return (
    <select
      className={selectStyles['select']}
      aria-label={text.kind}
      value={kind ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">{text.everyKind}</option>
      {isListed ? <option value={kind}>{text.severalKinds}</option> : null}
      {eventGroups.map((group) => {
        const kinds = eventKindNames.filter((name) => name.startsWith(group));
        const name = text.groups[group] ?? group;
        return (
          <optgroup key={group} label={name}>
            {kinds.length > 1 ? <option value={group}>{text.wholeGroup(name)}</option> : null}
            {kinds.map((one) => (
              <option key={one} value={one}>
                {eventTitle(one)}
              </option>
            ))}
          </optgroup>
        );
      })}
    </select>
  );
}
