import type { Attention, AttentionOf } from '../../../contract/attention.ts';
import { isTokenRefused, type TroubleKind } from '../../../contract/credential-view.ts';
import { unreachable } from '../../../core/unreachable.ts';
import { placeWords } from '../../credentials/place-words.ts';
import { credentialPath, familyPath } from '../../kit/address.ts';
import { nearWords } from '../near-words.ts';
import type { Step } from './take-step.ts';

/** What needs the owner, in words: what happened, what it means, and the next steps, the suggested one first. */
export interface AttentionWords {
  readonly tone: 'bad' | 'warn';
  readonly title: string;
  /** Sentences. The service's own ones may name a command. */
  readonly text: string;
  /** When it is too late; null where nothing runs out. */
  readonly endsAt: string | null;
  readonly steps: readonly Step[];
}

export function attentionWords(item: Attention, nowMs: number): AttentionWords {
  switch (item.kind) {
    case 'store_refusing':
      return {
        tone: 'bad',
        title: 'Changes are refused: they could not be written to disk',
        text: `${item.message} Since ${nearWords(item.since, nowMs)} (${item.code}). What exists still answers; nothing that was acknowledged is lost.`,
        endsAt: null,
        steps: [],
      };
    case 'journal_repaired':
      return {
        tone: 'warn',
        title: 'The journal was mended when Rotavox started',
        text: item.message,
        endsAt: null,
        steps: [{ kind: 'go', to: '/history?verify=1', words: 'Verify the journal' }],
      };
    case 'vault':
      return vaultWords(item);
    case 'credential':
      return credentialWords(item);
    case 'failing':
      return failingWords(item);
    case 'paused_ends':
      return {
        tone: 'warn',
        title: `“${item.name}” is paused and comes to its end`,
        text:
          item.paused_until === null
            ? 'Nobody rotates it until it is resumed; then apps that use it are refused.'
            : `The pause lasts until ${nearWords(item.paused_until, nowMs)}, which is too late.`,
        endsAt: item.expires_at,
        steps: [{ kind: 'resume', name: item.name }, openCredential(item.name)],
      };
    case 'reminder':
      return {
        tone: item.left_percent === 20 ? 'warn' : 'bad',
        title: `“${item.name}” expires soon and is not rotated automatically`,
        text: `Its service has no rotate endpoint. Issue a new token at ${item.origin} and paste it here.`,
        endsAt: item.expires_at,
        steps: [{ kind: 'go', to: credentialPath(item.name), words: 'Paste a new value…' }],
      };
    case 'delivery':
      return {
        tone: 'warn',
        title: `“${item.name}” is not delivered to ${placeWords(item.target)}`,
        text: `${item.message}${item.next_try_at === null ? '' : ` Tried again ${nearWords(item.next_try_at, nowMs)}.`}`,
        endsAt: null,
        steps: [{ kind: 'deliver', name: item.name, targetId: item.target_id }, openCredential(item.name)],
      };
    case 'reuse':
      return {
        tone: 'warn',
        title: `A replaced token of “${item.name}” is still used`,
        text: `${callerOf(item)} used it ${nearWords(item.at, nowMs)} and was refused. Give that app the present token.`,
        endsAt: null,
        steps: [{ kind: 'go', to: familyPath(item.family_id), words: 'Open the family' }],
      };
    case 'ends_unkept':
      return {
        tone: 'warn',
        title: `“${item.name}” comes to its end, and nobody rotates it`,
        text: `${unkeptWords(item)} Apps that use it are refused from then on.`,
        endsAt: item.expires_at,
        steps: [
          { kind: 'go', to: '/add-credential', words: 'Keep it fresh…' },
          { kind: 'go', to: familyPath(item.family_id), words: 'Open' },
        ],
      };
    case 'suspended_ends':
      return {
        tone: 'warn',
        title: `“${item.name}” is suspended and comes to its end`,
        text: 'Resumed later than that it is expired, and can only be issued anew.',
        endsAt: item.expires_at,
        steps: [{ kind: 'go', to: familyPath(item.family_id), words: 'Open' }],
      };
    default:
      return unreachable(item);
  }
}

