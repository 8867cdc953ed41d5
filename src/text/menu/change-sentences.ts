import type {
  CallerChange,
  CallerChanges,
  CallerPlace,
  HeardCount,
  HeardPrompt,
  MenuChange,
} from '../../contract/menu/caller-change.ts';
import type { CallPort } from '../../contract/menu/ivr-call.ts';
import type { FlowPrompts } from '../../contract/menu/ivr-draft.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import { countWords } from '../count.ts';
import { quotedName } from '../names.ts';
import {
  directoryName,
  type KnownNames,
  kindInSentence,
  destinationTypes,
  menuFieldNames,
  menuTitle,
  quoted,
  referenceInSentence,
} from './phone-menu.ts';

/** What differs for callers between two call flows, as sentences; `core/ivr/caller-changes.ts` finds it. */

export interface CallerNames extends KnownNames {
  readonly recordings: readonly { readonly id: string | number; readonly name: string }[];
}

/** What differs in a menu; the sentences do not repeat its name. */
export interface ToldMenu {
  readonly menu: string;
  readonly name: string;
  /** Opening hours or a message. */
  readonly isPart: boolean;
  readonly kind: MenuChange['kind'];
  readonly sentences: readonly string[];
}

export const callerChangesText = {
  title: 'What changes for callers',
  first: 'What callers will hear',
  none: 'Nothing changes for callers.',
  kinds: { added: 'new menu', removed: 'removed', changed: '' },
  addedPart: 'new',
  removed: 'No longer part of this call flow. It stays stored as it is, until you delete it there.',
  /** Opening hours and messages go with the publication. */
  removedPart: 'No longer part of this call flow.',
  begins: 'Calls begin here.',
  /** Schedules are no part of what is published. */
  hoursNow: (name: string, version: number) =>
    `The opening hours ${quotedName(name)} were changed since version ${version}. Calls follow them as of now, also without publishing.`,
} as const;

/** Where calls begin, if that differs. */
export function startSentence({ start }: CallerChanges): string | null {
  if (start === null) return null;
  const to = startWords(start.to);
  if (start.from === null) return `Calls begin ${to}.`;
  const from = startWords(start.from);
  const isSameWay = isMenuLike(start.from) === isMenuLike(start.to);
  return `Calls begin ${to} instead of ${isSameWay ? from.replace(/^(?:in|with) /, '') : from}.`;
}

function startWords(place: CallerPlace): string {
  const words = place.kind === 'open' ? 'no menu' : placeInSentence(place, noNames);
  return `${isMenuLike(place) ? 'in' : 'with'} ${words}`;
}

function isMenuLike({ kind }: CallerPlace): boolean {
  return kind !== 'hours' && kind !== 'message';
}

const noNames: CallerNames = { extensions: [], menus: [], recordings: [] };

export function toldMenus({ menus }: CallerChanges, known: CallerNames): ToldMenu[] {
  return menus.map(({ menu, name, node, kind, changes }) => ({
    menu,
    name: changedTitle(name, node),
    isPart: node !== undefined,
    kind,
    sentences: node === undefined ? sentencesOf(kind, changes, known) : partSentences(kind, changes, known),
  }));
}

function changedTitle(name: string, node: MenuChange['node']): string {
  if (node === undefined) return menuTitle({ name });
  return node === 'hours'
    ? 'Opening hours'
    : `Message ${name.trim() === '' ? 'without a name' : quoted(name)}`;
}

function partSentences(
  kind: MenuChange['kind'],
  changes: readonly CallerChange[],
  known: CallerNames,
): readonly string[] {
  if (kind === 'removed') return [callerChangesText.removedPart];
  return changes.map((change) => changeSentence(change, known));
}

function sentencesOf(
  kind: MenuChange['kind'],
  changes: readonly CallerChange[],
  known: CallerNames,
): readonly string[] {
  switch (kind) {
    case 'removed':
      return [callerChangesText.removed];
    case 'added':
      return introduction(changes, known);
    case 'changed':
      return changes.map((change) => changeSentence(change, known));
  }
}

