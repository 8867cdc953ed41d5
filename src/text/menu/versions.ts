/** Published versions of a call flow: the list, and what differs between two of them. */

import type { FlowSpeech } from '../../contract/menu/speech.ts';
import { namesText } from '../credential/credentials.ts';
import { quotedName } from '../names.ts';
import { languageName } from './speech-text.ts';

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
  hours: {
    title: 'Opening hours',
    missing: (name: string) =>
      `${quotedName(name)} was deleted since. Restoring adds it again, by schedule: what was set by hand is no part of a version.`,
    changed: (names: readonly string[], version: number) =>
      `${namesText(names)} ${names.length === 1 ? 'has' : 'have'} other hours now than in version ${version}. Calls follow the hours as they are now.`,
    setBack: (version: number) => `Set the hours back to those of version ${version}`,
    /** `others`: the call flows and phone menus that ask them, too. */
    meaning: (others: readonly string[]) =>
      `Calls follow them at once, also before you publish${others.length === 0 ? '' : `, and also in ${namesText(others)}`}. Undo does not change them back. What is set by hand stays.`,
  },
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

/** What differs in a call flow, beside what callers notice (`change-sentences.ts`). */
export const differenceText = {
  draft: 'The draft',
  caller: 'Caller',
  scenario: (name: string) => `Scenario “${name}”`,
  renamed: (before: string, after: string) => `The draft is called “${after}” instead of “${before}”.`,
  spokenAs: (before: FlowSpeech | null, after: FlowSpeech | null) =>
    `Typed prompts are spoken ${speechWords(after)} instead of ${speechWords(before)}.`,
  instead: (now: string, before: string) => `Now “${now}”, before “${before}”.`,
  inputs: (before: string, after: string) => `The caller ${after}. Before, the caller ${before}.`,
  whenCalled: 'The call comes at another time, or with other switches.',
  removed: 'Removed.',
  /** Something leads to a part that the other one removed. */
  ledTo: 'Not removed: something leads to it.',
  /** What no sentence says more about. */
  changed: 'Changed.',
  expected: (before: string, after: string) => `Expected is ${after} instead of ${before}.`,
} as const;

function speechWords(speech: FlowSpeech | null): string {
  if (speech === null) return 'as in the settings';
  const { language, voice } = speech;
  return `in ${languageName(language)}${voice === null ? '' : ` by ${voice}`}`;
}
