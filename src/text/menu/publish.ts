import { countWords } from '../count.ts';

/** Publishing a call flow from the designer: where to, what is sent, and what came back. */

export const publishText = {
  title: 'Publish',
  where: 'Where to',
  here: 'This service',
  withCredential: 'With a credential',
  credential: (name: string, baseUrl: string) => `${name}, ${baseUrl}`,
  hereHint: 'Stores the menus in this service, where apps and telephone systems read them.',
  credentialHint: 'Sends the menus to that service, with the current token of the credential.',
  nothingThere: 'Nothing of this call flow is published there yet.',
  storedThere: (count: number) =>
    count === 1
      ? '1 menu of this call flow is stored there. Publishing replaces it and adds what is missing.'
      : `${countWords(count, 'menu')} of this call flow are stored there. Publishing replaces them and adds what is missing.`,
  publishedThere: (version: number | null, count: number) =>
    `Version ${version} (${countWords(count, 'menu')}) was published there {when}. Publishing replaces it.` as const,
  /** Below what was deleted or replaced. */
  altered: {
    meaning:
      'Apps and telephone systems that read the menus no longer get that version. Publish this draft to store it again.',
    dismiss: 'Dismiss',
    publish: 'Publish…',
  },
  errors: 'Errors',
  unheard: {
    title: 'Callers will not hear',
    meaning: 'This does not block publishing.',
  },
  warnings: (count: number) => `${countWords(count, 'warning')}, not blocking publishing`,
  sent: 'As JSON requests',
  sentOrder: 'These requests are sent, in this order.',
  completed: ', completed',
  copyBody: (request: string, menu: string) => `the body of ${request} for ${menu}`,
  exchanges: 'Requests and replies',
  noReply: 'no reply',
  stored: 'stored',
  found: 'looked for',
  refused: (status: number) => `not stored (${status})`,
  copyRequest: (menu: string) => `the request for ${menu}`,
  copyReply: (menu: string) => `the reply for ${menu}`,
  kept: 'You can compare this version and restore it at any time.',
  /** What of a failed attempt is stored at the target. */
  storedBefore: (requests: number) =>
    requests === 0
      ? 'Nothing was stored there this time. The draft is saved here and unchanged.'
      : `${countWords(requests, 'request')} of this attempt succeeded; another attempt continues from there. The draft is saved here and unchanged.`,
  close: 'Close',
  cancel: 'Cancel',
  publish: 'Publish',
  publishing: 'Publishing …',
  retry: 'Try again',
  notSaved: 'Nothing was sent: the draft could not be saved first. The window shows the reason.',
} as const;