/** What a new menu does, in few sentences: its prompt, its keys, and what follows a wrong key and a timeout. */
function introduction(changes: readonly CallerChange[], known: CallerNames): string[] {
  const prompt = (which: HeardPrompt): string | null => {
    const found = changes.find((one) => one.kind === 'prompt' && one.which === which);
    return found?.kind === 'prompt' && found.to !== null ? promptInSentence(found.to, known) : null;
  };
  const count = (which: HeardCount): number => {
    const found = changes.find((one) => one.kind === 'count' && one.which === which);
    return found?.kind === 'count' ? (found.to ?? 0) : 0;
  };
  const place = (way: CallPort['kind']): string => {
    const found = changes.find((one) => one.kind === 'led' && one.way.kind === way);
    return placeInSentence(found?.kind === 'led' ? found.to : null, known);
  };
  const keys = changes.flatMap((one) =>
    one.kind === 'led' && one.way.kind === 'key'
      ? [`key ${one.way.key} leads to ${placeInSentence(one.to, known)}`]
      : [],
  );
  const plays = (words: string | null): string => (words === null ? '' : `callers hear ${words}, `);
  const retries = (times: number): string =>
    times === 0 ? '' : `get ${countWords(times, 'retry', 'retries')}, `;
  return [
    ended(`Callers hear ${prompt('recording') ?? 'nothing'}`),
    ...(keys.length === 0 ? [] : [`${capital(keys.join('; '))}.`]),
    ...changes.flatMap((one) =>
      one.kind === 'sms' || one.kind === 'dial' || one.kind === 'digit_time'
        ? [changeSentence(one, known)]
        : [],
    ),
    `After a wrong key ${plays(prompt('invalid_recording'))}${retries(count('incorrect_count'))}then go to ${place('wrong_key')}.`,
    `After ${countWords(count('timeout'), 'second')} without a key ${plays(prompt('timeout_retry_recording'))}${retries(count('timeout_tries'))}then hear ${prompt('timeout_recording') ?? 'nothing'} and go to ${place('silence')}.`,
  ];
}

function changeSentence(change: CallerChange, known: CallerNames): string {
  switch (change.kind) {
    case 'prompt': {
      const { which, from, to } = change;
      const words = to === null ? 'nothing' : promptInSentence(to, known);
      const instead = from === null ? '' : ` instead of ${promptInSentence(from, known)}`;
      return ended(`${promptBeginnings[which]} ${words}${instead}`);
    }
    case 'led':
      return ledSentence(change, known);
    case 'count':
      return countSentence(change);
    case 'sms': {
      const { key, from, to } = change;
      if (to === null) return `Key ${key} no longer sends SMS template ${from}.`;
      return `Key ${key} sends SMS template ${to}${from === null ? '' : ` instead of ${from}`}.`;
    }
    case 'hours':
      return hoursSentence(change, known);
    case 'digit_time':
      return `Callers have ${countWords(change.to, 'second')} for the next digit of a number instead of ${change.from}.`;
    case 'dial':
      return change.to === null
        ? 'Callers can no longer dial numbers.'
        : `Callers can dial ${numbersText(change.to)}${change.from === null ? '' : ` instead of ${numbersText(change.from)}`}.`;
    case 'unheard':
      return unheardSentence(change);
  }
}

/** The prompt of all menus that have none of their own. */
export function flowPromptSentence(
  which: keyof FlowPrompts,
  [from, to]: readonly [string | null, string | null],
  known: CallerNames,
): string {
  const words = (prompt: string | null): string =>
    prompt === null ? 'nothing' : promptInSentence(prompt, known);
  const after = which === 'wrong_key' ? 'a wrong key' : 'a timeout';
  return `After ${after} callers will hear ${words(to)} instead of ${words(from)}, in menus without a prompt of their own.`;
}

const promptBeginnings: Readonly<Record<HeardPrompt, string>> = {
  recording: 'Callers will now hear',
  invalid_recording: 'After a wrong key callers will now hear',
  timeout_retry_recording: 'Before a retry callers will now hear',
  timeout_recording: 'After the last timeout callers will now hear',
};

