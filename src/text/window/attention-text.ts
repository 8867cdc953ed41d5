import type { Attention, AttentionOf } from '../../contract/window/attention.ts';
import { originOf } from '../../contract/address.ts';
import {
  type CredentialOutline,
  isTokenRefused,
  type TroubleKind,
  waitsForPerson,
} from '../../contract/credential/credential-view.ts';
import type { MovedFrom } from '../../contract/service/moved-from.ts';
import { defaultProvider } from '../../contract/credential/provider.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { isSignedIn, tokenPageIfAssisted } from '../../providers/catalogue.ts';
import { countWords } from '../count.ts';
import { credentialLabel, namesText, placeText, vaultTitle } from '../credential/credentials.ts';
import { movedDataText } from '../service/moved-data.ts';
import { quotedName } from '../names.ts';
import { pbxDownText, pbxTroubleLine, pbxUnreachableTitle } from '../calls/pbx-text.ts';
import { notRotatedText } from '../credential/providers.ts';
import { tooWideText } from '../credential/proxy-text.ts';
import { reuseSummary, reuseText, useText } from '../token/reuse-text.ts';
import { serviceAddressText } from '../credential/service-address.ts';
import { signInText } from '../credential/sign-in-text.ts';
import { dueText, nearText } from '../time.ts';

/** What a person can do about it. A window makes a button or a link of each, the command line a command. */
export type Remedy =
  /** `isOneOf`: of several that fail for one reason. */
  | { readonly kind: 'rotate'; readonly name: string; readonly isOneOf?: true }
  | { readonly kind: 'resume'; readonly name: string }
  | { readonly kind: 'resume_token'; readonly name: string; readonly tokenId: string }
  | { readonly kind: 'deliver'; readonly name: string; readonly targetId: string }
  | { readonly kind: 'reissue'; readonly name: string }
  | { readonly kind: 'enter_token'; readonly name: string }
  /** Where the tokens come from a sign-in. */
  | { readonly kind: 'sign_in'; readonly name: string }
  | { readonly kind: 'remind'; readonly name: string }
  /** Its service is at another address now. */
  | { readonly kind: 'change_address'; readonly name: string; readonly address: string }
  | { readonly kind: 'open_credential'; readonly name: string }
  /** The service that issued the token, where a new one can be issued. */
  | { readonly kind: 'open_portal'; readonly origin: string }
  | { readonly kind: 'open_credentials' | 'add_credential' | 'verify_history' }
  /** Asked about first: what it is about. */
  | { readonly kind: 'confirm_move'; readonly from: MovedFrom }
  | { readonly kind: 'open_pbx'; readonly name: string }
  | { readonly kind: 'open_family'; readonly familyId: string }
  | { readonly kind: 'dismiss_use'; readonly familyId: string }
  | { readonly kind: 'remove_host'; readonly id: string; readonly name: string };

/** What the button for it says. */
export function remedyLabel(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'rotate':
      return remedy.isOneOf ? `Rotate “${remedy.name}” now` : 'Rotate now';
    case 'resume':
      return 'Resume rotation';
    case 'resume_token':
      return 'Resume token';
    case 'deliver':
      return 'Deliver again';
    case 'reissue':
      return 'Issue a new token…';
    case 'enter_token':
      return 'Enter a new token…';
    case 'sign_in':
      return signInText.again;
    case 'remind':
      return 'Remind me only';
    case 'change_address':
      return serviceAddressText.open;
    case 'open_portal':
      return `Open ${remedy.origin}`;
    case 'open_credential':
      return 'Open credential';
    case 'open_credentials':
      return 'Open credentials';
    case 'add_credential':
      return 'Add credential…';
    case 'verify_history':
      return 'Verify history';
    case 'open_pbx':
      return 'Open telephone system';
    case 'open_family':
      return 'Open token';
    case 'dismiss_use':
      return reuseText.dismiss;
    case 'remove_host':
      return 'Remove host';
    case 'confirm_move':
      return movedDataText.confirm;
  }
}

/** The command that does it, without the name of the program; null where there is none. */
export function remedyCommand(remedy: Remedy): string | null {
  switch (remedy.kind) {
    case 'rotate':
      return `credential rotate ${remedy.name}`;
    case 'resume':
      return `credential resume ${remedy.name}`;
    case 'resume_token':
      return `token resume ${remedy.tokenId}`;
    case 'deliver':
      return `credential target ${remedy.name} deliver ${remedy.targetId}`;
    case 'reissue':
      return `credential reissue ${remedy.name}`;
    case 'enter_token':
      return `credential replace ${remedy.name}`;
    case 'sign_in':
      return `credential sign-in ${remedy.name}`;
    case 'remind':
      return `credential remind ${remedy.name}`;
    case 'change_address':
      return `credential address ${remedy.name} ${shellWord(remedy.address)}`;
    case 'open_credential':
      return `credential show ${remedy.name}`;
    case 'open_credentials':
      return 'credential list';
    case 'open_family':
      return `token list --family ${remedy.familyId}`;
    case 'dismiss_use':
      return `token dismiss-use ${remedy.familyId}`;
    case 'open_pbx':
      return `pbx test ${remedy.name}`;
    case 'verify_history':
      return 'history --verify';
    case 'confirm_move':
      return 'confirm-move';
    case 'add_credential':
    case 'open_portal':
    case 'remove_host':
      return null;
  }
}

