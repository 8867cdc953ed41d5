import { maxValidityDays, type Scope } from '../../contract/token/token.ts';
import { countWords } from '../count.ts';

/** The dialog that issues a token: its form, and then the token. */
export const issueTokenText = {
  title: 'Issue a token',
  issuedTitle: 'Token issued',
  name: { label: 'Name', subject: 'The name', hint: 'The app that will use it.' },
  category: { label: 'Category', subject: 'The category', hint: 'Default: general.' },
  validity: {
    label: 'Valid for',
    hint: 'Each rotation starts this time again.',
    days: (days: number) => countWords(days, 'day'),
    other: 'Other',
    otherDays: { label: `Days, from 1 to ${maxValidityDays}`, subject: 'The validity' },
  },
  scopes: {
    label: 'Scopes',
    hint: (scopes: readonly Scope[] | 'full') => scopesText(scopes),
    access: { full: 'Full access', some: 'Only these:' },
    only: 'Scopes of the token',
    subject: 'The selection',
    none: 'must name one scope at least, or be full access',
    meanings: { 'ivr:read': 'Read phone menus', 'ivr:write': 'Change phone menus' } satisfies Record<
      Scope,
      string
    >,
  },
  addresses: {
    label: 'Allowed addresses',
    subject: (rule: string | undefined) => (rule === undefined ? 'The list' : `“${rule}”`),
    hint: (count: number) =>
      count === 0
        ? 'Leave empty to allow any address. Otherwise one address or CIDR range per line, such as 10.0.0.0/8 or ::1.'
        : `It works only from ${count === 1 ? 'this address' : `these ${count}`}; from anywhere else it is refused.`,
  },
  rotate: {
    label: 'Rotate automatically',
    hint: (store: string) =>
      `Rotavox stores it in the ${store} of this machine and rotates it before it expires. Each rotation ends the token before it.`,
    cannotStore: (store: string, reason: string) =>
      `Rotavox needs the ${store} to store the token, and cannot use it. ${reason}`,
  },
  credentialName: {
    label: 'Credential name',
    subject: 'The name',
    hint: 'Scripts and windows use this name.',
    hintCommand: 'Scripts get the current token with {command}.',
    placeholder: 'NAME',
    taken: (name: string) => `A credential named “${name}” already exists. Choose another name.`,
  },
  cancel: 'Cancel',
  issue: 'Issue token',
} as const;

/** What a token may do with these scopes. */
function scopesText(scopes: readonly Scope[] | 'full'): string {
  if (scopes === 'full') return 'Every call that takes a token.';
  const [first, second] = scopes;
  if (first === undefined) return 'Select what the token may do. It can always rotate itself.';
  if (second !== undefined) return 'Both, and no scope that is added later. It can always rotate itself.';
  return first === 'ivr:read'
    ? 'Lists and reads phone menus, and cannot change them. It can always rotate itself.'
    : 'Creates, replaces and deletes phone menus, and cannot read them. It can always rotate itself.';
}

/** What the dialog shows after the token was issued. */
export const issuedTokenText = {
  issued: '{name} works until {expires}.',
  /** Where it is in no vault. */
  shownOnce:
    'Copy it now: this is the only time that it is shown. The service stores a fingerprint of it, not the token.',
  token: 'the token',
  notSaved:
    'The token was not copied and is not rotated automatically. Close again to discard it; you can issue a new token at any time.',
  close: 'Close',
  storing: (store: string) => `Storing it in the ${store} …`,
  added: 'Rotated automatically as {name}.',
  addedNext: 'Rotated automatically as {name}; next rotation {next}.',
  readIt: 'Programs read the current token with this command:',
  copyCommand: 'Copy command',
  commandCopied: 'Copied',
  commandRefused: 'The clipboard refused it. Select the command and copy it.',
  once: 'Or copy the token itself. It stops working at the first rotation.',
  notAdded: (reason: string) => `It is not rotated automatically. ${reason}`,
  retry: 'Try again',
} as const;
