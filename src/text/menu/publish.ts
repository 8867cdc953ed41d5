import { countWords } from '../count.ts';
import type { UnusableMenuId } from '../../contract/menu/ivr-problem.ts';

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
  /** `count`: of menus, opening hours and messages. */
  storedThere: (count: number) =>
    count === 1
      ? '1 part of this call flow is stored there. Publishing replaces it and adds what is missing.'
      : `${countWords(count, 'part')} of this call flow are stored there. Publishing replaces them and adds what is missing.`,
  publishedThere: (version: number | null, count: number) =>
    `Version ${version} (${countWords(count, 'part')}) was published there {when}. Publishing replaces it.` as const,
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
    remedy: 'Open a prompt to record it, or add a voice:',
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

/* What publishing a call flow did, and why it stopped. */

/** What a service answered that did not store a menu; `said` is a sentence in its reply. */
interface RefusedAnswer {
  readonly status: number;
  readonly said: string | null;
  /** The name of the credential that was used. */
  readonly credential: string;
}

const again = 'Publish again: menus that are stored there already are found and not created twice.';

export const publishingText = {
  publishedHere: (version: number, menus: number) =>
    `Published as version ${version} in this service: ${countWords(menus, 'menu')}.`,
  publishedAt: (version: number, baseUrl: string, menus: number) =>
    `Published as version ${version} at ${baseUrl}: ${countWords(menus, 'menu')}.`,
  created: (id: string) => `Created as ${id}.`,
  replaced: (id: string) => `Replaced ${id}.`,
  replacedHere: (id: string, version: number) => `Replaced ${id}, which is now version ${version}.`,
  recreating: (id: string) => `${id} is no longer there, so the menu is created again.`,
  /** `reason` is a sentence. */
  notRecorded: (reason: string) => `What was stored there could not be recorded here. ${reason} ${again}`,
  notSent: (reason: string) => `${reason} Nothing was sent. Publish again when the service answers.`,
  lost: (reason: string) => `${reason} The service may have stored the menu. ${again}`,
  losesMenus:
    'The service loses the menus that were sent to it. Find out there what happens to them, and publish again.',
  replyLost: 'The reply to an earlier publication was lost.',
  replyWithoutId: 'The reply had no id.',
  storedWithoutId: 'Stored, but the reply does not contain the id.',
  noList: 'The service did not answer with its menus, so it is not known whether this one is stored there.',
  noneSame: (count: number) => `None of the ${countWords(count, 'menu')} there is the one that was sent.`,
  adopted: (id: string) => `The menu that was sent is there as ${id}: it is adopted, and not created again.`,
  idUnknown: 'The service answered without the id of the menu, and does not list the menu either.',
  unusableId: (baseUrl: string, { beginning, characters, rule }: UnusableMenuId) => {
    const shown =
      characters > beginning.length ? `“${beginning}…” (${characters} characters)` : `“${beginning}”`;
    return (
      `${baseUrl} stored the menu under an id that cannot be used: ${shown}, and an id ${rule}. ` +
      'Report this to the operator of that service, and delete the menu there before you publish again.'
    );
  },
} as const;

/** Why a menu was not stored, and what to do. */
export function publishRefusal({ status, said, credential }: RefusedAnswer): string {
  const answer = said === null ? `(${status})` : `(${status}: “${said}”)`;
  if (status === 401)
    return `The service does not accept the token of “${credential}” ${answer}. Test the credential.`;
  if (status === 403)
    return `The token of “${credential}” is not allowed to do that there ${answer}. It needs the scope ivr:write, and ivr:read to look for what was sent before.`;
  if (status === 404 || status === 405)
    return `The service has no such call ${answer}. Check the address of “${credential}”.`;
  if (status >= 300 && status < 400)
    return `The service redirects to another address, where the token was not sent (${status}). Check the address of “${credential}”.`;
  if (status === 429) return `The service limits how often it can be called ${answer}. Publish again later.`;
  if (status >= 500)
    return `The service failed ${answer}. It may have stored the menu all the same; publish again.`;
  return `The service refused the menu ${answer}. Change the draft as its reply says, and publish again.`;
}