/** What the remedies of a credential depend on. */
export type RemediedCredential = Pick<
  CredentialOutline,
  'name' | 'provider' | 'service' | 'base_url' | 'state' | 'family_id' | 'token_id'
> & {
  readonly trouble: { readonly kind: TroubleKind; readonly redirected_to?: string | undefined } | null;
};

/** A remedy for a credential that is not rotated. */
export type CredentialRemedy = Extract<
  Remedy,
  | { kind: 'rotate' }
  | { kind: 'reissue' }
  | { kind: 'enter_token' }
  | { kind: 'sign_in' }
  | { kind: 'open_portal' }
  | { kind: 'resume_token' }
  | { kind: 'remind' }
  | { kind: 'open_family' }
  | { kind: 'change_address' }
>;

/**
 * What helps a credential, the suggested remedy first; nothing while nothing is wrong with its rotation.
 *
 * The one derivation of it, for windows and the command line.
 */
export function credentialRemedies(one: RemediedCredential): CredentialRemedy[] {
  const { name, trouble, family_id: familyId, token_id: tokenId } = one;
  const enter = { kind: 'enter_token', name } as const;
  const portal = { kind: 'open_portal', origin: originOf(one.base_url) } as const;
  const rotate = { kind: 'rotate', name } as const;
  if (waitsForPerson(one)) {
    if (isSignedIn(one.provider)) return [{ kind: 'sign_in', name }];
    if (one.service === 'remote') return [enter, portal];
    // Issued again with the same settings, where this service knows the token.
    return tokenId === null ? [enter] : [{ kind: 'reissue', name }, enter];
  }
  if (trouble === null) return [];
  if (trouble.kind === 'suspended') {
    if (tokenId === null) return [portal, enter];
    return [
      { kind: 'resume_token', name, tokenId },
      { kind: 'reissue', name },
    ];
  }
  if (trouble.kind === 'no_endpoint') return [{ kind: 'remind', name }, rotate];
  // The token may be suspended there, or this machine's address not be allowed.
  if (trouble.kind === 'refused' && familyId !== null) return [{ kind: 'open_family', familyId }, rotate];
  if (trouble.redirected_to !== undefined) {
    return [changeAddress(name, { to: trouble.redirected_to, base_url: one.base_url }), rotate];
  }
  return [rotate];
}

/** The path of an API stays where only its host is another one. */
function changeAddress(
  name: string,
  { to, base_url: before }: NonNullable<AttentionOf<'failing'>['redirect']>,
): Extract<Remedy, { kind: 'change_address' }> {
  const path = before.slice(originOf(before).length).replace(/^\/$/, '');
  return { kind: 'change_address', name, address: `${to}${path}` };
}

/** The suggested command for a credential, as it is typed; null where nothing is wrong, or no command helps. */
export function suggestedCommand(one: RemediedCredential): string | null {
  return firstCommand(credentialRemedies(one));
}

/** The same after an attempt that failed, where another one does not help. */
export function commandAfterFailure(one: RemediedCredential): string | null {
  return firstCommand(credentialRemedies(one).filter(({ kind }) => kind !== 'rotate'));
}

function firstCommand(remedies: readonly Remedy[]): string | null {
  for (const remedy of remedies) {
    const command = remedyCommand(remedy);
    if (command !== null) return `rotavox ${command}`;
  }
  return null;
}

/** What needs attention: what happened, what it means, and the remedies, the suggested one first. */
export interface AttentionText {
  readonly tone: 'bad' | 'warn';
  readonly title: string;
  readonly text: string;
  /** The single cases, where there are several. */
  readonly details?: readonly string[];
  /** When it is too late; null where nothing expires. */
  readonly expiresAt: string | null;
  readonly remedies: readonly Remedy[];
}

