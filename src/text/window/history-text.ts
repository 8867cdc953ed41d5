import type { HistoryResult } from '../../contract/history/history.ts';
import { countWords, journalSize, markedText } from '../count.ts';
import { quotedName } from '../names.ts';
import { areOfOneDay, hourText, nearText } from '../time.ts';

/** The card with the newest events. */
/** How often something has happened without a change. `isWhole`: whether that is all of it. */
export function repeatedText(count: number, isWhole: boolean) {
  return `${count} times${isWhole ? '' : ' or more'} since {at}` as const;
}

export const historyCardText = {
  title: 'History',
  live: 'newest first, live',
  newestFirst: 'newest first',
  empty: 'No events yet. Everything that happens to tokens and phone menus is recorded here permanently.',
} as const;

/** The window with all events. */
export const historyText = {
  title: 'History',
  count: (count: number) => countWords(count, 'event'),
  found: (count: number, all: number) => `${count.toLocaleString()} of ${countWords(all, 'event')}`,
  newEvents: (count: number) => countWords(count, 'new event'),
  list: 'Events, newest first',
  events: 'Events',
  empty: {
    title: 'No events yet',
    text: 'Everything that happens to tokens, credentials and phone menus is recorded here permanently.',
    issue: 'Issue a token…',
  },
  none: {
    title: 'No matches',
    text: 'Names are searched as they are now; ids, reasons and addresses as they were recorded.',
    showAll: 'Show all events',
  },
  search: 'the history',
  searchHint: 'Name, id, address, reason …',
  result: 'Result',
  results: { '': 'All', ok: 'OK', attention: 'Attention', failed: 'Failed' } satisfies Record<
    HistoryResult | '',
    string
  >,
  only: (about: string) => `Only ${about}`,
  onlyLabel: (about: string) => `Only ${about}. Show the events of everything`,
  kind: 'Kind of event',
  everyKind: 'All kinds of event',
  severalKinds: 'Several kinds',
  groups: {
    'token.': 'Tokens',
    'credential.': 'Credentials',
    'ivr.': 'Phone menus',
    'draft.': 'Call flows',
    'recording.': 'Recordings',
    'pronunciations.': 'Pronunciations',
    'speech.': 'Speech',
    'extensions.': 'Extensions',
    'sms_templates.': 'SMS templates',
    'schedule.': 'Opening hours',
    'pbx.': 'Telephone systems',
    'calls.': 'Call records',
    'owner.': 'Owners',
    'settings.': 'Settings',
    'journal.': 'Journal',
  } as Readonly<Record<string, string>>,
  wholeGroup: (group: string) => `${group}: all of them`,
  from: 'From',
  until: 'To',
  /** Saves of one draft that follow each other. */
  saves: {
    title: (name: string, count: number) => `Draft ${quotedName(name)} saved ${count} times`,
    show: 'Show each save',
    hide: (count: number) => `Show ${count} saves as one`,
  },
  loading: 'Loading this event …',
  tooMany: (shown: number, all: number) =>
    `These are the newest ${shown.toLocaleString()} of ${all.toLocaleString()}. Filter them to see older ones, or export them.`,
  unreadable: {
    title: 'Some events could not be read.',
    remedy: '“Verify journal” shows whether the journal is damaged, and where.',
  },
  export: {
    open: 'Export…',
    formats: [
      { format: 'csv', name: 'CSV', what: 'for a spreadsheet' },
      { format: 'json', name: 'JSON', what: 'for a program, with every field' },
    ],
    reading: 'Reading …',
    count: (count: number) => `${countWords(count, 'event')}, newest first`,
  },
} as const;

/** From when to when a draft was saved: "10:02 to 10:31", with the days where they are others than today. */
export function savedSpanText(from: string, to: string, nowMs: number): string {
  if (!areOfOneDay(from, to)) return `${nearText(from, nowMs)} to ${nearText(to, nowMs)}`;
  return `${nearText(from, nowMs)} to ${hourText(to)}`;
}

/** Saves of one draft in one line, for a terminal. */
export function savesLine(name: string, count: number, span: string): string {
  return `${historyText.saves.title(name, count)}, ${span}`;
}

/** The dialog with everything that one event says. */
export const eventDialogText = {
  title: (seq: number) => `Event ${seq.toLocaleString()}`,
  none: 'There is no event with this number.',
  json: 'the event as JSON',
  newer: 'Newer',
  older: 'Older',
  close: 'Close',
  facts: { event: 'Event', when: 'When', about: 'About', who: 'Who', result: 'Result' },
  allAbout: 'All events about it',
  token: (name: string) => `Token ${name}`,
  credential: (name: string) => `Credential ${name}`,
  menu: (name: string) => `Phone menu ${name}`,
  nothing: 'none',
  yes: 'yes',
  no: 'no',
} as const;

/** What came of verifying the journal. */
export const verificationText = {
  verify: 'Verify journal',
  checking: 'Checking …',
  checkingAll: 'Checking every event …',
  verified: (to: number, files: number, markedFrom?: number | null) =>
    `Every event up to ${to.toLocaleString()} verified, each hash and each link of the chain, in ${journalSize(files)}.${markedText(markedFrom)} Checked at {at}.` as const,
  failed: 'The journal could not be checked.',
  damaged: 'The journal is damaged: it differs from what was written.',
  place: (line: number, reason: string) => `{file}, line ${line.toLocaleString()}: ${reason}.` as const,
  intact: (to: number) =>
    to === 0
      ? 'No event before that can be relied on.'
      : `Every event up to ${to.toLocaleString()} is intact; later events cannot be relied on.`,
  remedy: (file: string) =>
    /^postgres(ql)?:/.test(file)
      ? 'Stop all hosts, restore a backup into a new database and start the hosts with that one.'
      : 'Stop Rotavox and restore that file from a backup of the data folder; a copy from any later day works. Rotavox does not start with a damaged file.',
} as const;
