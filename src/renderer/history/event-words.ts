import type { Actor, EventKind, HistoryEvent } from '../../contract/audit-event.ts';
import { foldCase } from '../../core/history/choose-events.ts';
import type { IconName } from '../kit/icon.tsx';
import { credentialWordings } from './credential-event-words.ts';
import { designerWordings } from './designer-event-words.ts';
import { type Data, type EventTone, joined, text, type Wording } from './wording.ts';

export interface EventWords {
  readonly icon: IconName;
  readonly tone: EventTone;
  readonly what: string;
  readonly detail: string | undefined;
}

const wordings: Record<EventKind, Wording> = {
  'token.issued': {
    icon: 'token',
    tone: 'good',
    what: 'Token issued',
    detail: (data) => joined(text(data, 'configuration', 'name'), days(data)),
  },
  'token.rotated': {
    icon: 'rotate',
    tone: 'accent',
    what: 'Token rotated',
    detail: (data) => {
      const [source, successor] = [text(data, 'source_id'), text(data, 'successor_id')];
      return source && successor ? `${source} → ${successor}` : undefined;
    },
  },
  'token.refreshed': { icon: 'key', tone: 'calm', what: 'Access token handed out', detail: tokenId },
  'token.first_used': { icon: 'token', tone: 'calm', what: 'Token used for the first time', detail: tokenId },
  'token.suspended': { icon: 'pause', tone: 'warn', what: 'Token suspended', detail: tokenAndReason },
  'token.resumed': { icon: 'token', tone: 'good', what: 'Token resumed', detail: tokenAndReason },
  'token.blacklisted': { icon: 'cross', tone: 'bad', what: 'Token blacklisted', detail: tokenAndReason },
  'token.expired': { icon: 'clock', tone: 'warn', what: 'Token expired', detail: tokenId },
  'token.reused': { icon: 'alert', tone: 'bad', what: 'Superseded token used again', detail: tokenId },
  'ivr.created': {
    icon: 'menu',
    tone: 'good',
    what: 'Phone menu created',
    detail: (data) => text(data, 'ivr', 'name'),
  },
  'ivr.updated': {
    icon: 'menu',
    tone: 'accent',
    what: 'Phone menu changed',
    detail: (data) => text(data, 'ivr', 'name'),
  },
  'ivr.deleted': {
    icon: 'menu',
    tone: 'warn',
    what: 'Phone menu deleted',
    detail: (data) => text(data, 'name'),
  },
  ...designerWordings,
  'settings.changed': {
    icon: 'other',
    tone: 'calm',
    what: 'Settings changed',
    detail: (data) =>
      joined(...Object.keys(typeof data['settings'] === 'object' ? (data['settings'] ?? {}) : {})),
  },
  ...credentialWordings,
  'journal.repaired': {
    icon: 'alert',
    tone: 'warn',
    what: 'Journal repaired',
    detail: (data) => text(data, 'explanation'),
  },
};

const wordingByKind: ReadonlyMap<string, Wording> = new Map(Object.entries(wordings));

/**
 * An event in words, with a sign and a tone.
 *
 * A kind that this window does not know yet (a newer service) is shown under its own name rather than left out.
 */
export function eventWords({ kind, subject, data }: HistoryEvent): EventWords {
  const wording = wordingByKind.get(kind);
  if (wording === undefined) return { icon: 'other', tone: 'calm', what: kind, detail: subject };
  return { icon: wording.icon, tone: wording.tone, what: wording.what, detail: wording.detail(data) };
}

/** What an event is about and what its detail says, in one line; the detail of some begins with the name as it was then. */
export function aboutWords(name: string | undefined, detail: string | undefined): string | undefined {
  return name !== undefined && detail?.startsWith(name) === true ? detail : joined(name, detail);
}

/** The kinds whose words have a text in them, as a filter of the history; nothing when none has. */
export function kindsSaying(text: string): string | undefined {
  const sought = foldCase(text);
  const kinds = [...wordingByKind].filter(([, { what }]) => foldCase(what).includes(sought));
  return kinds.length === 0 ? undefined : kinds.map(([kind]) => kind).join(',');
}

/** What a kind of event is called. */
export function kindWords(kind: string): string {
  return wordingByKind.get(kind)?.what ?? kind;
}

/** Who did it: a word for the row, and everything known on hover. */
export function actorWords(actor: Actor): { short: string; exact: string } {
  switch (actor.kind) {
    case 'owner':
      return { short: 'owner', exact: 'By the owner, in a window or with the command line' };
    case 'bearer':
      return {
        short: actor.address,
        exact: `By ${actor.token_id} from ${actor.address}${actor.user_agent === null ? '' : `, ${actor.user_agent}`}`,
      };
    case 'system':
      return { short: 'service', exact: 'By the service itself' };
  }
}

function tokenId(data: Data): string | undefined {
  return text(data, 'token_id');
}

function tokenAndReason(data: Data): string | undefined {
  return joined(text(data, 'token_id'), text(data, 'reason'));
}

function days(data: Data): string | undefined {
  const configuration = data['configuration'];
  if (typeof configuration !== 'object' || configuration === null || !('validity_days' in configuration))
    return undefined;
  const count = configuration.validity_days;
  return typeof count === 'number' ? `${count} ${count === 1 ? 'day' : 'days'}` : undefined;
}
