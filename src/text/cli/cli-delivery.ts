import type { DeliveryPreview } from '../../contract/credential/credential-checks.ts';
import type { TargetView } from '../../contract/credential/credential-view.ts';
import { type DeliveryTarget, defaultVariable } from '../../contract/credential/credential.ts';
import type { CommandHelp } from './cli.ts';
import { placeText, receiptLabels, waitsForText } from '../credential/credentials.ts';
import { localTime } from '../time.ts';

/** What the commands say that bring a token to other programs: `credential target` and `exec`. */

export const targetHelp = {
  description: 'Add, list, deliver or remove the places where every new token of a credential is delivered.',
  examples: [
    'rotavox credential target pbx add dotenv ./.env --variable PBX_TOKEN',
    'rotavox credential target pbx add dotenv ./.env --variable PBX_TOKEN --dry-run',
    "rotavox credential target npm add setting ~/.npmrc --key '//npm.example.com/:_authToken'",
    'rotavox credential target app add setting appsettings.json --key Api.Token --dry-run',
    "rotavox credential target ci add setting ~/.kube/config --key 'users[name=ci].user.token'",
    'rotavox credential target crates add setting ~/.cargo/credentials.toml --key registries.my.token',
    "rotavox credential target pypi add setting pip.conf --key '[global]index-url' --template 'https://me:{token}@pypi.example.com/simple'",
    `rotavox credential target ghcr add setting ~/.docker/config.json --key 'auths."ghcr.io".auth' --base64 'me:{token}'`,
    'rotavox credential target pbx add hook -- systemctl --user reload pbx-client',
    'rotavox credential target pbx list',
    'rotavox credential target pbx deliver tgt_…',
  ],
  action: 'what to do',
  what: 'after add: one of the targets below; after deliver and remove: the id of a target',
  service: 'keychain: the service of the entry',
  account: 'keychain: the account of the entry',
  variable: `dotenv, hook: the variable that contains the token (default: ${defaultVariable})`,
  key: 'setting: the key of the value; names with dots between them, [name=ci] or [0] for an entry of a list; in an INI file [section]name, or the name alone',
  format: 'setting: the format of the file (default: what its name says)',
  template:
    "setting: the text of the value, with {token} in it, such as 'Bearer {token}' (default: the token); in an address, such as https://me:{token}@…, it is percent-encoded",
  base64: "setting: the same, written as base64, such as 'oauth2:{token}'",
  create: 'setting: add the value where there is none, and the file',
  pass: 'hook: how it gets the token (default: stdin)',
  part: 'of a sign-in: what the target gets (default: access_token; both is JSON)',
  timeLimit: 'hook: how many seconds it may run (default: 30)',
  inPlace:
    'file, dotenv, setting: write into the same file, for mounts, hard links and watchers (default: where it is needed)',
  noNewline: 'file: the token without a line break after it',
  mode: 'file, dotenv, setting: the mode of a new file, such as 0640 (default: 0600)',
  owner: 'file, dotenv, setting: the user that owns a new file',
  group: 'file, dotenv, setting: the group of a new file',
  dryRun: 'add: only show what would change; exits with 1 if the token cannot be delivered there',
} as const satisfies CommandHelp & Record<string, unknown>;

/** How each kind of target is written after `add`. */
const targetUsages: Readonly<Record<DeliveryTarget['kind'], string>> = {
  keychain: 'keychain --service S --account A',
  file: 'file PATH [--no-newline] [--in-place] [--mode M] [--owner U] [--group G]',
  dotenv: 'dotenv PATH [--variable V] [--in-place] [--mode M] [--owner U] [--group G]',
  setting:
    'setting PATH --key KEY [--format F] [--template T | --base64 T] [--create] [--in-place] [--mode M] [--owner U] [--group G]',
  hook: 'hook [--pass stdin|env] [--variable V] [--time-limit SECONDS] -- COMMAND…',
};

