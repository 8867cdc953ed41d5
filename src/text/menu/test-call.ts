import type { HoursState, UntilFault } from '../../contract/menu/schedule.ts';
import { countWords } from '../count.ts';
import { isolated } from '../names.ts';
import { inputsText } from './phone-menu.ts';

/** Test calls in the designer: the phone, and the scenarios, which are saved test calls. */

export const phoneText = {
  title: 'Phone',
  close: 'Close the phone',
  call: 'Call',
  keypad: 'Keypad',
  /** `key` is a whole name: “Key 3”. */
  key: (key: string, isUsed: boolean) => `${key}${isUsed ? '' : ', not used'}`,
  then: (inputs: Parameters<typeof inputsText>[0]) => `The caller then ${inputsText(inputs)}.`,
  pace: 'Speed',
  paces: {
    real: { label: '1×', name: '1×, real time' },
    fast: { label: '10×', name: '10×, ten times as fast, without sound' },
    steps: { label: 'Steps', name: 'Steps, continues when you press a button' },
  },
  soundOn: 'Sound on',
  soundOff: 'Sound off',
  skipPrompt: 'Skip prompt',
  skipToTimeout: 'Skip to timeout',
  press: (key: string) => `Press ${key}`,
  playAgain: 'Play again',
  callAgain: 'Call again',
  callYourself: 'Call yourself',
  log: 'What happened',
  reached: 'The call reached',
  plays: (prompt: string) => `Plays ${prompt}`,
  unheard: 'Callers hear nothing yet',
  waits: 'Waits for a key',
  /** `digits`: what the caller has entered of a number. */
  collects: (digits: string) => `Entered ${digits}, waits for the next digit`,
  left: (leftMs: number) => `${(leftMs / 1000).toFixed(1)} s left`,
  ignored: (key: string) => `Key ${key} changes nothing while the last prompt plays.`,
  saveAs: 'Save as scenario',
  save: 'Save',
  saved: (name: string) => `Saved as “${name}”.`,
  tooLong: 'This call is too long for a scenario. Call again with fewer keys.',
  proposedName: (inputs: Parameters<typeof inputsText>[0], end: string) =>
    `Caller ${inputsText(inputs)}: ${end}`,
  blocked: 'This call flow cannot be called yet. Do these first:',
  moreErrors: (count: number) => `And ${count} more, in the list of problems.`,
  changed: 'The call flow has changed. Call again to use the new one.',
  changedAndBlocked: 'This call uses the call flow as it was. The current one cannot be called yet.',
} as const;

/** When a test call comes, and what is set by hand then. */
export const callTimeText = {
  label: 'The call comes',
  now: 'Now',
  isNow: (zone: string) => `Or at 17:00, tomorrow 08:00 or a date, in ${zone}.`,
  isAt: (time: string, zone: string) => `${time}, ${zone}`,
  /** `schedule`: null where there is only one. */
  turns: (schedule: string | null, isOpen: boolean) => {
    if (schedule === null) return isOpen ? 'Opens' : 'Closes';
    return `${isolated(schedule)} ${isOpen ? 'opens' : 'closes'}`;
  },
  exception: (schedule: string | null, name: string) => {
    const what = name === '' ? 'Exception' : isolated(name);
    return schedule === null ? what : `${what} (${isolated(schedule)})`;
  },
  /** With what the schedule says at that time. */
  bySchedule: {
    open: 'By schedule: open',
    closed: 'By schedule: closed',
    holiday: 'By schedule: holiday',
  } satisfies Readonly<Record<HoursState, string>>,
  byHand: {
    open: (until: string | null) => (until === null ? 'Open' : `Open until ${until}`),
    closed: (until: string | null) => (until === null ? 'Closed' : `Closed until ${until}`),
  },
  refusals: {
    not_a_time: 'This is not a time. Write 17:00, tomorrow 08:00, or a date such as 2026-12-24 10:00.',
    no_such_date: 'There is no such date.',
    over: 'This time is over.',
    not_with_schedule: 'This is not a time.',
  } satisfies Readonly<Record<UntilFault, string>>,
} as const;

export const scenarioText = {
  title: 'Scenarios',
  add: 'Add a scenario',
  /** What a scenario without a name is called. */
  unnamed: 'Scenario',
  numbered: (number: number) => `Scenario ${number}`,
  what: 'A scenario is a test call with an expected result, such as “presses 9, then 1: Extension 101”. It runs on every edit, and a failing one blocks publishing. You can save a call made on the phone as a scenario.',
  name: 'Name',
  inputs: 'Keys, and - for timeout',
  inputsExample: '9, -, 1',
  expected: 'Expected result',
  destinations: 'Destinations',
  waitsInMenu: 'Waits in a menu',
  play: (name: string) => `Play “${name}”`,
  delete: (name: string) => `Delete “${name}”`,
  notRun: 'Not run: the call flow is not complete.',
  passes: (inputs: Parameters<typeof inputsText>[0], ignored: number) =>
    `Passes: the caller ${inputsText(inputs)}${ignored > 0 ? `; the last ${ignored} after the call ended` : ''}.`,
  expectThis: 'Expect this result',
  /** `time`: null for whenever the scenario runs. */
  comes: (
    time: string | null,
    set: readonly { readonly schedule: string; readonly to: 'open' | 'closed' }[],
  ) => {
    const when = time === null ? 'The call comes now' : `The call comes ${time}`;
    return [when, ...set.map(({ schedule, to }) => `${isolated(schedule)} ${to} by hand`)].join(', ');
  },
  changeTime: (name: string, comes: string) => `“${name}”: ${comes}. Change`,
} as const;

/** Why the inputs of a scenario cannot be read. */
export type InputsRefusal =
  | { readonly code: 'not_an_input'; readonly sign: string }
  | { readonly code: 'too_many'; readonly count: number; readonly most: number };

export function inputsRefusalText(refusal: InputsRefusal): string {
  return refusal.code === 'not_an_input'
    ? `“${refusal.sign}” is not valid. Enter keys (0-9, * or #), and - for a timeout.`
    : `A scenario can have at most ${countWords(refusal.most, 'input')}, not ${refusal.count}.`;
}
