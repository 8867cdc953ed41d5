/** The windows of calls: those under way, the records, the page of one call. */
import type { CallerKept } from '../../contract/calls/call.ts';
import { countWords } from '../count.ts';
import { isolated, quotedName } from '../names.ts';

/** Of which time something is shown. */
export const periodText = {
  label: 'Period',
  periods: { today: 'Today', week: '7 days', month: '30 days', custom: 'Custom', all: 'All' },
  from: 'From',
  to: 'To',
} as const;

export const callsText = {
  title: 'Calls',
  lead: 'Calls that phone menus answer: those under way, and the records of those that ended.',
  systems: 'Telephone systems',
  noSystem: 'No telephone system is connected.',
  live: {
    title: 'Now',
    list: 'Calls under way, the oldest first',
    empty: 'No caller is in a phone menu now.',
    count: (count: number) => countWords(count, 'call'),
    since: (doing: string) => `${doing} · here since {at}` as const,
    draft: 'Draft',
  },
  records: {
    title: 'Call records',
    list: 'Call records, newest first',
    count: (count: number) => countWords(count, 'call'),
    search: 'calls',
    searchHint: 'Number, destination or menu …',
    menu: 'Phone menu',
    everyMenu: 'All phone menus',
    end: 'End of the call',
    everyEnd: 'All ends',
    system: 'Telephone system',
    everySystem: 'All telephone systems',
    export: 'Export CSV',
    exporting: 'Exporting …',
    more: 'Show more',
    tooMany: (shown: number, all: number) =>
      `These are the newest ${shown.toLocaleString()} of ${all.toLocaleString()}. Filter them to see older ones, or export them.`,
    keys: (keys: string) => `Keys: ${keys}`,
    noKeys: 'No keys',
    deletedMenu: 'a deleted menu',
    empty: {
      title: 'No calls yet',
      text: 'Each call that a phone menu answers is listed here when it ends. Hand over a number to a menu, or ring your own phone.',
      open: 'Open telephone systems',
    },
    none: {
      title: 'No matches',
      text: 'No call record of this period matches.',
      showAll: 'Show all calls',
    },
  },
} as const;

/** The page of one call. */
export const callText = {
  title: (caller: string | null) => (caller === null ? 'Call' : `Call from ${isolated(caller)}`),
  all: 'Calls',
  unknown: {
    title: 'There is no record of this call.',
    text: 'Records are deleted after the time in the settings, or with the records of a caller.',
  },
  live: {
    title: 'This call is under way',
    text: 'The call is in {menu}. Its record is shown here when it ends.',
  },
  facts: {
    title: 'Call',
    caller: 'Caller',
    began: 'Began',
    took: 'Duration',
    menu: 'Phone menu',
    draft: 'Draft',
    system: 'Telephone system',
    keys: 'Keys',
    none: 'none',
    end: 'End',
  },
  timeline: {
    title: 'What happened',
    list: 'What happened, in order',
    missing: (count: number) => `${countWords(count, 'prompt')} could not be played`,
  },
  forget: {
    title: 'Records of this caller',
    lead: 'Deletes every call record with this number, of any time.',
    open: 'Delete records…',
    question: (caller: string) => `Delete all records of ${quotedName(caller)}?`,
    consequences: [
      'Every call record with this number is deleted, also the one on this page. This cannot be undone.',
      'Where numbers are masked, other callers with the same last digits have the same number here.',
      'The history records how many were deleted, not whose.',
    ],
    cancel: 'Cancel',
    act: 'Delete records',
    busy: 'Deleting …',
  },
} as const;

/** The settings of call records. */
export const callSettingsText = {
  days: {
    title: 'Keep call records for',
    hint: 'Older records are deleted daily. The traffic that phone menus show is counted from these records.',
    label: 'Days',
    invalid: 'This must be a whole number of days from 1 to 3650.',
  },
  outside: {
    title: 'Outside numbers that phone menus may call',
    hint: 'The codes of countries, such as DE, AT. Numbers elsewhere and numbers at premium rates are never called. Empty: none are called.',
    label: 'Countries',
    none: 'No outside numbers are called.',
    invalid: 'Enter codes of countries, such as DE, AT, US. The United Kingdom is GB.',
    names: (codes: readonly string[]) => {
      const names = new Intl.DisplayNames(['en'], { type: 'region' });
      return codes.map((code) => names.of(code) ?? code).join(', ');
    },
  },
  perHour: {
    title: 'Calls to outside numbers in an hour',
    hint: 'Of all phone menus together, on each telephone system. Callers beyond that get the fallback.',
    label: 'Calls',
    invalid: 'This must be a whole number from 1 to 1000.',
  },
  caller: {
    title: 'Callers’ numbers in call records',
    hint: 'Applies to new calls. Existing records stay as they are.',
    kept: {
      whole: 'Whole number',
      masked: 'Last 3 digits',
      none: 'Not kept',
    } satisfies Record<CallerKept, string>,
  },
} as const;