const usageLines = Object.values(targetUsages).map((usage) => `  ${usage}`);

/** The lines after the options in the help. */
export const targetUsageHelp = `\nTargets:\n${usageLines.join('\n')}`;

/** What is wrong with the arguments of `credential target`. */
export const targetProblem = {
  kind: (kind: string | undefined) => [
    `${kind === undefined ? 'Which target should be added?' : `There is no target of the kind "${kind}".`} Use one of:`,
    ...usageLines,
  ],
  option: (option: string, kind: DeliveryTarget['kind']) =>
    `${option} is not an option of ${kind}. Use: ${targetUsages[kind]}`,
  usage: (kind: DeliveryTarget['kind']) => `Use: ${targetUsages[kind]}`,
  invalid: (field: string, rule: string | undefined, kind: DeliveryTarget['kind']) =>
    `${field} ${rule ?? 'is not valid'}. Use: ${targetUsages[kind]}`,
  action: (text: string, actions: readonly string[]) =>
    `"${text}" is nothing that can be done with a target. Use ${actions.join(', ')}.`,
  nameFirst: (name: string, action: string) =>
    `The name of the credential comes first: rotavox credential target ${name} ${action} …`,
  listArguments: 'list takes no arguments.',
  id: (action: string) =>
    `${action} needs the id of one target, as \`rotavox credential target NAME list\` shows it.`,
  dryRun: '--dry-run is an option of add only.',
  describing: (action: string) => `Options that describe a target are for add, not for ${action}.`,
} as const;

export const targetText = {
  added: (view: TargetView | undefined) =>
    view === undefined ? 'The target is added.' : `Added ${view.id}, ${receiptLine(view)}`,
  /** A command in it is on a line of its own. */
  preview: (message: string) => {
    const lines = message.split('\n');
    return lines.length === 1 ? [`${message} Nothing was changed.`] : [...lines, 'Nothing was changed.'];
  },
  none: (name: string) =>
    `${name} has no targets. Add one, such as a dotenv file: \`rotavox credential target ${name} add dotenv PATH\``,
  removed: (id: string) => `${id} is removed. The token that was delivered there stays.`,
  gone: (id: string) => `The target ${id} no longer exists.`,
} as const;

export const targetListHead = ['id', 'kind', 'where', 'receipt'];

export function targetListRow(view: TargetView): string[] {
  const { kind, part = 'access_token' } = view.target;
  return [
    view.id,
    part === 'access_token' ? kind : `${kind}, ${part}`,
    placeText(view.target),
    receiptText(view),
  ];
}

/** What one target has, as a sentence. */
export function receiptLine(view: TargetView): string {
  return `${placeText(view.target)}: ${receiptText(view)}`;
}

/** How many characters of a note are shown, the last ones; `--json` has all of it. */
const shownNote = 200;

function receiptText({
  status,
  delivered_at: at,
  note,
  message,
  next_try_at: nextTry,
  waits_for: waits,
}: TargetView): string {
  const label = receiptLabels[status];
  switch (status) {
    case 'delivered':
      return (
        label + (at === null ? '' : ` ${localTime(at)}`) + (note === null ? '' : `, output: ${endOf(note)}`)
      );
    case 'owed':
      return waits === undefined ? label : `${label}: ${waitsForText(waits)}.`;
    case 'failing':
      return (
        `${label}: ${message ?? 'the reason is not known'}` +
        (nextTry === null ? '' : ` Next attempt: ${localTime(nextTry)}.`)
      );
  }
}

/** The end of a note, because the last output of a command says most. Well formed: the cut may go through a pair of surrogates. */
function endOf(note: string): string {
  return note.length > shownNote ? `…${note.slice(-shownNote).toWellFormed()}` : note;
}

