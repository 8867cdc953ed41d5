import type { Attention, AttentionOf } from '../../contract/window/attention.ts';
import { isTokenRefused } from '../../contract/credential/credential-view.ts';
import { defaultProvider } from '../../contract/credential/provider.ts';
import { tokenPageIfAssisted } from '../../providers/catalogue.ts';
import { countWords } from '../count.ts';
import { credentialLabel, namesText, placeText, vaultTitle } from '../credential/credentials.ts';
import { movedDataText } from '../service/moved-data.ts';
import { quotedName } from '../names.ts';
import { storeRefusingTitle } from '../service/store-text.ts';
import { pbxDownText, pbxTroubleLine, pbxUnreachableTitle } from '../calls/pbx-text.ts';
import { notRotatedText } from '../credential/providers.ts';
import { tooWideText } from '../credential/proxy-text.ts';
import { reuseSummary, useText } from '../token/reuse-text.ts';
import { troubleWords } from '../credential/trouble-text.ts';
import { changeAddress, type CredentialRemedy, credentialRemedies, type Remedy } from './remedies.ts';
import { dueText, nearText } from '../time.ts';

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
        title: storeRefusingTitle,
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
        title: unrotatedTitle(item.name),
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
        title: unrotatedTitle(item.name),
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
  const { name, message, state, trouble } = item;
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
    title: `“${name}” ${first?.kind === 'sign_in' ? 'needs a new sign-in' : needText(item)}`,
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

function needText({ state, trouble }: Pick<AttentionOf<'credential'>, 'state' | 'trouble'>): string {
  const isOfTrouble = trouble === 'suspended' || state === 'refused';
  const { longTitle, title } = isOfTrouble
    ? troubleWords[trouble === null || trouble === 'vault' ? 'invalid' : trouble]
    : troubleWords[state];
  return longTitle ?? title[0];
}

function failingText(item: AttentionOf<'failing'>): AttentionText {
  const { credentials, message, trouble, origin } = item;
  const [first] = credentials;
  const name = first?.name ?? '';
  const isOne = credentials.length === 1;
  const label = credentialLabel('failing', trouble);
  return {
    tone: 'bad',
    title: `${label}: ${isOne ? `“${name}”` : `${countWords(credentials.length, 'credential')} of ${origin}`}`,
    text: isOne ? message : `${message} Affected: ${namesText(credentials.map((one) => one.name))}.`,
    expiresAt: first?.expires_at ?? null,
    remedies: [...attemptAt(item), isOne ? openCredential(name) : { kind: 'open_credentials' }],
  };
}

/** Where it cannot be rotated at all, or is elsewhere, another attempt does not help. */
function attemptAt({ credentials: [first, ...others], trouble, redirect }: AttentionOf<'failing'>): Remedy[] {
  if (first === undefined || trouble === 'no_endpoint') return [];
  const { name } = first;
  if (redirect !== undefined) return others.length === 0 ? [changeAddress(name, redirect)] : [];
  return [{ kind: 'rotate', name, ...(others.length === 0 ? {} : { isOneOf: true }) }];
}

/** A token that no credential rotates, or that its service cannot rotate. */
function unrotatedTitle(name: string): string {
  return `${quotedName(name)} expires soon and is not rotated automatically`;
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
