import { isolated } from '../names.ts';

/** The title of a window, which a taskbar shows too. */
export function windowTitle(page: string): string {
  return `${isolated(page)} — Rotavox`;
}

/** What every window shows, and the parts that windows share. */
export const windowText = {
  brand: 'Rotavox',
  loading: 'Loading…',
  pagesLabel: 'Pages',
  /** The link past the navigation. */
  skip: { label: 'Skip to', content: 'Skip to content' },
  /** The pages, as the navigation and the command palette name them. */
  pages: {
    overview: 'Overview',
    tokens: 'Tokens',
    credentials: 'Credentials',
    recordings: 'Recordings',
    history: 'History',
    calls: 'Calls',
    menus: 'Phone menus',
    settings: 'Settings',
  },
  /** The shortcuts that work everywhere. */
  shortcuts: {
    palette: 'Open the command palette',
    sheet: 'Show these shortcuts',
    issue: 'Issue a token',
    add: 'Add a credential',
  },
  search: { button: 'Search', field: (what: string) => `Search ${what}` },
  /** The button that shows the filters of a list, with how many are set. */
  filters: (count: number) => (count === 0 ? 'Filters' : `Filters: ${count}`),
  copy: {
    what: (what: string) => `Copy ${what}`,
    idle: 'Copy',
    copied: 'Copied',
    failed: 'Not allowed',
    secretFailed: 'Copying is not allowed here. Select the token and copy it manually.',
  },
  over: 'over',
  failure: {
    title: 'A part of this window could not be shown.',
    reload: 'Load the window again',
    window: 'This window could not be loaded',
    again: 'Try again',
    unreachable: 'The service does not answer.',
  },
} as const;

/** What happened to a secret that was copied. */
export const clipboardText = {
  /** The app clears the clipboard whatever happens to the window; a page only while it is in front. */
  copied: (isApp: boolean) =>
    isApp
      ? 'Copied. The clipboard is cleared after 30 seconds.'
      : 'Copied. The clipboard is cleared after 30 seconds if you stay on this page.',
  cleared: 'The clipboard was cleared.',
  left: (what: string) =>
    `You left this page before the clipboard could be cleared. It may still contain ${what}; copy something else to replace it.`,
} as const;

/** What a person sees of a field: its label, what it is for, and how a sentence about it begins. */
export interface FieldText {
  readonly label: string;
  readonly hint?: string;
  readonly subject: string;
  /** Said instead where nothing was entered. */
  readonly missing?: string;
}

/** What is wrong with a field, from the words of a schema: `must have 1 to 100 characters`. */
export function fieldErrorText(subject: string, message: string): string {
  return `${subject} ${message}${message.endsWith('.') ? '' : '.'}`;
}

/** Said in a dialog when Esc would discard what was entered. */
export const unsavedText = 'What you entered is not saved. Press Esc again to discard it.';
