import type {
  CredentialOutline,
  TargetView,
  VaultStatus,
} from '../../contract/credential/credential-view.ts';
import type { DeliveryTarget } from '../../contract/credential/credential.ts';
import type { MovedFrom } from '../../contract/service/moved-from.ts';
import { isSignedIn } from '../../providers/catalogue.ts';
import { namesText, vaultTitle } from '../credential/credentials.ts';
import {
  needsToken,
  newTokenText,
  serviceName,
  type ServiceTrouble,
  troubleWords,
} from '../credential/trouble-text.ts';
import { movedFromText } from '../service/moved-data.ts';
import { quotedName } from '../names.ts';
import { storeRefusingTitle } from '../service/store-text.ts';
import { timeLeft } from '../time.ts';

/** What desktop notifications say: what happened, what it means, and what to do. */

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}

/** Credentials with one trouble. `expiring`: those of them that still work. */
export function troubleNoticeText(
  kind: ServiceTrouble,
  members: readonly CredentialOutline[],
  expiring: readonly CredentialOutline[],
  nowMs: number,
): NoticeText {
  const { title, one, many, next } = troubleWords[kind];
  const first = firstToExpire(members);
  const service = serviceName(first);
  const expiry = expiryText(members, expiring, nowMs);
  if (members.length === 1) {
    const isSignIn = title === needsToken && isSignedIn(first.provider);
    return {
      title: titleAbout(first.name, isSignIn ? 'needs a new sign-in' : title[0]),
      body: bodyOf(one(service), expiry, next(members)),
    };
  }
  const count = `${members.length} tokens`;
  return {
    title: areOfOneService(members)
      ? titleThatFits(`${count} of ${service} ${title[1]}`, `${count} ${title[1]}`)
      : `${count} ${title[1]}`,
    body: bodyOf(many(service, namesOf(members)), expiry, next(members)),
  };
}

/** Credentials that cannot be rotated for several reasons. */
export function manyReasonsNoticeText(
  members: readonly CredentialOutline[],
  expiring: readonly CredentialOutline[],
  nowMs: number,
): NoticeText {
  return {
    title: `${members.length} tokens need attention`,
    body: bodyOf(
      `${namesOf(members)} cannot be rotated, for several reasons.`,
      expiryText(members, expiring, nowMs),
      'Open Rotavox to see them.',
    ),
  };
}

/** A token that is not rotated and expires soon. */
export function reminderNoticeText(credential: CredentialOutline, nowMs: number): NoticeText {
  return {
    title: titleAbout(credential.name, 'expires soon'),
    body: bodyOf(
      `It expires in ${timeLeft(credential.expires_at, nowMs)}. Rotavox cannot rotate it.`,
      newTokenText([credential]),
    ),
  };
}

/** A vault that does not work, and the credentials that wait for it. */
export function vaultNoticeText(
  vault: VaultStatus,
  waiting: readonly CredentialOutline[],
  expiring: readonly CredentialOutline[],
  nowMs: number,
): NoticeText {
  return {
    title: vaultTitle(vault),
    body: bodyOf(
      waiting.length === 0
        ? 'New tokens cannot be delivered.'
        : `${namesOf(waiting)} cannot be rotated until it works.`,
      expiryText(waiting, expiring, nowMs),
      vault.status === 'locked' ? 'Unlock it; Rotavox then continues automatically.' : vault.message,
    ),
  };
}

/** A tool that got no token, because the vault does not work. */
export function unansweredNoticeText(tool: string, credential: string, vault: VaultStatus): NoticeText {
  return {
    title: vaultTitle(vault),
    body: bodyOf(
      `${tool} needs the token of ${shortNames([credential])}.`,
      vault.status === 'locked' ? 'Unlock it, then try again.' : vault.message,
    ),
  };
}

/** Changes that cannot be saved, such as when the disk is full. */
export function storeNoticeText(reason: string): NoticeText {
  return {
    title: storeRefusingTitle,
    body: bodyOf('No token can be issued or rotated until they can.', reason),
  };
}

/** Data that may also be in use elsewhere, and the credentials that are due. */
export function movedNoticeText(
  from: MovedFrom,
  waiting: readonly CredentialOutline[],
  expiring: readonly CredentialOutline[],
  nowMs: number,
): NoticeText {
  return {
    title: 'Nothing is rotated',
    body: bodyOf(
      movedFromText(from),
      waiting.length === 0 ? null : `${namesOf(waiting)} should be rotated now.`,
      expiryText(waiting, expiring, nowMs),
      'Open Rotavox and confirm that these data are used here only.',
    ),
  };
}

/** Targets that did not get the current token. Names of credentials, each once. */
export function deliveryNoticeText(
  names: readonly [string, ...string[]],
  targets: readonly TargetView[],
): NoticeText {
  const [only] = targets.length === 1 ? targets : [];
  return {
    title:
      names.length === 1
        ? titleAbout(names[0], 'was not delivered')
        : `Delivery of ${names.length} tokens failed`,
    body: bodyOf(
      only === undefined
        ? `${targets.length} targets did not get the new tokens of ${shortNames(names)}.`
        : `${targetName(only.target)} did not get the new token: ${externalText(only.message ?? '', 100)}`,
      'Apps that read it there still use the old one.',
    ),
  };
}

