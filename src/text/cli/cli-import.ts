import { maskedValue } from '../../contract/credential/credential-checks.ts';
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { countWords } from '../count.ts';
import { deliveryProblemText } from '../credential/delivery.ts';
import { durationText, localTime } from '../time.ts';
import { type CommandHelp, optionHelp, toDo } from './cli.ts';

/** What is said of tokens that are found on this machine, and of those that are taken in from a file. */

export const importHelp = {
  description:
    'Take in the tokens of a file: each becomes a credential, and its line the target of it, or the tool that the file belongs to asks Rotavox from now on. Shows all of it first. Reads dotenv, JSON, YAML, TOML and INI files, .git-credentials, the config.json of docker, a kubeconfig and .npmrc.',
  examples: [
    'rotavox credential import .env --dry-run',
    'rotavox credential import .env --only GITLAB_TOKEN --base-url https://gitlab.example.com',
    'rotavox credential import ~/.git-credentials',
  ],
  file: 'the file; it stays where it is',
  only: 'take in this line only, by its key as the list shows it; repeat it for several',
  name: 'what the credential is called; for one line, with --only',
  format: 'how the file is written (default: what its name says, otherwise dotenv)',
  baseUrl: 'the service that issued the token; for one line, with --only',
  remindOnly: 'for a service without a rotate endpoint: do not rotate, remind before it expires',
  dryRun: optionHelp.dryRun,
  yes: 'do not ask',
} as const satisfies CommandHelp & Record<string, unknown>;

export const findHelp = {
  description:
    'Find tokens in the files where tools of this account keep them, such as ~/.git-credentials, ~/.docker/config.json, ~/.kube/config and ~/.npmrc. No token is shown or sent anywhere, and nothing is changed.',
  examples: ['rotavox credential find', 'rotavox credential find --folder ~/projects/shop'],
  folder: 'also the dotenv files of this folder, without those below it',
} as const satisfies CommandHelp & Record<string, unknown>;

/** Why a file is not read. */
type FileRefusal =
  | { readonly kind: 'missing' | 'not_a_file' | 'not_ours' | 'too_large' | 'not_text' }
  | { readonly kind: 'system'; readonly code: string };

export function fileRefusalText(file: string, refusal: FileRefusal): string {
  switch (refusal.kind) {
    case 'missing':
      return `There is no file ${file}.`;
    case 'not_a_file':
      return `${file} is not a file.`;
    case 'not_ours':
      return `${file} belongs to another account, so it was not read.`;
    case 'too_large':
      return `${file} is larger than 1 MiB, so it was not read.`;
    case 'not_text':
      return `${file} is not a text in UTF-8, so nothing was taken from it.`;
    case 'system':
      return `${file} cannot be read (${refusal.code}).`;
  }
}

type LeftReason =
  | DeliveryProblem
  | { readonly code: 'encrypted_value' | 'reference' | 'placeholder' | 'would_change' | 'no_place' }
  | { readonly code: 'same_place' | 'other_user' | 'token_is_user' }
  | { readonly code: 'connected'; readonly credential: string };

const leftTexts = {
  encrypted_value: 'another program has encrypted it',
  reference: 'it names where the token is',
  placeholder: 'it is a placeholder',
  would_change:
    'a delivery would change this line. Put its value into quotes, and remove other lines of this name',
  no_place: 'Rotavox cannot update it there',
  same_place: 'another line is for the same address',
  other_user: 'another line has another user for the same address, and Rotavox gives a tool one user there',
  token_is_user: 'the token is in the place of the user. Put it in the place of the password',
} as const;

function leftText(reason: LeftReason): string {
  if (reason.code === 'connected') return `the tool already asks for ${reason.credential} there`;
  return isOwnReason(reason) ? leftTexts[reason.code] : deliveryProblemText(reason);
}

function isOwnReason(reason: LeftReason): reason is Extract<LeftReason, { code: keyof typeof leftTexts }> {
  return Object.hasOwn(leftTexts, reason.code);
}

type Use =
  | { readonly kind: 'target' }
  | { readonly kind: 'connection'; readonly tool: string; readonly url: string; readonly username: string };

/** What is shown of a token. */
interface ShownItem {
  readonly found: { readonly key: string; readonly line: number; readonly use: Use };
  readonly status: 'ready' | 'done' | 'needs' | 'left';
  readonly credential: string;
  readonly isNew: boolean;
  readonly needs: readonly ('address' | 'validity')[];
  readonly reason: LeftReason | null;
}

const needTexts = {
  address: 'the address of its service',
  validity: 'its expiry',
} as const;

