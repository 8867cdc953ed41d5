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

/** The three steps that a new user takes. */
export const firstStepsText = {
  title: 'First steps',
  what: 'Rotavox replaces API tokens before they expire and gives your programs the current one.',
  picture: {
    label:
      'Token 1 is replaced by token 2 and token 2 by token 3. Your program always reads the current token.',
    token: (place: number) => (place === 3 ? 'current token' : `token ${place}`),
    program: 'your program: rotavox get my-app',
  },
  lead: 'Three steps to a token that is rotated before it expires.',
  dismiss: 'Dismiss',
  done: '(done)',
  issue: {
    title: 'Issue a token',
    done: 'You have a token.',
    text: 'Give it a name. It is rotated automatically unless you turn that off; this completes the second step, too.',
    button: 'Issue a token…',
    orCommand: 'Or on the command line, with its credential:',
    command: 'the command that issues a token',
  },
  rotate: {
    title: 'Rotate it automatically',
    text: 'Rotavox rotates it before it expires and stores each new token encrypted on this machine. A token that you already have, also one of another service, is added here.',
    done: (name: string) =>
      `${name} is rotated before it expires, and each new token is stored encrypted on this machine.`,
    button: 'Add a credential…',
  },
  use: {
    title: 'Use it in your app',
    text: 'Add a target to deliver it to the app that uses it: a file, a dotenv file, a keychain entry or a command.',
    commandText: 'This command prints the current token:',
    command: 'the command that prints the token',
    button: 'Done',
    others: 'Other ways to use it',
  },
} as const;
