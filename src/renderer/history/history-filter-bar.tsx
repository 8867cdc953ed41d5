import { Text } from '../kit/text.tsx';
import { eventKindNames } from '../../contract/history/audit-event.ts';
import { eventGroups, type HistoryFilters } from '../../contract/history/history.ts';
import { historyText as text } from '../../text/window/history-text.ts';
import buttonStyles from '../kit/button.module.css';
import { Choice } from '../kit/choice.tsx';
import { DayField } from '../kit/field.tsx';
import { Row } from '../kit/layout.tsx';
import { Icon } from '../kit/icon.tsx';
import { FilterSelect } from '../kit/list/list-page.tsx';
import { setSearch, useSearch } from '../kit/navigation.ts';
import { eventTitle } from '../../text/window/events.ts';

const results = (['', 'ok', 'attention', 'failed'] as const).map((value) => ({
  value,
  label: text.results[value],
}));

/** Which events are left out, all kept in the window's address. */
export function EventFilters({
  filters,
  about,
}: {
  filters: HistoryFilters;
  /** What the subject is called, when the view is of one only. */
  about: string | undefined;
}) {
  return (
    <>
      <KindSelect kind={filters.kind} />
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
          className={buttonStyles['button']}
          data-rank="chosen"
          aria-label={text.onlyLabel(about ?? filters.subject)}
          onClick={() => setSearch({ subject: undefined })}
        >
          <Row as="span" gap={2} align="center">
            <Text as="span" isCut>
              {text.only(about ?? filters.subject)}
            </Text>
            <Icon name="cross" />
          </Row>
        </button>
      )}
    </>
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
function KindSelect({ kind }: { kind: string | undefined }) {
  const isListed = kind?.includes(',') === true; // several at once come by a link only
  return (
    <FilterSelect
      name="kind"
      label={text.kind}
      all={text.everyKind}
      options={isListed ? [{ value: kind, label: text.severalKinds }] : []}
    >
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
    </FilterSelect>
  );
}