function planText({ found, status, credential, isNew, needs, reason }: ShownItem): string {
  const { use } = found;
  if (status === 'left') return `not taken in: ${reason === null ? '' : leftText(reason)}`;
  if (status === 'needs')
    return `not taken in: ${needs.map((one) => needTexts[one]).join(' and ')} ${needs.length === 1 ? 'is' : 'are'} not known`;
  if (status === 'done') return `is a target of ${credential} already`;
  const who = isNew ? `new credential ${credential}` : `credential ${credential} has this token`;
  return use.kind === 'target'
    ? `${who}; this line becomes a target of it`
    : `${who}; ${use.tool} asks Rotavox, and the token is removed from this file`;
}

const examples = { address: '--base-url https://…', validity: '--validity 90' } as const;

export const importText = {
  columns: ['line', 'key', 'token', 'service', 'then'],
  row: (item: ShownItem, service: string) => [
    String(item.found.line),
    item.found.key,
    maskedValue,
    service,
    planText(item),
  ],
  leftRow: ({ key, line, reason }: { key: string; line: number; reason: LeftReason }) => [
    String(line),
    key,
    maskedValue,
    '',
    `not taken in: ${leftText(reason)}`,
  ],
  service: (name: string | null, baseUrl: string | null, isHere: boolean) => {
    if (name === null) return baseUrl === null ? 'not known' : `not known, at ${baseUrl}`;
    if (isHere) return 'this Rotavox';
    return baseUrl === null ? name : `${name} at ${baseUrl}`;
  },
  none: (file: string) =>
    `No token was found in ${file}. Name the line of one: \`rotavox credential import ${shellWord(file)} --only KEY\``,
  noSuchKey: (file: string, key: string) => `${file} has no value with the key ${key} that can be a token.`,
  onlyOne: '--name and --base-url are for one line: name it with --only.',
  /** A tool gets a setting, and the plain copy of the token goes. */
  removes: (file: string, line: number) => `  - line ${line} of ${file}: the token`,
  asksNoMore: (tool: string, others: readonly { readonly value: string }[]) =>
    others.map(({ value }) => `${tool} asks ${value} no more for this address.`),
  missing: (file: string, { found, needs }: ShownItem) =>
    toDo(
      `rotavox credential import ${shellWord(file)} --only ${shellWord(found.key)} ${needs.map((one) => examples[one]).join(' ')}`,
    ),
  nothing: 'There is nothing to do.',
  dryRun: 'Nothing was changed.',
  ask: 'Take them in? [y/N] ',
  noTerminal: 'There is no terminal to ask on. Add --yes to take them in, or --dry-run to only look.',
  notAgreed: 'Nothing was changed.',
  changedMeanwhile: (file: string) =>
    `${file} was changed meanwhile, so this line was left alone. Run it again.`,
  notAdded: (credential: string) => `The credential ${credential} could not be added.`,
  undone: (tool: string, credential: string) =>
    `${tool} could not use the token through Rotavox, so its setting was taken back, and the file was left as it is. The credential ${credential} stays.`,
  result: (key: string, message: string) => `${key}: ${message}`,
  notUsed: (tool: string, file: string) =>
    `${tool} cannot use the token through Rotavox, so ${file} was left as it is. Run it again when ${tool} gets the token.`,
  doneTarget: (credential: string) => `is a target of ${credential} now.`,
  doneConnection: (credential: string, tool: string) =>
    `${tool} asks Rotavox for the token of ${credential} now, and the file no longer has it.`,
  staysInFile: (file: string) =>
    `${file} still has the token, because it has another form than expected. Remove it by hand.`,
  failed: (count: number) => `${countWords(count, 'token')} could not be taken in.`,
  unread: (count: number) =>
    `The tokens of ${countWords(count, 'credential')} could not be read, so they are not recognised here.`,
} as const;

export const findText = {
  columns: ['where', 'key', 'token', 'service', 'age of file', 'expires', 'credential'],
  row: (one: {
    readonly file: string;
    readonly line: number;
    readonly key: string;
    readonly service: string;
    readonly ageMs: number;
    readonly expiresAt: string | null;
    readonly credential: string | null;
  }) => [
    `${one.file}:${one.line}`,
    one.key,
    maskedValue,
    one.service,
    durationText(one.ageMs),
    one.expiresAt === null ? 'not known' : localTime(one.expiresAt),
    one.credential ?? '',
  ],
  service: (name: string | null) => name ?? 'not known',
  none: 'No token was found in the files where tools of this account keep them.',
  unreadable: (file: string, reason: string) => `${file} was skipped: ${reason}`,
  notRunning: 'Rotavox is not running, so it is not known which of these are credentials already.',
  importLine: (file: string) => toDo(`rotavox credential import ${shellWord(file)} --dry-run`),
} as const;