/** What a delivery would change, line by line: the place, then what is removed (-) and added (+). */
export function previewLines({ place, lines }: DeliveryPreview): string[] {
  return [
    place,
    ...lines.flatMap(({ number, before, after }) => {
      const at = number === null ? '' : `line ${number}: `;
      return [
        ...(before === null ? [] : [`- ${at}${before}`]),
        ...(after === null ? [] : [`+ ${at}${after}`]),
      ];
    }),
  ];
}

export const execHelp = {
  description:
    'Run a command with the tokens of credentials in its environment, masked in what it prints. ' +
    'Signals, exit code and stdin are those of the command; 127 means that it was not found, 126 that it cannot be run. ' +
    'ROTAVOX_URL is the address of the service, such as http://127.0.0.1:7682. The name of the command is recorded as a use of the credentials, without its arguments.',
  examples: [
    'rotavox exec pbx -- node server.js',
    'rotavox exec pbx --env PBX_TOKEN --restart-on-rotate -- ./worker --verbose',
    'rotavox exec --env PBX_TOKEN=pbx --env GITLAB_TOKEN=gitlab -- ./deploy',
  ],
  usage: '[options] <name> | --env <variable>=<name>... -- <command...>',
  command: 'the program and its arguments, after --; they are not read by a shell',
  env: `the variable that contains the token (default: ${defaultVariable}); or VARIABLE=NAME, once for each of several credentials`,
  restartOnRotate:
    'when there is a new token, end the command (SIGTERM, after 10 seconds SIGKILL) and start it again with that token',
  noMasking: 'print directly to the terminal: colours and prompts work, but the token may be shown',
} as const satisfies CommandHelp & Record<string, unknown>;

/** A name alone is not looked for in the working folder. */
function inFolderHint(program: string): string {
  return /[\\/:]/.test(program) ? '' : ` One in the working folder is run as .\\${program}.`;
}

export const execText = {
  restarting: (name: string) => `${name} has a new token; the command is started again with it.`,
  /** `platform`: as Node names it. */
  notFound: (program: string, platform: string) =>
    platform === 'win32'
      ? `${program} was not found: no folder in PATH has it, with any of the extensions in PATHEXT.${inFolderHint(program)}`
      : `${program} was not found: it is not in PATH, or the interpreter in its first line (#!) does not exist.`,
  noCommand: (name: string) =>
    `exec needs a command after the name of the credential, which here is “${name}”: rotavox exec NAME [--env VARIABLE] -- COMMAND…`,
  severalVariables:
    'exec NAME takes one --env. For several credentials leave NAME out and write --env VARIABLE=NAME for each.',
  notBoth: 'Write every --env as VARIABLE=NAME, or one --env without a name after NAME.',
  variableTwice: (variable: string) => `--env names the variable ${variable} twice.`,
  oneCredential: (name: string, other: string) =>
    `exec NAME takes one credential, and got two: ${name} and ${other}. Write -- before the command; for several credentials ` +
    'leave NAME out and write --env VARIABLE=NAME for each.',
  nameAndPairs: (name: string) =>
    `${name} is a credential, not a command. Where --env names the credentials, NAME is left out.`,
  /** Why one of several credentials keeps a command from being started. */
  of: (name: string, reason: string) => `${name}: ${reason}`,
  cannotStart: (program: string, code: string) =>
    `${program} cannot be started (${code}).${code === 'EACCES' ? ' It must be a file that you may execute.' : ''}`,
  signalFailed: (program: string, code: string) => `A signal could not be sent to ${program} (${code}).`,
  removed: (name: string) => `${name} was removed from Rotavox; the command keeps the token that it has.`,
  noChanges: (name: string, reason: string) =>
    `Changes of ${name} cannot be followed at the moment: ${reason}`,
  tokenUnusable: (name: string, reason: string) =>
    `The token of ${name} does not work, and the command continues with it: ${reason}`,
  unreadable: (name: string, reason: string) => `The token of ${name} cannot be read: ${reason}`,
  /** A line of `exec` among those of the command. */
  line: (sentence: string) => `rotavox: ${sentence}`,
} as const;
