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
  field: 'Field',
  before: 'Before',
  after: 'After',
  nothing: '—',
  picture: (label: string) => `Picture of the call flow: ${label}`,
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
  waitsIn: (menu: string | null) => `waits in ${menu ?? 'a removed menu'}`,
} as const;
