import type { Attention, AttentionOf } from '../contract/attention.ts';
import { isTokenRefused } from '../contract/credential-view.ts';
import { countWords } from './count.ts';
import { credentialLabel, namesText, placeText, vaultTitle } from './credentials.ts';
import { callerText } from './events.ts';
import { nearText } from './time.ts';

/** What a person can do about it. A window makes a button or a link of each. */
export type Remedy =
  /** `isOneOf`: of several that fail for one reason. */
  | { readonly kind: 'rotate'; readonly name: string; readonly isOneOf?: true }
  | { readonly kind: 'resume'; readonly name: string }
  | { readonly kind: 'resume_token'; readonly name: string; readonly tokenId: string }
  | { readonly kind: 'deliver'; readonly name: string; readonly targetId: string }
  | { readonly kind: 'reissue' | 'enter_token' | 'open_credential'; readonly name: string }
  | { readonly kind: 'open_credentials' | 'add_credential' | 'verify_history' }
  | { readonly kind: 'open_family'; readonly familyId: string };

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
    case 'open_credential':
      return 'Open credential';
    case 'open_credentials':
      return 'Open credentials';
    case 'add_credential':
      return 'Add credential…';
    case 'verify_history':
      return 'Verify history';
    case 'open_family':
      return 'Open family';
  }
}

/** What needs attention: what happened, what it means, and the remedies, the suggested one first. */
export interface AttentionText {
  readonly tone: 'bad' | 'warn';
  readonly title: string;
  /** Sentences. Those of the service may name a command. */
  readonly text: string;
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
    case 'journal_repaired':
      return {
        tone: 'warn',
        title: 'The journal was repaired when Rotavox started',
        text: item.message,
        expiresAt: null,
        remedies: [{ kind: 'verify_history' }],
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
    case 'reminder':
      return {
        tone: item.left_percent === 20 ? 'warn' : 'bad',
        title: `“${item.name}” expires soon and is not rotated automatically`,
        text: `Its service has no rotate endpoint. Issue a new token at ${item.origin} and enter it here.`,
        expiresAt: item.expires_at,
        remedies: [{ kind: 'enter_token', name: item.name }],
      };
    case 'delivery':
      return {
        tone: 'warn',
        title: `Delivery of “${item.name}” to ${placeText(item.target)} failed`,
        text: `${item.message}${item.next_try_at === null ? '' : ` Next attempt: ${nearText(item.next_try_at, nowMs)}.`}`,
        expiresAt: null,
        remedies: [{ kind: 'deliver', name: item.name, targetId: item.target_id }, openCredential(item.name)],
      };
    case 'reuse':
      return {
        tone: 'warn',
        title: `A superseded token of “${item.name}” is still used`,
        text: `${callerText(item)} used it ${nearText(item.at, nowMs)} and was refused. Give that app the current token.`,
        expiresAt: null,
        remedies: [{ kind: 'open_family', familyId: item.family_id }],
      };
    case 'ends_unkept':
      return {
        tone: 'warn',
        title: `“${item.name}” expires soon and is not rotated automatically`,
        text: `${issuedText(item)} After it expires, apps that use it are refused.`,
        expiresAt: item.expires_at,
        remedies: [{ kind: 'add_credential' }, { kind: 'open_family', familyId: item.family_id }],
      };
    case 'suspended_ends':
      return {
        tone: 'warn',
        title: `“${item.name}” is suspended and expires soon`,
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
  const { name, message, state, trouble, service, next_try_at: nextTryAt } = item;
  // A token that does not work any more has no time left; a suspended one can be resumed until it expires.
  const isOver =
    state === 'expired' ||
    (trouble !== null && trouble !== 'suspended' && trouble !== 'reply_lost' && isTokenRefused(trouble));
  const words = { tone: 'bad', text: message, expiresAt: isOver ? null : item.expires_at } as const;
  if (trouble === 'suspended') {
    const { token_id: tokenId } = item;
    return {
      ...words,
      title: `“${name}” is suspended`,
      remedies: [
        ...(tokenId === undefined ? [] : [{ kind: 'resume_token', name, tokenId } as const]),
        openCredential(name),
      ],
    };
  }
  if (state === 'refused' && nextTryAt !== null)
    return {
      ...words,
      title: `“${name}” is refused at the moment`,
      remedies: [{ kind: 'rotate', name }, openCredential(name)],
    };
  const isHere = service === 'embedded' && state !== 'value_missing';
  return {
    ...words,
    title: `“${name}” ${needText(item)}`,
    remedies: [{ kind: isHere ? 'reissue' : 'enter_token', name }],
  };
}

function needText({ state, trouble }: AttentionOf<'credential'>): string {
  if (state === 'expired') return 'has expired';
  return trouble === 'blacklisted' ? 'is blacklisted and needs a new token' : 'needs a new token';
}

function failingText({ credentials, message, trouble }: AttentionOf<'failing'>): AttentionText {
  const [first] = credentials;
  const name = first?.name ?? '';
  const isOne = credentials.length === 1;
  const label = credentialLabel('failing', trouble);
  return {
    tone: 'bad',
    title: `${label}: ${isOne ? `“${name}”` : countWords(credentials.length, 'credential')}`,
    text: isOne ? message : `${message} Affected: ${namesText(credentials.map((one) => one.name))}.`,
    expiresAt: first?.expires_at ?? null,
    remedies: [
      // Where it cannot be rotated at all, another attempt does not help.
      ...(trouble === 'no_endpoint'
        ? []
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

function openCredential(name: string): Remedy {
  return { kind: 'open_credential', name };
}