function ledSentence({ way, from, to }: Extract<CallerChange, { kind: 'led' }>, known: CallerNames): string {
  const [before, after] = [placeInSentence(from, known), placeInSentence(to, known)];
  if (way.kind === 'key') {
    if (from === null) return `Key ${way.key} is new and leads to ${after}.`;
    if (to === null)
      return `Key ${way.key} no longer works. It led to ${before}, and counts as a wrong key now.`;
    return `Key ${way.key} leads to ${after} instead of ${before}.`;
  }
  const ways = {
    number: 'Dialled numbers lead',
    wrong_key: 'Too many wrong keys lead',
    silence: 'Too many timeouts lead',
    open: 'While open, calls are led',
    closed: 'While closed, calls are led',
    holiday: 'On holidays calls are led',
    then: 'Then calls are led',
  }[way.kind];
  return `${ways} to ${after}${from === null ? '' : ` instead of ${before}`}.`;
}

function hoursSentence(
  { from, to }: Extract<CallerChange, { kind: 'hours' }>,
  { schedules = [] }: CallerNames,
): string {
  const name = (id: string): string => {
    const schedule = schedules.find((one) => one.id === id);
    return schedule === undefined ? `${id}, which are not stored any more` : quotedName(schedule.name);
  };
  if (to === null) return 'No opening hours are chosen.';
  return `Callers are led by the opening hours ${name(to)}${from === null ? '' : ` instead of ${name(from)}`}.`;
}

function numbersText(numbers: 'directory' | readonly string[]): string {
  return numbers === 'directory' ? 'the extensions of the directory' : numbers.join(', ');
}

function countSentence({ which, from, to }: Extract<CallerChange, { kind: 'count' }>): string {
  const said = (value: number): string =>
    which === 'timeout' ? countWords(value, 'second') : countWords(value, 'retry', 'retries');
  if (to === null)
    return `${menuFieldNames[which]}: not set any more${from === null ? '' : `, before ${said(from)}`}.`;
  const instead = from === null ? '' : ` instead of ${which === 'timeout' ? said(from) : from}`;
  switch (which) {
    case 'timeout':
      return `Callers have ${said(to)} to press a key${instead}.`;
    case 'incorrect_count':
      return `Callers get ${said(to)} after a wrong key${instead}.`;
    case 'timeout_tries':
      return `Callers get ${said(to)} after a timeout${instead}.`;
  }
}

function unheardSentence({ which, from, to }: Extract<CallerChange, { kind: 'unheard' }>): string {
  switch (which) {
    case 'name':
      return `It is called ${quoted(to ?? '')} instead of ${quoted(from ?? '')}. Callers do not notice.`;
    case 'description':
      return 'The description differs. Callers do not notice.';
    case 'order':
      return `The keys are in the order ${to} instead of ${from}. Callers do not notice.`;
  }
}

/** “Sales (extension 101)”, or “extension 101” where it has no name. */
function placeInSentence(place: CallerPlace | null, known: CallerNames): string {
  if (place === null || place.kind === 'open') return 'no destination';
  if (place.kind === 'hours') return 'the opening hours';
  if (place.kind === 'message')
    return place.name.trim() === '' ? 'the unnamed message' : `the message ${quoted(place.name)}`;
  if (place.kind === 'menu') return place.menu === null ? 'a removed menu' : quoted(place.menu);
  const { type, id } = readReference(place.destination) ?? { type: '', id: '' };
  const offered = destinationTypes.find((one) => one.type === type);
  const name = offered === undefined ? undefined : directoryName({ type: offered.type, ref: id }, known);
  if (offered === undefined || name === undefined) return referenceInSentence(place.destination);
  return offered.type === 'ivr'
    ? `${kindInSentence(offered.type)} ${quoted(name)}`
    : `${name} (${kindInSentence(offered.type)} ${id})`;
}

function promptInSentence(prompt: string, { recordings }: CallerNames): string {
  const reference = readReference(prompt);
  if (reference?.type === 'outbound_tts') return `“${reference.id}”`;
  const recording = recordings.find(
    ({ id }) => reference?.type === 'recording' && String(id) === reference.id,
  );
  return recording === undefined ? referenceInSentence(prompt) : `recording ${quoted(recording.name)}`;
}

/** A sentence that ends with a prompt ends with the mark of the prompt. */
function ended(words: string): string {
  return /[.!?…]”$/u.test(words) ? words : `${words}.`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
