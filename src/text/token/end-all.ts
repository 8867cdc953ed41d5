import { countWords } from '../count.ts';
import type { RotationTrouble } from '../../contract/credential/rotation-trouble.ts';
import type { CommandHelp } from '../cli/cli.ts';
import { finalTroubleText } from '../credential/rotation-trouble-text.ts';

/** What commands and windows say of ending every token. */

/** What is named of something to end. */
export interface EndItem {
  readonly kind: 'token' | 'app' | 'credential';
  readonly name: string;
  /** Where it is valid; null: here. */
  readonly service: string | null;
  readonly page: string | null;
}

const kinds = { token: 'token issued here', app: 'app of the proxy', credential: 'credential' } as const;

export function endItemText({ kind, name, service }: EndItem): string {
  return `${kinds[kind]} “${name}”${service === null ? '' : ` at ${service}`}`;
}

/** Why, in the history. */
export const endAllReason = 'all tokens were ended';

/** In the settings. */
export const endAllText = {
  title: 'A lost computer',
  hint: 'Ends every token that Rotavox knows, so that nobody who has the computer can use them. It lists them first.',
  open: 'End all tokens…',
  looking: 'Looking …',
  question: 'End all tokens?',
  nothing: 'There is no token to end.',
  consequence:
    'Nothing that is ended works again: programs that use these tokens are refused until you enter new ones. The credentials stay.',
  ends: (count: number): string => `Rotavox ends ${countWords(count, 'token')}:`,
  byPerson: (count: number): string => `Only you can end ${countWords(count, 'other')}:`,
  inSettings: 'in the settings of its service',
  cancel: 'Cancel',
  close: 'Close',
  confirm: (count: number): string => `End ${countWords(count, 'token')}`,
  ending: (done: number, all: number): string => `Ending ${done + 1} of ${all} …`,
  again: (count: number): string => `Try ${countWords(count, 'token')} again`,
  states: {
    waiting: 'Waiting',
    ending: 'Ending …',
    ended: 'Ended',
    ended_before: 'Did not work any more',
    alive: 'Still works',
  },
  done: (ended: number, alive: number): string =>
    alive === 0
      ? `${countWords(ended, 'token')} ${ended === 1 ? 'does' : 'do'} not work any more.`
      : `${countWords(ended, 'token')} ${ended === 1 ? 'does' : 'do'} not work any more. ${countWords(alive, 'token')} still ${alive === 1 ? 'works' : 'work'}: end ${alive === 1 ? 'it' : 'them'} yourself.`,
} as const;

/** What is said of ending every token, for the day that a computer is lost. */

export function notEndedText(trouble: RotationTrouble): string {
  return `It could not be ended. ${finalTroubleText(trouble)}`;
}

export const endByPersonText = {
  no_call: 'Its service has no call with which Rotavox could end it.',
  key_stays: 'Its token is ended, and the key or the secret of the app obtains others until you delete that.',
} as const;

export const endedHereText =
  'You had this token ended at its service. Enter another one, or remove the credential.';
export const noTokenToEndText = 'No token of it is stored here that could be ended.';
export const unknownTokenText =
  'A rotation is open whose reply was lost, so there may be a new token that nobody here knows.';

export const revokeAllHelp = {
  description: [
    'End every token that this Rotavox knows, for the day that a computer with them is lost.',
    '',
    'First it prints what it would do. It ends tokens that it issued, tokens of apps for the proxy, and every credential whose service has a ' +
      'call for that: sign-ins (OAuth), GitLab, GitHub, Vault. For the others it prints where you end them. Nothing that was ended works again; ' +
      'the credentials stay, so that you can enter new tokens. What failed can be tried again with the same command.',
  ].join('\n'),
  examples: ['rotavox credential revoke-all --dry-run', 'rotavox credential revoke-all'],
  dryRun: 'print what would be ended, and end nothing',
  yes: 'do not ask first',
} as const satisfies CommandHelp & Record<string, unknown>;

export const revokeAllText = {
  nothing: 'There is no token to end.',
  ends: (count: number): string => `Rotavox ends ${countWords(count, 'token')}:`,
  byPerson: (count: number): string => `Only you can end ${countWords(count, 'other')}:`,
  item: (item: EndItem): string => `  ${endItemText(item)}`,
  personItem: (item: EndItem): string =>
    `  ${endItemText(item)}: ${item.page ?? 'in the settings of its service'}`,
  dryRun: 'This was a dry run: nothing was ended.',
  ask: 'Nothing that is ended works again. End all of them now? [y/N] ',
  noTerminal: 'There is no terminal to ask on. Add --yes to end all of them, or --dry-run to see them only.',
  notAgreed: 'Nothing was ended.',
  ended: (item: EndItem): string => `Ended: ${endItemText(item)}.`,
  endedBefore: (item: EndItem): string => `Did not work any more: ${endItemText(item)}.`,
  alive: (item: EndItem, message: string): string =>
    `Still works: ${endItemText(item)}. ${message}${item.page === null ? '' : ` End it yourself: ${item.page}`}`,
  failed: (count: number): string =>
    `${countWords(count, 'token')} could not be ended. Run the command again, or end ${count === 1 ? 'it' : 'them'} yourself.`,
} as const;
