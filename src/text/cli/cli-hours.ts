import { writeRanges } from '../../contract/menu/read-ranges.ts';
import {
  type Schedule,
  type ScheduleException,
  type ScheduleImported,
  type ScheduleView,
  type TimeRange,
  type Weekday,
  weekdays,
} from '../../contract/menu/schedule.ts';
import { countWords } from '../count.ts';
import {
  hoursText,
  leftOutTexts,
  nextHoursText,
  scheduleFindingText,
  zonedText,
} from '../menu/schedule-text.ts';
import { type CommandHelp, optionHelp } from './cli.ts';

/** What the `hours` commands say. */

const rangesHelp = 'such as 08:00-12:00,13:00-17:00, or closed; 22:00-06:00 ends on the next day';
const file =
  'a JSON file with time_zone, weekly and exceptions, as `rotavox hours show NAME --json` prints them, or - for stdin';
const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Mondays',
  tue: 'Tuesdays',
  wed: 'Wednesdays',
  thu: 'Thursdays',
  fri: 'Fridays',
  sat: 'Saturdays',
  sun: 'Sundays',
};

export const hoursHelp = {
  description: 'Opening hours that call flows ask, and their switch.',
  examples: [
    'rotavox hours add Office --zone Europe/Berlin --weekdays 08:00-17:00',
    'rotavox hours set Office closed --until "tomorrow 08:00"',
    'rotavox hours holidays Office DE --state BY --years 2026,2027',
  ],
  name: 'the name of the opening hours, as `rotavox hours list` shows it',
  list: {
    description: 'List the opening hours, what callers meet now and when that changes.',
    examples: ['rotavox hours list', 'rotavox hours list --json'],
  },
  show: {
    description: 'Show opening hours: their week, their exceptions, and what should be known of them.',
    examples: ['rotavox hours show Office', 'rotavox hours show Office --json > office.json'],
  },
  add: {
    description: 'Add opening hours. Days that are not given are closed.',
    examples: [
      'rotavox hours add Office --zone Europe/Berlin --weekdays 08:00-12:00,13:00-17:00 --sat 10:00-14:00',
      'rotavox hours add Branch --file office.json',
    ],
    name: 'a name for the opening hours',
  },
  change: {
    description: 'Change opening hours. Only what is given changes, and the switch stays.',
    examples: [
      'rotavox hours change Office --fri 08:00-15:00 --close "2026-12-24=Christmas Eve"',
      'rotavox hours change Office --remove-past',
    ],
    name: 'another name',
    close:
      'close on a date, such as 2026-12-24, or on 12-24 of every year, with a name: DATE=NAME. May be given several times',
    remove: 'remove the exception of a date. May be given several times',
    removePast: 'remove the exceptions that are over',
  },
  zone: 'the time zone, such as Europe/Berlin (default for new hours: that of this computer)',
  weekdays: `the hours from Monday to Friday, ${rangesHelp}`,
  day: (day: Weekday) => `the hours on ${dayNames[day]}, ${rangesHelp}`,
  file,
  delete: {
    description: 'Delete opening hours that no call flow uses.',
    examples: ['rotavox hours delete Branch'],
  },
  set: {
    description:
      'Open or close by hand, or go back to the schedule. It applies to the next caller; calls in progress are not moved.',
    examples: [
      'rotavox hours set Office closed --until 17:00',
      'rotavox hours set Office open',
      'rotavox hours set Office schedule',
    ],
    to: 'open, closed or schedule',
    until:
      'when the schedule applies again: 17:00, "tomorrow 08:00", 2026-12-24, "2026-12-24 12:00" in the time zone of the hours, or an instant (default: until it is set again)',
  },
  import: {
    description: 'Close on the holidays of an .ics file (iCalendar). Exceptions are added, never removed.',
    examples: [
      'rotavox hours import Office holidays.ics --dry-run',
      'rotavox hours import Office holidays.ics',
    ],
    file: optionHelp.inputFile,
  },
  holidays: {
    description: [
      'Close on the public holidays of a country.',
      '',
      'They are computed by date-holidays, whose data come from Wikipedia (CC BY-SA 3.0). Look at them with --dry-run first.',
    ].join('\n'),
    examples: [
      'rotavox hours holidays Office DE --state BY --years 2026,2027 --dry-run',
      'rotavox hours holidays Office US',
    ],
    country: 'the country, such as DE',
    state: 'a state of it, such as BY',
    region: 'a region of the state',
    years: 'the years, such as 2026,2027 (default: this one and the next)',
    language: 'the language of their names, such as en (default: that of the country)',
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const hoursCliText = {
  none: 'No opening hours yet. Add some: `rotavox hours add NAME --weekdays 08:00-17:00`',
  head: ['name', 'now', 'next', 'zone', 'id'],
  row: (view: ScheduleView, nowMs: number) => [
    view.name,
    hoursText(view, zoneNow(view, nowMs)),
    nextHoursText(view, zoneNow(view, nowMs)) ?? '',
    view.time_zone,
    view.id,
  ],
  added: ({ name, id }: Schedule) => `${name} is added (${id}).`,
  changed: ({ name }: Schedule) => `${name} is changed.`,
  deleted: (name: string) => `${name} is deleted.`,
  set: (view: ScheduleView, nowMs: number) => `${view.name}: ${hoursText(view, zoneNow(view, nowMs))}.`,
  nothingToChange: 'Name at least one thing to change.',
  badFile: (rule: string | undefined) => `The file has no opening hours: ${rule ?? 'it is not valid'}.`,
  badRanges: `Hours are written ${rangesHelp}.`,
  badClose: 'A day to close on is written DATE=NAME, such as "2026-12-24=Christmas Eve".',
  noException: (date: string) => `There is no exception on ${date}.`,
  badYears: 'Years are written 2026,2027.',
} as const;

function zoneNow({ time_zone: timeZone }: Schedule, nowMs: number) {
  return { timeZone, nowMs };
}

/** What is known of a schedule, in lines. */
export function scheduleLines(view: ScheduleView, nowMs: number): string[] {
  const zone = zoneNow(view, nowMs);
  const next = nextHoursText(view, zone);
  const { set_by: by, set_at: at } = view.switch;
  return [
    `${view.name}: ${hoursText(view, zone)}${next === null ? '' : ` (${next})`}`,
    `Time zone: ${view.time_zone}`,
    ...(view.reason.kind === 'by_hand' && at !== null
      ? [`Set${by === null ? '' : ` by ${by}`}: ${zonedText(at, zone)}`]
      : []),
    '',
    ...weekdays.map((day) => `  ${day}  ${rangesText(view.weekly[day])}`),
    ...(view.exceptions.length === 0 ? [] : ['', 'Exceptions']),
    ...view.exceptions.map(exceptionLine),
    ...(view.used_by.length === 0 ? [] : ['', 'Used by']),
    ...view.used_by.map(
      ({ kind, name, id }) => `  ${kind === 'draft' ? 'call flow' : 'phone menu'} ${name} (${id})`,
    ),
  ];
}

export function scheduleNotes({ findings }: ScheduleView): string[] {
  return findings.map((finding) =>
    finding.code === 'past_exceptions'
      ? `${countWords(finding.dates.length, 'exception')} in the past. Remove with --remove-past.`
      : scheduleFindingText(finding),
  );
}

/** Without what is only a note: the clock of a server often is another one. */
export function scheduleWarnings(view: ScheduleView): string[] {
  return scheduleNotes({ ...view, findings: view.findings.filter(({ code }) => code !== 'zone_differs') });
}

function exceptionLine({ date, name, ranges }: ScheduleException): string {
  return `  ${date.padStart(10)}  ${rangesText(ranges)}${name === '' ? '' : `  ${name}`}`;
}

function rangesText(ranges: readonly TimeRange[]): string {
  return ranges.length === 0 ? 'closed' : writeRanges(ranges);
}

/** `+` added, `~` another name, `-` left out. */
export function importLines({ added, changed, left_out: leftOut }: ScheduleImported): string[] {
  return [
    ...added.map(({ date, name }) => `+ ${date}  ${name}`),
    ...changed.map(
      ({ date, name, before }) => `~ ${date}  ${name} (was ${before === '' ? 'without a name' : before})`,
    ),
    ...leftOut.map(({ date, name, why }) => `- ${date ?? 'no date'}  ${name}: ${leftOutTexts[why]}`),
  ];
}

export function importedText(
  { added, changed, unchanged, left_out: leftOut }: ScheduleImported,
  isDryRun: boolean,
): string {
  const counts = [
    `${added.length} ${isDryRun ? 'to add' : 'added'}`,
    `${changed.length} ${isDryRun ? 'to rename' : 'renamed'}`,
    `${unchanged} already there`,
    `${leftOut.length} left out`,
  ];
  return `${counts.join(', ')}.${isDryRun ? ' Nothing was changed.' : ''}`;
}
