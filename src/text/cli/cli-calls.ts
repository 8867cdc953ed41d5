import { type CommandHelp, optionHelp } from './cli.ts';
import { countWords } from '../count.ts';
import type { ConfigLines, PbxTest, PbxView } from '../../contract/calls/pbx.ts';
import { quotedName } from '../names.ts';
import { referenceInSentence } from '../menu/phone-menu.ts';
import {
  configLinesText,
  pbxCheckNames,
  pbxStateLabels,
  pbxTroubleLine,
  silentReasonText,
  silentTitle,
} from '../calls/pbx-text.ts';

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

/** What the `pbx` commands and `ivr ring` say. */

export const pbxHelp = {
  description: 'Connect telephone systems (Asterisk), whose calls phone menus answer.',
  examples: [
    'rotavox pbx add office --url http://127.0.0.1:8088 --user rotavox < password',
    'rotavox pbx test office',
    'rotavox pbx list',
  ],
  name: 'the name of the telephone system, as `rotavox pbx list` shows it',
  newName: 'a name for the telephone system: letters, digits and . _ -',
  add: {
    description:
      'Add a telephone system and connect to it. The password of the user in ari.conf is asked for, or read from stdin.',
    examples: [
      'rotavox pbx add office --url http://127.0.0.1:8088 --user rotavox < password',
      'rotavox pbx add branch --url https://pbx.example.com:8089 --user rotavox --route voicemail=from-internal,*{id}',
    ],
  },
  url: 'the address of the HTTP server of Asterisk, such as http://127.0.0.1:8088',
  user: 'the user in ari.conf',
  insecureHttp: 'send the password unencrypted to another machine, in a network that you trust',
  dialplan:
    'whose rules for destinations to begin with: freepbx (default), or asterisk for the contexts of the example in its documentation',
  route:
    'where calls for one type of destination continue, as TYPE=CONTEXT,EXTENSION, or TYPE=none; {id} in it is the id of the destination, {digits} an outside number without +. May be given several times',
  change: {
    description: 'Change a telephone system. Only what is given changes; calls under way go on.',
    examples: [
      'rotavox pbx change office --route queue=ext-queues,{id}',
      'rotavox pbx change office --route number=from-internal,00{digits}',
      'rotavox pbx change office --password < password',
    ],
  },
  password: 'ask for another password, or read it from stdin',
  test: {
    description:
      'Test a telephone system: address, password, version, modules, rights and prompts. Prints the lines that are missing in its files, and the prompts of stored menus that callers do not hear.',
    examples: ['rotavox pbx test office', 'rotavox pbx test office --json'],
  },
  list: {
    description: 'List telephone systems, the state of their connection and their calls now.',
    examples: ['rotavox pbx list', 'rotavox pbx list --json'],
  },
  remove: {
    description:
      'Remove a telephone system and its password. Calls in menus go on in the fallback of its dialplan.',
    examples: ['rotavox pbx remove office'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const ringHelp = {
  description: 'Ring a phone and run a stored menu, or a draft as it is now, on it.',
  examples: [
    'rotavox ivr ring draft_… --pbx office --endpoint PJSIP/101',
    'rotavox ivr ring ivr_… --pbx office --endpoint PJSIP/101',
  ],
  id: 'the id of a stored menu (ivr_…) or of a draft (draft_…)',
  pbx: 'the telephone system that the phone belongs to',
  endpoint: 'the phone as Asterisk names it, such as PJSIP/101',
} as const;

export const pbxCliText = {
  question: (name: string) => `Password of ${name} (is not shown): `,
  noPassword: (name: string) =>
    `There is no password. Give that of the user in ari.conf on stdin: \`rotavox pbx add ${name} … < password\``,
  badPassword: (rule: string | undefined) => `The password ${rule ?? 'is not valid'}.`,
  routeUsage: (types: readonly string[]) =>
    `--route is written TYPE=CONTEXT,EXTENSION or TYPE=none, with one of these types: ${types.join(', ')}.`,
  nothingToChange: 'Name at least one thing to change.',
  badRoute: (rule: string | undefined) => `--route: ${rule ?? 'this is not valid'}.`,
  columns: ['name', 'state', 'calls', 'address', 'user'],
  none: 'There is no telephone system yet. Add one: `rotavox pbx add NAME --url URL --user USER`',
  added: (name: string) => `${name} is added. Test it: \`rotavox pbx test ${name}\``,
  changed: (name: string) => `${name} is changed.`,
  removed: (name: string) => `${name} is removed.`,
  rings: (endpoint: string) => `${endpoint} rings.`,
  passes: 'ok',
  fails: 'fails',
} as const;

export function pbxRow({ name, state, calls, url, user }: PbxView): string[] {
  const trouble = state.status === 'unreachable' ? `: ${state.trouble.code}` : '';
  const version = state.status === 'connected' ? ` (Asterisk ${state.version})` : '';
  return [name, `${pbxStateLabels[state.status]}${version}${trouble}`, countWords(calls, 'call'), url, user];
}

export function pbxCheckRow({ check, trouble }: PbxTest['checks'][number]): string[] {
  return [
    trouble === null ? pbxCliText.passes : pbxCliText.fails,
    pbxCheckNames[check],
    trouble === null ? '' : pbxTroubleLine(trouble),
  ];
}

/** The prompts that callers do not hear, below a heading; none without any. */
export function silentLines(silent: PbxTest['silent']): string[] {
  if (silent.length === 0) return [];
  const lines = silent.map(
    (one) => `  ${quotedName(one.menu)}, ${referenceInSentence(one.prompt)}: ${silentReasonText(one)}`,
  );
  return ['', silentTitle(silent), ...lines];
}

/** Lines to add, indented below what to do with them. */
export function configLines(lines: ConfigLines): string[] {
  return ['', configLinesText(lines), ...lines.lines.map((line) => (line === '' ? '' : `  ${line}`))];
}
