import type { CredentialView } from '../../contract/credential/credential-view.ts';
import {
  type IssuedToken,
  maxValidityDays,
  namedValidities,
  scopes,
  tokenStatuses,
  type TokenView,
  usualValidityDays,
} from '../../contract/token/token.ts';
import { nextRotationText } from './cli-rotation.ts';
import { type CommandHelp, optionHelp } from './cli.ts';
import { countWords } from '../count.ts';
import { localTime, timeLeft } from '../time.ts';

/** What the token commands say. */

export const tokenHelp = {
  description: 'Issue API tokens, change their status and read their history.',
  examples: ['rotavox token issue --name nightly-report --validity 7', 'rotavox token list'],
  id: optionHelp.id('token', 'token list'),
  issue: {
    description:
      'Issue a token. It is printed now and cannot be shown again, unless it is added as a credential.',
    examples: [
      'rotavox token issue --name nightly-report --validity 7',
      'rotavox token issue --name pbx --validity 30 --scope ivr:write --allow-ip 127.0.0.1 --json',
      'rotavox token issue --keep-as pbx',
    ],
    name: 'what the token is for (default: the name given with --keep-as)',
    validity: `validity in days, 1 to ${maxValidityDays}; usual values are ${namedValidities.join(', ')} (default with --keep-as: ${usualValidityDays})`,
    incomplete: `A token needs a name and a validity: --name <name> --validity <days>. With --keep-as <name> it has that name and ${usualValidityDays} days unless you say otherwise.`,
    scope: `restrict it to ${scopes.join(' or ')}; may be repeated`,
    allowIp: 'restrict it to an address or a range; may be repeated',
    category: 'its category',
    expiresAt: 'when this token expires, if sooner than its validity; rotated tokens get the full validity',
    keepAs:
      'add it as a credential with this name: it is rotated automatically, stored in the vault and not printed',
  },
  list: {
    description: 'List tokens, newest first.',
    examples: [
      'rotavox token list --status Active,Suspended --newest --sort expires',
      'rotavox token list --text billing',
      'rotavox token list --family fam_… --json',
    ],
    status: `only tokens with one of these statuses, separated by commas: ${tokenStatuses.join(', ')}`,
    category: 'only tokens of this category',
    text: 'only tokens with this text in their name, the name of their credential, category, id or reason',
    newest: 'leave out previous tokens, which a rotation replaced',
    sort: 'sort by this (default: created)',
    order: 'sort direction (default: desc for created and changed, otherwise asc)',
    family: 'only one token with its previous and later ones: the id fam_… that `token show` prints',
    after: 'start after this token',
    limit: 'show at most this many',
  },
  show: {
    description: 'Show one token: its status, its configuration, and the tokens before and after it.',
    examples: ['rotavox token show tok_…_1'],
  },
  history: {
    description: 'Show the events of one token, newest first.',
    examples: ['rotavox token history tok_…_1'],
  },
  dismissUse: {
    description: 'Dismiss the warning that previous tokens are still used. A later use is reported again.',
    examples: ['rotavox token dismiss-use tok_…_2'],
    id: 'the id of the token, or the id fam_… that it shares with its previous and later ones',
  },
  suspend: statusHelp('suspend', 'Suspend an Active token: it is refused until you resume it.'),
  resume: statusHelp('resume', 'Make a Suspended token Active again.'),
  blacklist: statusHelp('blacklist', 'Refuse an Active or Suspended token permanently.'),
  reason: 'why; recorded in the history',
} as const satisfies CommandHelp & Record<string, unknown>;

function statusHelp(command: string, description: string): CommandHelp {
  return { description, examples: [`rotavox token ${command} tok_…_1 --reason "why, for the history"`] };
}

export const tokenText = {
  none: 'No tokens found. Issue one with `rotavox token issue`.',
  more: (total: number, after: string) =>
    `There are more, ${total} in all: \`rotavox token list --after ${after}\``,
  status: ({ id, status }: TokenView) => `${id} is ${status}.`,
  /** Which token was issued and how long it is valid. */
  issued: ({ id, name, expires_at: expiresAt }: IssuedToken, nowMs: number) =>
    `Issued ${id} "${name}", Active until ${localTime(expiresAt)} (${timeLeft(expiresAt, nowMs)}).`,
  shownOnce: 'Save it now: it is not stored and cannot be shown again.',
  added: (credential: CredentialView, nowMs: number) =>
    `Added as the credential ${credential.name}; next rotation: ${nextRotationText(credential, nowMs)}. ` +
    `\`rotavox get ${credential.name}\` prints the token.`,
  notAdded: (name: string, reason: string) => `It was not added as the credential ${name}: ${reason}`,
  notAddedAdvice: (id: string) =>
    `Add it with \`rotavox credential add\`, or revoke it with \`rotavox token blacklist ${id}\`.`,
} as const;

export const tokenListHead = ['id', 'status', 'left', 'expires', 'validity', 'name', 'category'];

export function tokenListRow(token: TokenView, nowMs: number): string[] {
  return [
    token.id,
    token.status,
    isUsable(token) ? timeLeft(token.expires_at, nowMs) : '-',
    localTime(token.expires_at),
    countWords(token.validity_days, 'day'),
    token.name,
    token.category,
  ];
}

/** Everything about one token, each with its label. */
export function tokenRows(token: TokenView, nowMs: number): string[][] {
  const optional = (label: string, value: string | null): string[][] =>
    value === null ? [] : [[label, value]];
  const moment = (instant: string | null): string | null => (instant === null ? null : localTime(instant));
  const left = isUsable(token) ? ` (${timeLeft(token.expires_at, nowMs)} left)` : '';
  return [
    ['Token', token.id],
    ['Name', token.name],
    ['Category', token.category],
    ['Status', token.status],
    ...optional('Reason', token.reason),
    ['Validity', countWords(token.validity_days, 'day')],
    ['Created', localTime(token.created_at)],
    ['Expires', localTime(token.expires_at) + left],
    ['First used', moment(token.first_used_at) ?? 'not yet'],
    ...optional('Ended', moment(token.ended_at)),
    ['Scopes', token.scopes.join(', ') || 'unrestricted'],
    ['Addresses', token.ip_restrictions.join(', ') || 'any'],
    ['All rotations', token.family_id],
    ...optional('Rotated from', token.predecessor_id),
    ...optional('Rotated to', token.successor_id),
  ];
}

/** Whether it works or can be resumed, so that its remaining time matters. */
function isUsable({ status }: TokenView): boolean {
  return status === 'Active' || status === 'Suspended';
}
