import { type CommandHelp, optionHelp } from './cli.ts';
import { countWords } from '../count.ts';

/** What the `calls` commands say: calls in menus now, and the records of those that ended. */

export const callsHelp = {
  description: 'List calls to phone menus, and show or delete their records.',
  examples: ['rotavox calls', 'rotavox calls --live', 'rotavox calls show call_…'],
  id: optionHelp.id('call', 'calls'),
  list: {
    description: 'List the records of calls, newest first, or the calls in menus now.',
    examples: [
      'rotavox calls list --since 2026-11-21T00:00:00Z',
      'rotavox calls list --live --json',
      'rotavox calls list --search 4930',
    ],
  },
  live: 'the calls that are in menus now',
  since: 'only calls that began at this instant or later, such as 2026-11-21T09:00:00Z',
  ivr: 'only calls that began in the IVR with this id',
  search: 'only calls with this text in the number, the destination or the name of a menu',
  limit: (usual: number) => `show at most this many calls (default: ${usual})`,
  after: 'continue after the calls shown before; the number is printed with them',
  json: 'print one JSON object a line for each call',
  show: {
    description: 'Show the record of a call: what was played and pressed, and when.',
    examples: ['rotavox calls show call_…', 'rotavox calls show call_… --json'],
  },
  forget: {
    description: 'Delete every record of the calls of one number, written as the list shows it.',
    examples: ['rotavox calls forget +4930123456'],
  },
  number: "the caller's number, as it is listed",
  export: {
    description: 'Write the records of calls as CSV.',
    examples: ['rotavox calls export > calls.csv', 'rotavox calls export --ivr ivr_…'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const callsText = {
  columns: ['started', 'took', 'caller', 'menu', 'keys', 'end', 'id'],
  liveColumns: ['started', 'for', 'caller', 'menu', 'keys', 'now', 'id'],
  none: 'No calls match.',
  noneLive: 'No call is in a menu now.',
  more: (total: number, after: string) =>
    `${countWords(total, 'call')} in all. For the next ones add --after ${after}`,
};