export function attentionText(item: Attention, nowMs: number): AttentionText {
  switch (item.kind) {
    case 'store_refusing':
      return {
        tone: 'bad',
        title: 'Changes cannot be saved',
        text: `${item.message} Since ${nearText(item.since, nowMs)} (${item.code}). Rotavox still answers reads, and nothing that was saved is lost.`,
        expiresAt: null,
        remedies: [],
      };
    case 'moved': {
      const { from, waiting } = item;
      const [first] = waiting;
      return {
        tone: first === undefined ? 'warn' : 'bad',
        title: movedDataText.title(from),
        text: movedDataText.text(
          from,
          first === undefined ? null : namesText(waiting.map(({ name }) => name)),
        ),
        expiresAt: first?.expires_at ?? null,
        remedies: [{ kind: 'confirm_move', from }],
      };
    }
    case 'journal_repaired':
      return {
        tone: 'warn',
        title: 'The journal was repaired when Rotavox started',
        text: item.message,
        expiresAt: null,
        remedies: [{ kind: 'verify_history' }],
      };
    case 'host_missing':
      return {
        tone: item.has_successor ? 'warn' : 'bad',
        title: `Host ${quotedName(item.name)} does not report any more`,
        text:
          `${item.address} was last seen ${nearText(item.since, nowMs)}. ` +
          (item.has_successor ? '' : 'There is no other host that could take over from the leader. ') +
          'Start Rotavox there again; if it runs, check whether it can reach the database. If it was taken away for good, remove it.',
        expiresAt: null,
        remedies: [{ kind: 'remove_host', id: item.id, name: item.name }],
      };
    case 'pbx_unreachable':
      return {
        tone: 'bad',
        title: pbxUnreachableTitle(item.name),
        text: `${pbxTroubleLine(item.pbx_trouble)} ${pbxDownText}`,
        expiresAt: null,
        remedies: [{ kind: 'open_pbx', name: item.name }],
      };
    case 'vault':
      return vaultText(item);
    case 'credential':
      return credentialText(item);
    case 'failing':
      return failingText(item);
    case 'paused_ends':
      return {
        tone: 'warn',
        title: `“${item.name}” is paused and expires soon`,
        text:
          item.paused_until === null
            ? 'It is not rotated until you resume it. After it expires, apps that use it are refused.'
            : `The pause lasts until ${nearText(item.paused_until, nowMs)}, after the token expires.`,
        expiresAt: item.expires_at,
        remedies: [{ kind: 'resume', name: item.name }, openCredential(item.name)],
      };
    case 'reminder': {
      const page = tokenPageIfAssisted(item.provider ?? defaultProvider, item.origin);
      return {
        tone: item.left_percent === 20 ? 'warn' : 'bad',
        title: `“${item.name}” expires soon and is not rotated automatically`,
        text: `${sentence(notRotatedText(item.provider ?? defaultProvider))} Issue a new token at ${page ?? item.origin} and enter it here.`,
        expiresAt: item.expires_at,
        remedies: [
          ...(page === null ? [] : [{ kind: 'open_portal', origin: page } as const]),
          { kind: 'enter_token', name: item.name },
        ],
      };
    }
    case 'delivery':
      return {
        tone: 'warn',
        title: `Delivery of “${item.name}” to ${placeText(item.target)} failed`,
        text: `${item.message}${item.next_try_at === null ? '' : ` Next attempt: ${dueText(item.next_try_at, nowMs)}.`}`,
        expiresAt: null,
        remedies: [{ kind: 'deliver', name: item.name, targetId: item.target_id }, openCredential(item.name)],
      };
    case 'retirement':
      return {
        tone: 'warn',
        title: `An old token of “${item.name}” still works at ${item.origin}`,
        text:
          item.next_try_at === null
            ? `${item.message} Otherwise it works until ${nearText(item.expires_at, nowMs)}.`
            : `It was replaced, but could not be deleted there in ${countWords(item.attempts, 'attempt')}: ${item.message} Next attempt: ${dueText(item.next_try_at, nowMs)}. Delete it there if this goes on; otherwise it works until ${nearText(item.expires_at, nowMs)}.`,
        expiresAt: null,
        remedies: [openCredential(item.name), { kind: 'open_portal', origin: item.origin }],
      };
    case 'wide_rules':
      return {
        tone: 'warn',
        title: `${countWords(item.rules.length, 'rule')} of the proxy for “${item.name}” ${item.rules.length === 1 ? 'is' : 'are'} too wide`,
        text: 'A wildcard there could cover calls that create or show credentials, so only what is safe is still allowed. Replace each rule by narrower ones.',
        details: item.rules.map(({ method, path, becomes }) => `${method} ${path}: ${tooWideText(becomes)}`),
        expiresAt: null,
        remedies: [openCredential(item.name)],
      };
    case 'reuse':
      return {
        tone: 'warn',
        title: `A superseded token of ${quotedName(item.credential ?? item.name)} is still used`,
        text: reuseSummary(item, nowMs),
        ...(item.uses.length > 1 ? { details: item.uses.map((use) => useText(use, nowMs)) } : {}),
        expiresAt: null,
        remedies: [
          item.credential === null
            ? { kind: 'open_family', familyId: item.family_id }
            : openCredential(item.credential),
          { kind: 'dismiss_use', familyId: item.family_id },
        ],
      };
    case 'ends_unkept':
      return {
        tone: 'warn',
        title: `${quotedName(item.name)} expires soon and is not rotated automatically`,
        text: `${issuedText(item)} After it expires, apps that use it are refused.`,
        expiresAt: item.expires_at,
        remedies: [{ kind: 'add_credential' }, { kind: 'open_family', familyId: item.family_id }],
      };
    case 'suspended_ends':
      return {
        tone: 'warn',
        title: `${quotedName(item.name)} is suspended and expires soon`,
        text: 'Resume it before it expires. After that, only a new token can be issued.',
        expiresAt: item.expires_at,
        remedies: [{ kind: 'open_family', familyId: item.family_id }],
      };
  }
}

