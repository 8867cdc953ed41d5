import { countWords } from '../count.ts';
import { nearText } from '../time.ts';

/** The fixed labels of the overview. */
export const overviewText = {
  title: 'Rotavox',
  issueTitle: 'Issue a token — Rotavox',
  wholeHistory: 'Show the whole history',
  menus: {
    title: 'Phone menus (IVRs)',
    none: 'None yet. The designer checks a menu and plays test calls before callers reach it.',
    some: 'Apps with a token list them with {route}.',
    design: 'Design a phone menu',
    show: 'Show phone menus',
  },
  tokens: { title: 'API tokens', issue: 'Issue a token…', none: 'No tokens yet.' },
  service: {
    title: 'Service',
    version: (version: string) => `Version ${version}`,
    address: 'Address',
    addressCopy: "the service's address",
    store: 'Store',
    saved: 'Every change is on disk',
    savedInDatabase: 'Saved in the database',
    refusing: 'Refuses changes',
    changes: (count: number) => (count === 0 ? 'no changes yet' : countWords(count, 'change')),
    vault: 'Vault',
    vaultMove: 'Move tokens',
    dataFolder: 'Data folder',
    dataFolderCopy: "the data folder's path",
    startedAt: 'Running since',
    process: (pid: number) => `process ${pid}`,
  },
  /** What closing the window leaves running. */
  inBrowser: 'The service keeps running when you close this page. Stop it where it was started.',
  inApp:
    'The service keeps running when you close this window. Quitting stops it; apps cannot rotate their tokens until it runs again.',
  quit: 'Quit Rotavox',
} as const;

/** The fixed labels of the list of what needs attention. */
export const attentionListText = {
  title: 'Needs attention',
  nothing: 'Nothing needs attention.',
  /** The heading says the rest to people who see it. */
  count: (count: number) => ({
    shown: countWords(count, 'item'),
    unseen: count === 1 ? 'needs attention' : 'need attention',
  }),
  showAll: (count: number) => `Show all ${count.toLocaleString()}`,
  showLess: 'Show less',
  leftOut: (count: number) => `${count.toLocaleString()} more expire later.`,
  untilExpiry: 'until it expires',
  expired: 'expired',
  /** What a button says while its call is under way. */
  busy: {
    resume: 'Resuming…',
    resume_token: 'Resuming…',
    deliver: 'Delivering…',
    dismiss_use: 'Dismissing…',
    remove_host: 'Removing…',
  },
} as const;

/** The text beside "Nothing needs attention.": what comes next, or what exists. */
export function calmText(
  next: { readonly name: string; readonly at: string } | null,
  has: 'nothing' | 'tokens' | 'credentials',
  nowMs: number,
): string {
  if (next !== null) return `Next rotation: ${next.name}, ${nearText(next.at, nowMs)}.`;
  if (has === 'nothing') return 'No tokens yet.';
  return has === 'tokens' ? 'No credentials yet.' : 'No rotation is planned.';
}

/** The three steps that a new user takes, one at a time. */
export const firstStepsText = {
  title: 'First steps',
  /** Without numbers: a step that is done already is left out. */
  places: { issue: 'First step', rotate: 'Next step', use: 'Last step' },
  dismiss: 'Dismiss',
  issue: {
    title: 'Issue your first token',
    text: 'Rotavox replaces API tokens before they expire and gives your programs the current one.',
    button: 'Issue a token…',
    other: 'Add a token that you already have',
    orCommand: 'Or in a terminal:',
    command: 'the command that issues a token',
  },
  rotate: {
    title: 'Rotate it automatically',
    text: 'Rotavox rotates it before it expires and stores each new token encrypted on this machine.',
    button: 'Add a credential…',
  },
  use: {
    title: 'Use it in your app',
    text: (name: string) =>
      `${name} is rotated before it expires, and each new token is stored encrypted on this machine. This command prints the current one:`,
    command: 'the command that prints the token',
    button: 'Done',
    others: 'Other ways to use it',
  },
} as const;

/** The token of the first steps that is rotated while one looks. */
export const exampleText = {
  title: 'Example',
  state: (place: number, rotatesInS: number, expiresInS: number) =>
    `Token ${place} is rotated in ${rotatesInS} s. It would expire in ${expiresInS} s.`,
  about: (lifetimeS: number) =>
    `Valid for ${lifetimeS} seconds and rotated after two thirds of them. It is on this page only.`,
  remove: 'Remove example',
} as const;
