import type { UnusableMenuId } from '../../contract/menu/ivr-problem.ts';
import { countWords } from '../count.ts';

/** What publishing a call flow did, and why it stopped. */

/** What a service answered that did not store a menu; `said` is a sentence in its reply. */
export interface RefusedAnswer {
  readonly status: number;
  readonly said: string | null;
  /** The name of the credential that was used. */
  readonly credential: string;
}

const again = 'Publish again: menus that are stored there already are found and not created twice.';

export const publishText = {
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
