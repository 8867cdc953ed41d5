import { countWords } from '../count.ts';

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
  hint: 'Ends every token that this Rotavox knows, so that whoever has the computer cannot use them. First it shows which.',
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
