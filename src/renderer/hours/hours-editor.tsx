import { readRanges, writeRanges } from '../../contract/menu/read-ranges.ts';
import {
  ScheduleException,
  type ScheduleView,
  type Weekday,
  weekdays,
  type WeeklyHours,
} from '../../contract/menu/schedule.ts';
import { hoursWindowText, weekdayNames } from '../../text/menu/hours-window.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import inputStyles from '../kit/input.module.css';
import { Stack } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import type { EditedHours } from './schedules.ts';
import styles from './hours.module.css';

/** Hours as they are typed. */
export interface DraftHours {
  readonly name: string;
  readonly time_zone: string;
  readonly weekly: Readonly<Record<Weekday, string>>;
  readonly exceptions: readonly DraftException[];
}

interface DraftException {
  /** Stays while the rest is typed. */
  readonly key: string;
  readonly date: string;
  readonly name: string;
  readonly ranges: string;
}

export function draftOf({ name, time_zone, weekly, exceptions }: ScheduleView): DraftHours {
  const days = weekdays.map((day) => [day, writeRanges(weekly[day])]);
  return {
    name,
    time_zone,
    weekly: Object.fromEntries(days) as DraftHours['weekly'],
    exceptions: exceptions.map((one) => ({ ...one, key: one.date, ranges: writeRanges(one.ranges) })),
  };
}

/** What can be shown of it while it is typed; `whole`: null while a part cannot be read. */
export function hoursOfDraft({ name, time_zone, weekly, exceptions }: DraftHours): {
  readonly readable: EditedHours;
  readonly whole: EditedHours | null;
} {
  const days = weekdays.map((day) => [day, readRanges(weekly[day])] as const);
  const read = exceptions.map(readException);
  const readable = {
    name: name.trim(),
    time_zone: time_zone.trim(),
    weekly: Object.fromEntries(days.map(([day, ranges]) => [day, ranges ?? []])) as WeeklyHours,
    exceptions: read.filter((one) => one !== null),
  };
  const isWhole = days.every(([, ranges]) => ranges !== null) && read.every((one) => one !== null);
  return { readable, whole: isWhole ? readable : null };
}

function readException({ date, name, ranges }: DraftException): ScheduleException | null {
  const read = ScheduleException.safeParse({ date: date.trim(), name, ranges: readRanges(ranges) });
  return read.success ? read.data : null;
}

interface Editor {
  readonly draft: DraftHours;
  /** Whether errors are shown: a person has tried to save. */
  readonly isTried: boolean;
  readonly onChange: (changes: Partial<DraftHours>) => void;
}

/** The hours of each weekday. */
export function WeekEditor({ draft: { weekly }, isTried, onChange }: Editor) {
  const text = hoursWindowText.week;
  const set = (day: Weekday, ranges: string): void => onChange({ weekly: { ...weekly, [day]: ranges } });

  function copy(): void {
    const { mon } = weekly;
    onChange({ weekly: { ...weekly, tue: mon, wed: mon, thu: mon, fri: mon } });
  }
  return (
    <Stack gap={2}>
      <Text tone="soft" size="small">
        {text.hint}
      </Text>
      {weekdays.map((day) => (
        <label key={day} className={styles['weekday']}>
          <span>{weekdayNames[day]}</span>
          <RangesInput value={weekly[day]} isTried={isTried} onChange={(ranges) => set(day, ranges)} />
        </label>
      ))}
      <div>
        <Button onPress={copy}>{text.copy}</Button>
      </div>
    </Stack>
  );
}

/** Ranges of a day. What cannot be read is said when a person has left the field or tries to save. */
function RangesInput({
  value,
  label,
  isTried,
  onChange,
}: {
  value: string;
  label?: string;
  isTried: boolean;
  onChange: (value: string) => void;
}) {
  const isWrong = isTried && readRanges(value) === null;
  return (
    <span>
      <input
        type="text"
        className={inputStyles['input']}
        aria-label={label}
        aria-invalid={isWrong || undefined}
        value={value}
        placeholder={hoursWindowText.week.closed}
        autoComplete="off"
        onChange={({ target }) => onChange(target.value)}
      />
      {isWrong ? (
        <Text as="span" role="alert" tone="bad" size="small">
          {hoursWindowText.week.error}
        </Text>
      ) : null}
    </span>
  );
}

let newKeys = 0;

/** Days that differ from their weekday. */
export function ExceptionsEditor({ draft: { exceptions }, isTried, onChange }: Editor) {
  const text = hoursWindowText.exceptions;
  const change = (key: string, changes: Partial<DraftException>): void =>
    onChange({ exceptions: exceptions.map((one) => (one.key === key ? { ...one, ...changes } : one)) });

  function add(): void {
    newKeys += 1;
    onChange({ exceptions: [...exceptions, { key: `new ${newKeys}`, date: '', name: '', ranges: '' }] });
  }
  return (
    <Stack gap={2}>
      <Text tone="soft" size="small">
        {text.hint}
      </Text>
      {exceptions.length === 0 ? <Text tone="soft">{text.none}</Text> : null}
      {exceptions.map(({ key, date, name, ranges }, place) => {
        const label = (what: string) => text.of(what, date, place + 1);
        const isWrong = isTried && !isDate(date);
        return (
          <div key={key} className={styles['exception']} role="group" aria-label={label(text.hours)}>
            <span>
              <input
                type="text"
                className={inputStyles['input']}
                aria-label={label(text.date)}
                aria-invalid={isWrong || undefined}
                value={date}
                placeholder={text.date}
                autoComplete="off"
                onChange={({ target }) => change(key, { date: target.value })}
              />
              {isWrong ? (
                <Text as="span" role="alert" tone="bad" size="small">
                  {text.dateError}
                </Text>
              ) : null}
            </span>
            <input
              type="text"
              className={inputStyles['input']}
              aria-label={label(text.name)}
              value={name}
              placeholder={text.name}
              maxLength={100}
              autoComplete="off"
              onChange={({ target }) => change(key, { name: target.value })}
            />
            <RangesInput
              label={label(text.hours)}
              value={ranges}
              isTried={isTried}
              onChange={(typed) => change(key, { ranges: typed })}
            />
            <ActionButton
              about={date}
              onPress={() => onChange({ exceptions: exceptions.filter((one) => one.key !== key) })}
            >
              {text.remove}
            </ActionButton>
          </div>
        );
      })}
      <div>
        <Button onPress={add}>{text.add}</Button>
      </div>
    </Stack>
  );
}

function isDate(date: string): boolean {
  return ScheduleException.shape.date.safeParse(date.trim()).success;
}
