import type { Weekday } from '../../contract/menu/schedule.ts';
import { countWords } from '../count.ts';
import { quotedName } from '../names.ts';

/** The windows of opening hours. */
export const hoursWindowText = {
  title: 'Opening hours',
  lead: 'When call flows are open. Several may share the same hours.',
  back: 'All opening hours',
  add: 'Add opening hours…',
  toSettings: 'Settings',
  editOf: (name: string) => `Edit ${quotedName(name)}`,
  first: {
    title: 'Add your first opening hours',
    text: 'Opening hours have a week, exceptions such as holidays, and a switch to open or close by hand. A call flow asks them and leads callers to where somebody answers.',
  },
  addDialog: {
    title: 'Add opening hours',
    verb: 'Add',
    cancel: 'Cancel',
    name: 'Name',
    nameHint: 'Such as Office or Support.',
    zone: 'Time zone',
    zoneHint: 'All times are of this zone.',
    week: 'Monday to Friday',
    rangesHint: 'Such as 08:00-12:00, 13:00-17:00. Empty is closed. You can change each day afterwards.',
  },
  unknown: {
    title: 'There are no such opening hours',
    text: 'They may have been deleted or renamed.',
  },
  switch: {
    title: 'Switch',
    label: (name: string) => `Switch of ${name}`,
    to: { schedule: 'By schedule', open: 'Open', closed: 'Closed' },
    until: 'Until',
    untilHint: '17:00, tomorrow 08:00 or a date. Empty: until somebody sets it again.',
  },
  days: {
    title: 'Next 14 days',
    closed: 'Closed',
    /** One without a name. */
    exception: 'Exception',
  },
  week: {
    title: 'Week',
    hint: 'Such as 08:00-12:00, 13:00-17:00. Empty is closed; 22:00-06:00 ends on the next day.',
    closed: 'Closed',
    copy: 'Copy Monday to Friday',
    error: 'Write hours as 08:00-17:00, with a comma between two.',
  },
  exceptions: {
    title: 'Exceptions',
    hint: 'A date such as 2026-12-24, or 12-25 for every year. Its hours replace those of the weekday; empty is closed.',
    none: 'No exceptions yet.',
    date: 'Date',
    name: 'Name',
    hours: 'Hours',
    add: 'Add exception',
    remove: 'Remove',
    removePast: (count: number) => `Remove ${countWords(count, 'past exception')}`,
    dateError: 'Write a date as 2026-12-24, or 12-25.',
    of: (what: string, date: string, place: number) =>
      `${what} of ${date === '' ? `exception ${place}` : date}`,
  },
  save: 'Save changes',
  discard: 'Discard changes',
  saved: 'Saved.',
  unsaved: 'There are changes that are not saved.',
  importFile: 'Import .ics…',
  importHolidays: 'Add public holidays…',
  saveFirst: 'Save or discard your changes before an import.',
  delete: 'Delete opening hours…',
  deleteDialog: {
    title: (name: string) => `Delete ${quotedName(name)}?`,
    verb: 'Delete',
    what: 'Their hours and exceptions are deleted. The history keeps what they were.',
  },
  import: {
    fileTitle: 'Import holidays from a calendar',
    holidaysTitle: 'Add public holidays',
    lead: 'Nothing is removed, and days with hours of their own keep them.',
    choose: 'Choose file…',
    file: 'Calendar file',
    country: 'Country',
    state: 'State',
    region: 'Region',
    all: 'None',
    pick: 'Choose a country',
    years: 'Years',
    yearsHint: 'Such as 2026, 2027.',
    source:
      'Computed by date-holidays; its data come from Wikipedia (CC BY-SA 3.0). Check them before you import.',
    reading: 'Reading …',
    adds: (count: number) => `${countWords(count, 'day')} to add`,
    renames: (count: number) => `${countWords(count, 'day')} to rename`,
    unchanged: (count: number) => `${countWords(count, 'day')} already there`,
    leaves: (count: number) => `${countWords(count, 'event')} left out`,
    leftOut: (name: string, date: string | null, why: string) =>
      `${[date, name].filter((one) => one !== null && one !== '').join(' ')}: ${why}`,
    renamed: (date: string, before: string, name: string) => `${date}: ${before} → ${name}`,
    more: (count: number) => `and ${count} more`,
    nothing: 'There is nothing to import.',
    verb: (count: number) => (count === 0 ? 'Import' : `Import ${countWords(count, 'day')}`),
    importing: 'Importing …',
    cancel: 'Cancel',
  },
} as const;

export const weekdayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** `Mon 30 Nov`, of a local date. */
export function shortDate(date: string): { readonly weekday: string; readonly day: string } {
  const at = new Date(`${date}T12:00:00Z`);
  const write = (options: Intl.DateTimeFormatOptions) =>
    at.toLocaleDateString(undefined, { ...options, timeZone: 'UTC' });
  return { weekday: write({ weekday: 'short' }), day: write({ day: 'numeric', month: 'short' }) };
}
