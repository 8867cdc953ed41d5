import { menuFieldNames } from './phone-menu.ts';

/** Published versions of a call flow: the list, and what differs between two of them. */

export const versionsText = {
  title: 'Versions',
  list: 'Published versions',
  loading: 'Loading …',
  none: 'No versions yet. Each time this draft is published, it is kept as a version that you can compare and restore.',
  version: (version: number) => `Version ${version}`,
  here: 'this service',
  elsewhere: (credential: string, baseUrl: string | null) => `${credential}, ${baseUrl}`,
  close: 'Close',
  restore: (version: number) => `Restore version ${version}`,
  compareWith: (version: number) => `Compare version ${version} with`,
  current: 'The current draft',
  now: 'Now',
  same: 'There are no differences.',
  differences: 'Differences',
  requests: 'As fields of the JSON',
  field: 'Field',
  before: 'Before',
  after: 'After',
  nothing: '—',
  picture: (label: string) => `Picture of the call flow: ${label}`,
  /** After a version was restored, while another one is live. */
  restored: (version: number) => `Version ${version} is in the draft.`,
  stillLive: (live: string) =>
    `${live.charAt(0).toUpperCase()}${live.slice(1)} stays live until you publish.`,
  publish: 'Publish…',
  dismiss: 'Dismiss',
  change: { added: 'added', removed: 'removed', changed: 'changed', moved: 'moved' },
} as const;

/** What differs, and the fields that the body has no name for. */
export const differenceText = {
  draft: 'The draft',
  caller: 'Caller',
  scenario: (name: string) => `Scenario “${name}”`,
  first: 'first menu',
  key: (key: string) => `key ${key}`,
  keyTemplate: (key: string) => `key ${key}, sms_template`,
  noDestination: 'no destination',
  firstMenu: (before: string | null, after: string | null) =>
    `Calls begin in ${after ?? 'no menu'}, before in ${before ?? 'no menu'}.`,
  keyChange: (key: string) => (before: string | null, after: string | null) =>
    before === null
      ? `Key ${key} was added and leads to ${after ?? 'nothing'}.`
      : after === null
        ? `Key ${key} was removed. It led to ${before}.`
        : `Key ${key} now leads to ${after}, before to ${before}.`,
  leads: (way: string) => (before: string | null, after: string | null) =>
    after === null
      ? `${way} no longer lead to ${before ?? 'anything'}.`
      : `${way} now lead to ${after}${before === null ? '' : `, before to ${before}`}.`,
  value: (label: string) => (before: string | null, after: string | null) =>
    `${label}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`,
  seconds: (label: string) => (before: string | null, after: string | null) =>
    `${label}: ${before === null ? 'nothing' : `${before} s`} → ${after === null ? 'nothing' : `${after} s`}`,
  /** Keys that were added or removed say so themselves. */
  keyOrder: (before: string | null, after: string | null) =>
    before !== null && after !== null && sorted(before) === sorted(after)
      ? `Order of the keys: ${before} → ${after}`
      : null,
  smsOf: (key: string) => `SMS template of key ${key}`,
  destination: 'Destination',
  scenarioFields: { inputs: 'The caller presses', expected: 'Expected' },
  fields: {
    ...menuFieldNames,
    invalid_destination: 'Too many wrong keys',
    timeout_destination: 'Too many timeouts',
  },
  waitsIn: (menu: string | null) => `waits in ${menu ?? 'a removed menu'}`,
} as const;

function sorted(keys: string): string {
  return keys.split(' ').sort().join(' ');
}
