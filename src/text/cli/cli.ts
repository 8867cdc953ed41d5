import type { FieldError } from '../../contract/problems.ts';

/**
 * What several commands say, and the help of the program itself. The text of each subject is in `cli-<subject>.ts`.
 *
 * Every command loads this file first, so it imports nothing that takes time to load (test/cli/loaded-first.test.ts).
 */

/** The help of a command: what it does, and examples that can be pasted. Its options stand beside these. */
export interface CommandHelp {
  readonly description: string;
  readonly examples: readonly [string, ...string[]];
}

export const programHelp = {
  description:
    'Issues API tokens, rotates them before they expire, and serves phone menus (IVRs) on this machine.',
  version: 'print the version',
  help: 'show help',
  helpCommand: 'show help for a command',
  dataDir: 'the data folder (default: ROTAVOX_DATA_DIR, or the standard folder for app data)',
  host: 'a host for a team, such as https://team.example.com, instead of this machine (default: ROTAVOX_HOST); see `rotavox host`',
  afterError: '(Add --help to see the options.)',
  after:
    '\nResults are printed on stdout, messages on stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not running.',
  json: 'print the result as one line of JSON',
  /** The lines after the options of a command. */
  examples: (examples: readonly string[]) =>
    `\nExample:\n${examples.map((example) => `  $ ${example}`).join('\n')}`,
} as const;

/** Options of lists and files, the same in every command. */
export const optionHelp = {
  historyLimit: 'show at most this many events',
  before: 'only events before this one',
  inputFile: 'the file, or - for stdin',
  dryRun: 'show what would change, and change nothing',
  id: (what: string, list: string) => `the id of the ${what}, as \`rotavox ${list}\` shows it`,
} as const;

/** What is wrong with the text of an option, the end of commander's sentence about it. */
export const optionProblem = {
  date: 'It must be a date such as 2026-11-21.',
  invalid: (rule: string | undefined) => `It ${rule ?? 'is not valid'}.`,
  hours: 'It must be two times of day with a dash between them, such as 22:00-04:00, or any.',
  instant: (rule: string | undefined) =>
    `It ${rule ?? 'is not valid'}, a date such as 2027-01-31, or a time from now such as 90d.`,
  wholeNumber: (min: number, max: number) => `It must be a whole number from ${min} to ${max}.`,
  duration: 'It must be a time such as 30m, 2h or 1d.',
  nameAndValue: 'It must be a name and a value, such as kind=project.',
} as const;

/** What a command cannot read. */
export const inputProblem = {
  dataDir: '--data-dir needs a folder.',
  stdin: 'The input on stdin',
  token: 'The token',
  file: 'The file',
  body: 'The body',
  tooLarge: (name: string, mebibytes: number) => `${name} is larger than ${mebibytes} MiB.`,
  unreadable: (name: string, code: string) => `${name} cannot be read (${code}).`,
} as const;

/** What a command cannot print. */
export const outputProblem = {
  terminal: (what: string) =>
    `${what} is not printed on a terminal. Send it to a file or a program: add > FILE.`,
  incomplete: (code: string) => `Not everything could be printed (${code}): stdout is not complete.`,
} as const;

/** What is wrong field by field, a line each. `whole` is what has the fields. */
export function fieldErrorLines(errors: readonly FieldError[], whole: string): string[] {
  return errors.map(({ field, message }) => `  ${field === '' ? whole : field} ${message}`);
}

/** Why the service could not be asked. */
export const serviceProblem = {
  /** Two lines: what is wrong and what to do. */
  notRunning: (dataDir: string, detail?: string) => [
    `Rotavox is not running with the data folder ${dataDir}.${detail === undefined ? '' : ` ${detail}`}`,
    'Start it with `rotavox serve`, or open the app. If it runs with another folder, name that folder with --data-dir.',
  ],
  notClosed: (pid: number) => `Process ${pid}, which last used it, did not shut down cleanly.`,
  unreadable: (file: string, code: string) => `Its ${file} cannot be read (${code}).`,
  unknownFormat: (file: string) => `Its ${file} was not written by this version of Rotavox.`,
  noRuntimeFile: (dataDir: string, pid: number, file: string) => [
    `Rotavox uses the data folder ${dataDir} (process ${pid}), but ${file} is missing: it is starting or stopping, or the ` +
      'file was deleted.',
    'Try again in a minute. If the file is still missing, quit Rotavox and start it again.',
  ],
  noAnswer: (baseUrl: string) => `Its runtime.json says ${baseUrl}, but nothing answers there.`,
  otherService: (baseUrl: string) =>
    `Another Rotavox answers at ${baseUrl}, which its runtime.json still names.`,
  tooLarge: (baseUrl: string, mebibytes: number) =>
    `The answer of ${baseUrl} is larger than ${mebibytes} MiB. The rest was not read, and nothing was written.`,
  refused: 'Refused:',
  withRequest: (message: string, requestId: string | undefined) =>
    message + (requestId === undefined ? '' : ` (request ${requestId})`),
} as const;

/** The command that says more about a refusal, or helps, as a line; none where its code does not tell. */
export function refusalToDo({
  status,
  code,
  errors = [],
}: {
  readonly status: number;
  readonly code?: string;
  readonly errors?: readonly FieldError[];
}): string[] {
  if (errors.some(({ field }) => field === 'expires_at'))
    return toDo('repeat this command with --expires-at 2027-01-31, --expires-at 90d or --validity 90');
  if (code === 'cannot_rotate') return toDo('repeat this command with --remind-only');
  if (code === 'data_moved') return toDo('rotavox confirm-move');
  if (code === 'vault_unavailable') return toDo('rotavox credential list');
  return status === 503 ? toDo('rotavox status') : [];
}

/** The line about a command to type next. */
export function toDo(command: string): string[] {
  return [`To do: ${command}`];
}

/** The lines about an unexpected failure. */
export function unexpectedFailure(stack: string): string[] {
  return [
    'rotavox failed unexpectedly. This is a bug; please report it with these lines:',
    ...stack.split('\n'),
  ];
}