function vaultText({ vault, message, waiting }: AttentionOf<'vault'>): AttentionText {
  const [first] = waiting;
  const names = namesText(waiting.map(({ name }) => name));
  return {
    tone: 'bad',
    title: vaultTitle(vault),
    text: first === undefined ? message : `${message} ${names} cannot be rotated or delivered until then.`,
    expiresAt: first?.expires_at ?? null,
    remedies: first === undefined ? [] : [{ kind: 'rotate', name: first.name }, openCredential(first.name)],
  };
}

function credentialText(item: AttentionOf<'credential'>): AttentionText {
  const { name, message, state, trouble, next_try_at: nextTryAt } = item;
  // A token that does not work any more has no time left; a suspended one can be resumed until it expires.
  const isOver =
    state === 'expired' ||
    (trouble !== null && trouble !== 'suspended' && trouble !== 'reply_lost' && isTokenRefused(trouble));
  const [first] = credentialRemedies({
    ...item,
    provider: item.provider ?? defaultProvider,
    base_url: item.origin,
    trouble: trouble === null ? null : { kind: trouble },
    token_id: item.token_id ?? null,
    family_id: null,
  });
  return {
    tone: 'bad',
    title: `“${name}” ${first?.kind === 'sign_in' ? 'needs a new sign-in' : needText({ state, trouble, isRetried: nextTryAt !== null })}`,
    text: message,
    expiresAt: isOver ? null : item.expires_at,
    remedies: isOnPage(first) ? [first] : [...(isCall(first) ? [first] : []), openCredential(name)],
  };
}

/** Done on the page of the credential. */
function isOnPage(remedy: CredentialRemedy | undefined): remedy is CredentialRemedy {
  return remedy?.kind === 'reissue' || remedy?.kind === 'enter_token' || remedy?.kind === 'sign_in';
}

function isCall(remedy: CredentialRemedy | undefined): remedy is CredentialRemedy {
  return remedy?.kind === 'rotate' || remedy?.kind === 'resume_token';
}

function needText({
  state,
  trouble,
  isRetried,
}: Pick<AttentionOf<'credential'>, 'state' | 'trouble'> & { readonly isRetried: boolean }): string {
  if (trouble === 'suspended') return 'is suspended';
  if (state === 'refused' && isRetried) return 'is refused at the moment';
  if (state === 'expired') return 'has expired';
  return trouble === 'blacklisted' ? 'is blacklisted and needs a new token' : 'needs a new token';
}

function failingText({
  credentials,
  message,
  trouble,
  origin,
  redirect,
}: AttentionOf<'failing'>): AttentionText {
  const [first] = credentials;
  const name = first?.name ?? '';
  const isOne = credentials.length === 1;
  const label = credentialLabel('failing', trouble);
  return {
    tone: 'bad',
    title: `${label}: ${isOne ? `“${name}”` : `${countWords(credentials.length, 'credential')} of ${origin}`}`,
    text: isOne ? message : `${message} Affected: ${namesText(credentials.map((one) => one.name))}.`,
    expiresAt: first?.expires_at ?? null,
    remedies: [
      // Where it cannot be rotated at all, or is elsewhere, another attempt does not help.
      ...(trouble === 'no_endpoint'
        ? []
        : redirect !== undefined
          ? isOne
            ? [changeAddress(name, redirect)]
            : []
          : [{ kind: 'rotate', name, ...(isOne ? {} : { isOneOf: true as const }) } as const]),
      isOne ? openCredential(name) : { kind: 'open_credentials' },
    ],
  };
}

function issuedText({ validity_days: days, rotations }: AttentionOf<'ends_unkept'>): string {
  const issued = `It was issued for ${countWords(days, 'day')}`;
  if (rotations === 0) return `${issued} and has not been rotated.`;
  return `${issued} and has been rotated ${rotations === 1 ? 'once' : `${rotations} times`}.`;
}

/** A part of a sentence as one of its own. */
function sentence(part: string): string {
  return `${part.charAt(0).toUpperCase()}${part.slice(1)}.`;
}

function openCredential(name: string): Remedy {
  return { kind: 'open_credential', name };
}