/** A target as its owner knows it. Of a command only the program, because an argument may be a secret. */
function targetName(target: DeliveryTarget): string {
  switch (target.kind) {
    case 'keychain':
      return `The keychain entry of ${externalText(target.service)}`;
    case 'file':
    case 'dotenv':
    case 'setting':
      return externalText(fileName(target.path));
    case 'hook':
      return `The command ${externalText(fileName(target.command[0] ?? ''))}`;
  }
}

function fileName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

interface Caller {
  readonly address: string;
  readonly user_agent: string | null;
}

/** Superseded tokens that were used again: the names of their families, the last caller and how many others there are. */
export function reuseNoticeText(
  names: readonly [string, ...string[]],
  lastCaller: Caller,
  otherCallers: number,
): NoticeText {
  const caller = callerName(lastCaller);
  const callers = otherCallers === 0 ? caller : `${caller} and ${otherCallers} more`;
  return {
    title:
      names.length === 1
        ? titleAbout(names[0], 'was used', 'Superseded token of')
        : `${names.length} superseded tokens were used`,
    body: bodyOf(
      names.length === 1
        ? `${callers} used a token that was replaced, and was refused.`
        : `${callers} used replaced tokens of ${shortNames(names)}, and were refused.`,
      'Give that app the current token. If you do not know the app, check what it may have read, and blacklist the token.',
    ),
  };
}

function callerName({ address, user_agent: agent }: Caller): string {
  const program = agent === null ? '' : externalText(agent, 40);
  return program === '' ? `A caller at ${address}` : `${program} at ${address}`;
}

/** What a person can ask for in the menu of the tray. */
export type ActionKind = 'pause' | 'resume' | 'copy' | 'by-schedule';

const actionTitles: Readonly<Record<ActionKind, string>> = {
  pause: 'could not be paused',
  resume: 'could not be resumed',
  copy: 'could not be copied',
  'by-schedule': 'could not be given back to its schedule',
};

/** An action that failed. */
export function failedActionNoticeText(kind: ActionKind, name: string, reason: string): NoticeText {
  return { title: titleAbout(name, actionTitles[kind]), body: bodyOf(externalText(reason, 240)) };
}

/** Which of the credentials that still work expires first, and when; null if none works. */
function expiryText(
  members: readonly CredentialOutline[],
  expiring: readonly CredentialOutline[],
  nowMs: number,
): string | null {
  if (expiring.length === 0) return null;
  const first = firstToExpire(expiring);
  const about = first.expiry_assumed === undefined ? '' : 'about ';
  const left = `${about}${timeLeft(first.expires_at, nowMs)}`;
  return members.length === 1
    ? `It expires in ${left}.`
    : `${shortNames([first.name])} expires first, in ${left}.`;
}

function firstToExpire(members: readonly CredentialOutline[]): CredentialOutline {
  return members.reduce((first, one) =>
    Date.parse(one.expires_at) < Date.parse(first.expires_at) ? one : first,
  );
}

function areOfOneService(members: readonly CredentialOutline[]): boolean {
  return members.every(
    ({ service, base_url: baseUrl }) => service === 'remote' && baseUrl === members[0]?.base_url,
  );
}

/** Desktops cut a title after about this many characters, and a text after about four lines. */
const longestTitle = 50;
const longestBody = 240;

/** A title about something with a name; a long name is shortened. */
export function titleAbout(name: string, after: string, before = ''): string {
  const around = `${before} ${after}`.trim();
  const space = longestTitle - around.length - '“” '.length;
  return `${before} ${quotedName(cut(name, Math.max(space, 8)))} ${after}`.trim();
}

function namesOf(members: readonly CredentialOutline[]): string {
  return shortNames(members.map(({ name }) => name));
}

/** “a”, “b” and 3 more, each name shortened. */
export function shortNames(names: readonly string[]): string {
  return namesText(names, (name) => cut(name, 30));
}

/** Sentences as the text of a notice. */
export function bodyOf(...sentences: readonly (string | null)[]): string {
  return cut(sentences.filter(Boolean).join(' '), longestBody);
}

/** A text from elsewhere: on one line, without invisible characters, shortened. */
export function externalText(text: string, longest = 60): string {
  return cut(text.replace(/[\p{C}\s]+/gu, ' ').trim(), longest);
}

/** The first title that fits. */
function titleThatFits(...candidates: readonly [string, ...string[]]): string {
  return candidates.find((title) => title.length <= longestTitle) ?? cut(candidates[0], longestTitle);
}

function cut(text: string, longest: number): string {
  // Well formed: the cut may go through a pair of surrogates.
  return text.length <= longest
    ? text
    : `${text
        .slice(0, longest - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
