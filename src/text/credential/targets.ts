import type { TargetView } from '../../contract/credential/credential-view.ts';
import type { SettingFormat } from '../../contract/credential/setting-key.ts';
import type { TargetPart } from '../../contract/credential/credential.ts';
import { countWords } from '../count.ts';
import { receiptLabels } from './credentials.ts';

/** The delivery targets of a credential. */
export const targetsText = {
  to: (place: string) => `to ${place}`,
  deliver: 'Deliver again now',
  delivering: 'Delivering …',
  delivered: 'Delivered',
  remove: 'Remove…',
  waits: (rest: string) => `The command waits: ${rest}.`,
  notWorking: 'That token does not work at the moment.',
  output: 'Output: {note}',
  removal: { title: 'Remove this target?', cancel: 'Cancel', remove: 'Remove target' },
} as const;

/** Which token a target has: since when, or of how many. */
export function receiptText(
  { status, generation: has, delivered_at: at }: TargetView,
  generation: number,
): string {
  const since = at === null ? '' : ', since {at}';
  if (status === 'delivered') return `Has the current token, number ${has}${since}`;
  if (has === 0) return `${receiptLabels[status]}. It never had a token.`;
  return `${receiptLabels[status]}. It has number ${has} of ${generation}${since}.`;
}

/** How often a delivery was tried, and when it is tried again. */
export function deliveryAttemptsText({ attempts, next_try_at: next }: TargetView): string {
  const tried = countWords(attempts, 'attempt');
  return next === null ? `${tried}; not retried automatically.` : `${tried}; next attempt {next}.`;
}

/** The dialog that adds a target. */
export const targetFormText = {
  title: 'Add target',
  kind: (name: string) => `Where each new token of ${name} is delivered`,
  service: { label: 'Service', subject: 'The service', hint: 'As the other program looks it up.' },
  account: { label: 'Account', subject: 'The account' },
  path: {
    label: 'Path',
    subject: 'The path',
    hints: {
      file: 'The file contains only the token and is readable by you alone. An absolute path, such as /home/me/app/token.',
      dotenv:
        'One variable is changed; everything else in the file stays as it is. An absolute path, such as /home/me/app/.env.',
      setting:
        'One value of a JSON, YAML, TOML or INI file is changed; everything else stays as it is. An absolute path, such as /home/me/.npmrc.',
    },
  },
  program: {
    label: 'Program',
    subject: 'The command',
    hint: 'Run without a shell after each rotation, with the new token. An absolute path, or a name that is found in PATH.',
  },
  args: {
    label: 'Arguments',
    subject: 'An argument',
    hint: 'One per line, taken literally: quotes are part of them. Never enter the token here.',
  },
  pass: 'How it gets the token',
  ways: { stdin: 'On its standard input', env: 'In its environment' },
  variable: { label: 'Variable', subject: 'The variable' },
  timeLimit: {
    label: 'Time limit, in seconds',
    subject: 'The time limit',
    hint: 'From 1 to 240. A command that runs longer is stopped and retried.',
  },
  part: {
    label: 'What it receives',
    hints: {
      access_token: 'It changes with every rotation.',
      refresh_token:
        'It obtains access tokens. Only deliver it to a program that cannot do with the access token: if that program uses it, the sign-in may end.',
      both: 'One line of JSON with access_token and refresh_token. If the program uses the refresh token, the sign-in may end.',
    } satisfies Record<TargetPart, string>,
  },
  cancel: 'Cancel',
  add: 'Add and deliver now',
  addAnyway: 'Add anyway',
  adding: 'Delivering …',
} as const;

/** Which value of a settings file it is, in the same dialog. */
export const settingFieldsText = {
  format: 'Format',
  formats: { json: 'JSON', yaml: 'YAML', toml: 'TOML', ini: 'INI, .npmrc' } satisfies Record<
    SettingFormat,
    string
  >,
  byName: (named: SettingFormat | null): string =>
    named === null ? 'By the name' : `By the name: ${settingFieldsText.formats[named]}`,
  key: {
    label: 'Key',
    subject: 'The key',
    hints: {
      dotted:
        'Names with dots between them, such as Api.Token, auths."ghcr.io".auth or users[name=ci].user.token.',
      ini: 'The name as it is in the file, such as //npm.example.com/:_authToken; with its section in brackets, [global]index-url.',
    },
  },
  template: {
    label: 'Text of the value',
    subject: 'The text',
    hint: 'With {token} in it, such as Bearer {token}; in an address it is percent-encoded. Empty: the token alone.',
  },
  base64: {
    label: 'Written as base64',
    hint: 'For files that hold user name and token encoded, as Docker does.',
  },
  create: {
    label: 'Add the value where there is none',
    hint: 'Also the file. Otherwise the key must exist.',
  },
} as const;

/** How a file is written, in the same dialog. */
export const fileOptionsText = {
  more: 'More: how the file is written',
  way: 'Writing',
  ways: { needed: 'As the file needs it', in_place: 'Into the same file' },
  hints: {
    needed:
      'A new file takes the place of the old one, so that nobody reads half a token. Where a mount, a second link or an access list needs it, the same file is written. The preview says which.',
    in_place:
      'For programs that watch the file, and for mounts and links. A copy beside it protects the file if the power fails while it is written.',
  },
  noNewline: {
    label: 'No line break after the token',
    hint: 'For programs that take the whole file as the token.',
  },
  mode: {
    label: 'Mode of a new file',
    subject: 'The mode',
    hint: 'Octal digits, such as 0640. Empty: 0600, so only you can read it. A file that is there keeps its mode and its owner.',
  },
  owner: { label: 'Owner of a new file', subject: 'The owner', hint: 'Empty: you.' },
  group: { label: 'Group of a new file', subject: 'The group', hint: 'Empty: your group.' },
} as const;

/** What adding a target will change there. */
export const targetPreviewText = {
  title: 'What will change',
  none: 'Enter the place to see what will change there. Nothing is written before you add the target.',
  asking: 'Checking …',
  failed: (reason: string) => `It could not be checked. ${reason}`,
  line: (number: number) => `line ${number}`,
  masked: 'a token, masked',
} as const;