function vaultWords({ vault, message, waiting }: AttentionOf<'vault'>): AttentionWords {
  const [first] = waiting;
  const place = vault.kind === 'keychain' ? 'The keychain' : 'The vault';
  const title = vault.status === 'locked' ? `${place} is locked` : `${place} does not work`;
  return {
    tone: 'bad',
    title,
    text: first === undefined ? message : `${message} ${countOf(waiting, 'waits', 'wait')} for it.`,
    endsAt: first?.expires_at ?? null,
    steps:
      first === undefined
        ? []
        : [{ kind: 'rotate', name: first.name, words: 'Try again' }, openCredential(first.name)],
  };
}

function credentialWords(item: AttentionOf<'credential'>): AttentionWords {
  const { name, message, state, trouble, service, next_try_at: nextTryAt } = item;
  // Of a token that works no more no time is left; one that is suspended can be resumed until it expires.
  const isOver =
    state === 'expired' ||
    (trouble !== null && trouble !== 'suspended' && trouble !== 'reply_lost' && isTokenRefused(trouble));
  const words = { tone: 'bad', text: message, endsAt: isOver ? null : item.expires_at } as const;
  if (trouble === 'suspended')
    return {
      ...words,
      title: `“${name}” is suspended`,
      steps: [
        ...(item.token_id === undefined
          ? []
          : [{ kind: 'resume-token', name, tokenId: item.token_id } as const]),
        openCredential(name),
      ],
    };
  if (state === 'refused' && nextTryAt !== null)
    return {
      ...words,
      title: `“${name}” is refused for now`,
      steps: [{ kind: 'rotate', name, words: 'Rotate now' }, openCredential(name)],
    };
  const bring =
    service === 'embedded' && state !== 'value_missing' ? 'Issue it again…' : 'Paste a new value…';
  return {
    ...words,
    title: state === 'expired' ? `“${name}” has expired` : `“${name}” ${needs(trouble)}`,
    // Where it is done, with its consequences beside it.
    steps: [{ kind: 'go', to: credentialPath(name), words: bring }],
  };
}

function needs(trouble: TroubleKind | null): string {
  return trouble === 'blacklisted' ? 'is blacklisted and needs a new value' : 'needs a new value';
}

function failingWords({ credentials, message, trouble }: AttentionOf<'failing'>): AttentionWords {
  const [first] = credentials;
  const name = first?.name ?? '';
  const isOne = credentials.length === 1;
  const retry = { kind: 'rotate', name, words: isOne ? 'Rotate now' : `Try “${name}” now` } as const;
  return {
    tone: 'bad',
    title: isOne
      ? `“${name}” could not be rotated`
      : `${credentials.length} credentials could not be rotated`,
    text: isOne ? message : `${message} This is about ${namesOf(credentials)}.`,
    endsAt: first?.expires_at ?? null,
    steps: [
      // Where it cannot be rotated at all, another attempt helps nobody.
      ...(trouble === 'no_endpoint' ? [] : [retry]),
      isOne ? openCredential(name) : { kind: 'go', to: '/credentials', words: 'Open the credentials' },
    ],
  };
}

function unkeptWords({ validity_days: days, rotations }: AttentionOf<'ends_unkept'>): string {
  const validity = `It was issued for ${days === 1 ? '1 day' : `${days} days`}`;
  if (rotations === 0) return `${validity}.`;
  return `${validity} and was rotated ${rotations === 1 ? 'once' : `${rotations} times`} so far, but not this time.`;
}

function callerOf({ address, user_agent: userAgent }: AttentionOf<'reuse'>): string {
  return userAgent === null ? address : `${userAgent} at ${address}`;
}

function openCredential(name: string): Step {
  return { kind: 'go', to: credentialPath(name), words: 'Open' };
}

type Named = readonly { readonly name: string }[];

function countOf(credentials: Named, one: string, many: string): string {
  return `${namesOf(credentials)} ${credentials.length === 1 ? one : many}`;
}

/** “a”, “b” and 3 more. */
function namesOf(credentials: Named): string {
  const shown = credentials.slice(0, credentials.length > 3 ? 2 : 3).map(({ name }) => `“${name}”`);
  const others = credentials.length - shown.length;
  if (others > 0) return `${shown.join(', ')} and ${others} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1) ?? ''}` : (shown[0] ?? '');
}
