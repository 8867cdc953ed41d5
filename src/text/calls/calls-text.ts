/** Calls that run through phone menus, in the windows and the command line: how they end, and what happened in them. */
import type { CallEnd, CallFailure, CallFilters, CallMoment, LiveCall } from '../../contract/calls/call.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import { countWords } from '../count.ts';
import { destinationTitle, type KnownNames, quoted, referenceInSentence } from '../menu/phone-menu.ts';

/** Why a call ended other than by the caller or at a destination, as a sentence. */
export function callFailureReason(reason: CallFailure): string {
  switch (reason) {
    case 'pbx_refused':
      return 'The telephone system refused a command for this call.';
    case 'no_such_place':
      return 'The telephone system has no place for this destination. Check the destinations of the telephone system.';
    case 'outside_not_allowed':
      return 'The settings do not allow calls to this outside number. Allow its country in the settings, or lead callers elsewhere.';
    case 'outside_limit':
      return 'Phone menus called as many outside numbers in this hour as the settings allow, or the telephone system could not count them.';
    case 'lost':
      return 'The connection to the telephone system broke, and the call was gone when it was back.';
    case 'no_such_menu':
      return 'The dialplan or a key leads to a phone menu that does not exist. Check its id in extensions.conf and in the menu.';
    case 'fallback':
      return 'Rotavox did not answer in time. The fallback menu in the dialplan took the call.';
    case 'too_many':
      return 'There were more calls at once than Rotavox could answer in time. The fallback menu took the call.';
    case 'internal':
      return 'An internal error ended the call. The log of Rotavox has the cause.';
  }
}

/** The same in a list. */
const failureLabels: Readonly<Record<CallFailure, string>> = {
  pbx_refused: 'Refused by the telephone system',
  no_such_place: 'Destination does not exist',
  outside_not_allowed: 'Outside number not allowed',
  outside_limit: 'Limit of outside calls reached',
  lost: 'Lost with the connection',
  no_such_menu: 'Phone menu does not exist',
  fallback: 'Taken by the fallback menu',
  too_many: 'Too many calls',
  internal: 'Internal error',
};

/** How a call ended, in a list. `menuName` says what a menu is called, or undefined. */
export function callEndText(
  end: CallEnd,
  known: KnownNames,
  menuName: (menu: string) => string | undefined,
): string {
  switch (end.kind) {
    case 'destination':
      return destinationTitle(end.destination, known);
    case 'hung_up': {
      const name = menuName(end.menu);
      return name === undefined ? 'Hung up' : `Hung up in ${quoted(name)}`;
    }
    case 'failed':
      return failureLabels[end.reason];
  }
}

/** The ways in which calls end, for a filter. */
export const callEndLabels: Readonly<Record<NonNullable<CallFilters['end']>, string>> = {
  destination: 'Reached a destination',
  hung_up: 'Hung up',
  failed: 'Failed',
};

/** What a call does now. */
export const callDoing: Readonly<Record<LiveCall['doing'], string>> = {
  playing: 'Hears the prompt',
  waiting: 'Waits for a key',
};

/** What a caller pressed, in a list: “2, timeout, 1”. */
export function pressedKeys(keys: readonly string[]): string {
  return keys.map((key) => (key === '-' ? 'timeout' : key)).join(', ');
}

/** The caller of a call; null: the number is not known, or is not kept. */
export function callerText(caller: string | null): string {
  return caller ?? 'Unknown caller';
}

/** Why a prompt was not heard. */
const missingPrompts: Readonly<
  Record<NonNullable<Extract<CallMoment, { kind: 'played' }>['missing']>, string>
> = {
  gone: 'there is no such recording here, and no sound with its name on the telephone system',
  not_convertible: 'its audio could not be converted for the telephone',
  not_fetched: 'Asterisk could not fetch it',
  not_speech: 'no speech was made of this text',
};

/** What happened in a call, a line of its timeline. `recordings`: those that there are now. */
export function callMomentText(
  moment: CallMoment,
  menuNames: Readonly<Record<string, string>>,
  recordings: readonly { readonly id: string; readonly name: string }[],
): string {
  const menuName = (menu: string): string => {
    const name = Object.hasOwn(menuNames, menu) ? menuNames[menu] : undefined;
    return name === undefined ? menu : quoted(name);
  };
  switch (moment.kind) {
    case 'entered':
      return `The call enters ${menuName(moment.menu)}.`;
    case 'played':
      return moment.missing === null
        ? `Plays ${promptName(moment.recording, recordings)}.`
        : `Cannot play ${promptName(moment.recording, recordings)}: ${missingPrompts[moment.missing]}.`;
    case 'waited':
      return `Waits ${countWords(moment.seconds, 'second')} for a key.`;
    case 'key':
      return moment.used
        ? `The caller presses ${moment.key}.`
        : `The caller presses ${moment.key}, a wrong key in ${menuName(moment.menu)}.`;
    case 'timeout':
      return 'Timeout: the caller pressed nothing.';
    case 'hours':
      return `Opening hours ${menuName(moment.menu)}: ${hoursStates[moment.state]}${moment.by === 'by_hand' ? ' (set by hand)' : ''}.`;
    case 'led': {
      const to = 'menu' in moment.to ? menuName(moment.to.menu) : referenceInSentence(moment.to.destination);
      return `${ways[moment.by]} leads to ${to}.`;
    }
    case 'resumed':
      return `Rotavox was connected again. The call continues in ${menuName(moment.menu)}.`;
    case 'sms':
      return `Sends SMS template ${moment.template}.`;
  }
}

function promptName(
  recording: string,
  recordings: readonly { readonly id: string; readonly name: string }[],
): string {
  const reference = readReference(recording);
  const known =
    reference?.type === 'recording' ? recordings.find(({ id }) => id === reference.id) : undefined;
  return known === undefined ? referenceInSentence(recording) : quoted(known.name);
}

const ways: Readonly<Record<Extract<CallMoment, { kind: 'led' }>['by'], string>> = {
  key: 'The key',
  wrong_key: 'The last wrong key',
  timeout: 'The last timeout',
  number: 'The number',
  open: 'Open',
  closed: 'Closed',
  holiday: 'Holiday',
  then: 'The end of the message',
};

const hoursStates = { open: 'open', closed: 'closed', holiday: 'closed for a holiday' } as const;

/** Where a call ended, the last line of its timeline. */
export function callEndSentence(end: CallEnd, menuNames: Readonly<Record<string, string>>): string {
  switch (end.kind) {
    case 'destination':
      return `The call reached ${referenceInSentence(end.destination)}.`;
    case 'hung_up': {
      const name = Object.hasOwn(menuNames, end.menu) ? menuNames[end.menu] : undefined;
      return `The caller hung up in ${name === undefined ? end.menu : quoted(name)}.`;
    }
    case 'failed':
      return callFailureReason(end.reason);
  }
}

/** How long something in a call took, or a whole call: “0.9 s”, “12 s”, “1 min 1 s”. */
export function callSpanText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return `${minutes} min ${Math.floor(seconds - minutes * 60)} s`;
}

/** After the records of a caller were deleted. */
export function forgottenText(deleted: number): string {
  return deleted === 0
    ? 'There was no record of this caller.'
    : `${countWords(deleted, 'call record')} deleted.`;
}
