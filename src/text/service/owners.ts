/** Owners: why they were not changed, the `owner` commands, signing in with a key, and the settings about owners and sessions. */
import type { OwnerProblem, OwnerView, RevokedOwner } from '../../contract/service/owner.ts';
import type { CommandHelp } from '../cli/cli.ts';
import { countWords } from '../count.ts';
import { isolated, quotedName } from '../names.ts';
import { localTime } from '../time.ts';

/** Why owners were not changed. */
export function ownerProblemText(problem: OwnerProblem): string {
  switch (problem.kind) {
    case 'name_taken':
      return `There is an owner ${quotedName(problem.name)} already. Choose another name, or revoke that owner first.`;
    case 'not_found':
      return `There is no owner ${quotedName(problem.name)}.`;
    case 'too_many':
      return `There are ${countWords(problem.limit, 'owner')} already, and no more are possible. Revoke one first.`;
  }
}

/** What the `owner` commands say. */
export const ownerHelp = {
  description: 'Add and revoke owners: people who may use everything on this host, each with a key.',
  examples: ["rotavox owner add 'Ada Lovelace'", 'rotavox owner list', "rotavox owner revoke 'Ada Lovelace'"],
  name: 'the name of the owner, as `rotavox owner list` shows it',
  newName: 'a name for the history: letters, digits, spaces and . _ - @ + and apostrophes',
  add: {
    description: 'Add an owner. The key is printed once; it signs in to the windows in a browser.',
    examples: ["rotavox owner add 'Ada Lovelace'", 'rotavox owner add ada --json'],
  },
  list: {
    description:
      'List owners, when each was added and last used the key, and the browsers that are signed in.',
    examples: ['rotavox owner list', 'rotavox owner list --json'],
  },
  revoke: {
    description:
      'Revoke an owner. The key stops working, and the owner is signed out of all browsers, at once.',
    examples: ["rotavox owner revoke 'Ada Lovelace'"],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const ownerCliText = {
  columns: ['name', 'added', 'last used', 'browsers'],
  none: 'There are no owners with a key. Add one: `rotavox owner add NAME`',
  added: (name: string) =>
    `${name} can sign in with this key. It cannot be shown again; whoever has it may use everything on this host.`,
  revoked: ({ name, sessions_ended, owners_left }: RevokedOwner) => {
    const ended = sessions_ended === 0 ? '' : ` ${countWords(sessions_ended, 'browser')} signed out.`;
    const none =
      owners_left > 0
        ? ''
        : ' No owner with a key is left: nobody can sign in from another machine until one is added.';
    return `${name} is revoked.${ended}${none}`;
  },
} as const;

export function ownerRow({ name, created_at, last_used_at, sessions }: OwnerView): string[] {
  return [
    name,
    localTime(created_at),
    last_used_at === null ? 'never' : localTime(last_used_at),
    String(sessions),
  ];
}

/** The page that asks a browser for the key of an owner. */
export const ownerSignInText = {
  title: 'Sign in',
  lead: (days: number, idleHours: number) =>
    `Enter your owner key. You stay signed in until you sign out, for ${days} days at most, or until you have not used Rotavox for ${idleHours} hours.`,
  key: 'Owner key',
  hint: 'It begins with rvo_. An owner of this host can make one for you.',
  missing: 'Enter your owner key.',
  show: 'Show',
  hide: 'Hide',
  submit: 'Sign in',
  submitting: 'Signing in …',
  notKept:
    'This browser stores nothing for this page, so it cannot stay signed in. Allow it to store data, then sign in again.',
  command: 'On the computer where Rotavox runs, this command signs in without a key:',
  copyCommand: 'the command for a sign-in link',
} as const;

/** The settings about owners and the browsers in which one is signed in. */
export const ownerSettingsText = {
  owners: {
    title: 'Who has a key',
    hint: 'Each owner may use everything on this host, with a key of their own. The history says who did what.',
    none: 'No owner has a key yet.',
    list: 'Owners',
    you: 'you',
    added: 'Added {at}, key not used yet.',
    used: (browsers: number) =>
      `Added {at}, last used {used}${browsers === 0 ? '' : `, signed in to ${countWords(browsers, 'browser')}`}.` as const,
    add: 'Add owner',
    revoke: 'Revoke',
  },
  add: {
    title: 'Add an owner',
    name: { label: 'Name', hint: 'For the history, such as Ada Lovelace.', subject: 'The name' },
    cancel: 'Cancel',
    add: 'Add owner',
    adding: 'Adding …',
    addedTitle: (name: string) => `Key of ${isolated(name)}`,
    once: 'Give this key to the owner in a safe way. It cannot be shown again, and whoever has it may use everything on this host.',
    key: 'the key',
    done: 'Done',
  },
  revoke: {
    title: (name: string) => `Revoke ${quotedName(name)}?`,
    text: (browsers: number) =>
      `${browsers === 0 ? 'The key stops working at once' : `At once, the key stops working and ${countWords(browsers, 'browser')} ${browsers === 1 ? 'is' : 'are'} signed out`}. Tokens and credentials stay as they are.`,
    isYou: 'This is your own key: you will be signed out.',
    isLast:
      'No other owner has a key. Until one is added on the computer where Rotavox runs, nobody can sign in from another one.',
    cancel: 'Cancel',
    revoke: 'Revoke owner',
  },
  sessions: {
    list: 'Your browsers',
    none: 'You are signed in to no browser.',
    current: 'this browser',
    times: 'Signed in {at}, last used {used}, from {address}.',
    signOut: 'Sign out',
  },
} as const;

const browsers: readonly (readonly [part: RegExp, name: string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [part: RegExp, name: string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone|iPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** What a browser calls itself, in a few words: "Firefox on Linux". What is not known is shown as it was sent. */
export function browserText(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown browser';
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([part]) => part.test(userAgent))?.[1],
  );
  if (browser === undefined) return isolated(userAgent);
  return system === undefined ? browser : `${browser} on ${system}`;
}
