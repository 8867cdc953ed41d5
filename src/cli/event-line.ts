import type { Actor, EventKind, HistoryEvent } from '../contract/audit-event.ts';
import { localTime } from './moments.ts';
import { plainText } from './terminal.ts';

type Data = HistoryEvent['data'];

/** Each kind of event in words, and what its line says beside them. */
const wordings: Record<EventKind, { readonly what: string; readonly detail: (data: Data) => string }> = {
  'token.issued': {
    what: 'Token issued',
    detail: (data) => joined(text(data, 'token_id'), quoted(text(data, 'configuration', 'name'))),
  },
  'token.rotated': {
    what: 'Token rotated',
    detail: (data) => `${text(data, 'source_id')} -> ${text(data, 'successor_id')}`,
  },
  'token.refreshed': { what: 'Access token handed out', detail: tokenId },
  'token.first_used': { what: 'Token first used', detail: tokenId },
  'token.suspended': { what: 'Token suspended', detail: tokenAndReason },
  'token.resumed': { what: 'Token resumed', detail: tokenAndReason },
  'token.blacklisted': { what: 'Token blacklisted', detail: tokenAndReason },
  'token.expired': { what: 'Token expired', detail: tokenId },
  'token.reused': { what: 'Superseded token used', detail: tokenId },
  'ivr.created': { what: 'IVR created', detail: ivr },
  'ivr.updated': { what: 'IVR changed', detail: ivr },
  'ivr.deleted': {
    what: 'IVR deleted',
    detail: (data) => joined(text(data, 'ivr_id'), quoted(text(data, 'name'))),
  },
  'draft.created': {
    what: 'Draft created',
    detail: (data) => joined(draft(data), quoted(text(data, 'document', 'name'))),
  },
  'draft.saved': {
    what: 'Draft saved',
    detail: (data) => joined(draft(data), `revision ${number(data, 'revision')}`),
  },
  'draft.deleted': {
    what: 'Draft deleted',
    detail: (data) => joined(draft(data), quoted(text(data, 'name'))),
  },
  'draft.menu_sent': { what: 'Draft menu sent', detail: draftMenu },
  'draft.menu_refused': { what: 'Draft menu refused', detail: draftMenu },
  'draft.menu_stored': {
    what: 'Draft menu stored',
    detail: (data) => joined(draftMenu(data), `as ${text(data, 'ivr_id')}`),
  },
  'draft.published': {
    what: 'Draft published',
    detail: (data) =>
      joined(
        draft(data),
        quoted(text(data, 'document', 'name')),
        `version ${number(data, 'version')} to ${text(data, 'base_url')}`,
      ),
  },
  'recording.added': { what: 'Recording added', detail: recording },
  'recording.renamed': {
    what: 'Recording renamed',
    detail: (data) => joined(text(data, 'recording_id'), quoted(text(data, 'name'))),
  },
  'recording.replaced': { what: 'Recording replaced', detail: recording },
  'recording.removed': {
    what: 'Recording removed',
    detail: (data) => joined(text(data, 'recording_id'), quoted(text(data, 'name'))),
  },
  'extensions.changed': { what: 'Extensions changed', detail: entries },
  'sms_templates.changed': { what: 'SMS templates changed', detail: entries },
  'settings.changed': { what: 'Settings changed', detail: ({ settings }) => JSON.stringify(settings) },
  'credential.added': {
    what: 'Credential added',
    detail: (data) => joined(credential(data), quoted(text(data, 'name'))),
  },
  'credential.policy_changed': {
    what: 'Policy changed',
    detail: (data) => joined(credential(data), JSON.stringify(data['policy'] ?? null)),
  },
  'credential.paused': {
    what: 'Credential paused',
    detail: (data) =>
      joined(credential(data), text(data, 'until') && `until ${localTime(text(data, 'until'))}`),
  },
  'credential.resumed': { what: 'Credential resumed', detail: credential },
  'credential.rotation_begun': { what: 'Rotation begun', detail: credential },
  'credential.rotation_failed': { what: 'Rotation failed', detail: credentialAndMessage },
  'credential.checked': {
    what: 'Token checked',
    detail: (data) => joined(credential(data), quoted(text(data, 'trouble', 'message'))),
  },
  'credential.rotated': { what: 'Credential rotated', detail: credential },
  'credential.value_replaced': {
    what: 'Value replaced',
    detail: (data) => joined(credential(data), text(data, 'cause')),
  },
  'credential.removed': {
    what: 'Credential removed',
    detail: (data) => joined(credential(data), quoted(text(data, 'name'))),
  },
  'credential.target_added': {
    what: 'Target added',
    detail: (data) => joined(credentialAndTarget(data), text(data, 'target', 'kind')),
  },
  'credential.target_removed': { what: 'Target removed', detail: credentialAndTarget },
  'credential.delivered': {
    what: 'Value delivered',
    detail: (data) => joined(credentialAndTarget(data), quoted(text(data, 'note'))),
  },
  'credential.delivery_failed': {
    what: 'Delivery failed',
    detail: (data) => joined(credentialAndTarget(data), quoted(text(data, 'message'))),
  },
  'journal.repaired': { what: 'Journal repaired', detail: (data) => text(data, 'explanation') },
};

const longestWhat = Math.max(...Object.values(wordings).map(({ what }) => what.length));

/** An event on one line: local time, what happened, to what, by whom. */
export function eventLine({ at, kind, actor, data }: HistoryEvent): string {
  // A newer service may know kinds that this does not: those are shown by their own name.
  const { what, detail } = Object.hasOwn(wordings, kind)
    ? wordings[kind as EventKind]
    : { what: kind, detail: () => '' };
  return plainText(`${localTime(at)}  ${what.padEnd(longestWhat)}  ${detail(data)}  ${actorWords(actor)}`);
}

/** The kinds that have a text in the words of their lines, as a filter of the history; nothing when none has. */
export function kindsSaying(text: string): string | undefined {
  const sought = text.toUpperCase();
  const kinds = Object.entries(wordings).filter(([, { what }]) => what.toUpperCase().includes(sought));
  return kinds.length === 0 ? undefined : kinds.map(([kind]) => kind).join(',');
}

function actorWords(actor: Actor): string {
  switch (actor.kind) {
    case 'owner':
      return 'by the owner';
    case 'bearer':
      return `by ${actor.token_id} from ${joined(actor.address, actor.user_agent === null ? '' : `(${actor.user_agent})`)}`;
    case 'system':
      return 'by the service';
  }
}

function tokenId(data: Data): string {
  return text(data, 'token_id');
}

function tokenAndReason(data: Data): string {
  return joined(tokenId(data), quoted(text(data, 'reason')));
}

function ivr(data: Data): string {
  return joined(text(data, 'ivr', 'id'), quoted(text(data, 'ivr', 'name')));
}

function draft(data: Data): string {
  return text(data, 'draft_id');
}

function draftMenu(data: Data): string {
  return joined(draft(data), text(data, 'node_id'), `to ${text(data, 'base_url')}`);
}

function recording(data: Data): string {
  return joined(text(data, 'recording', 'id'), quoted(text(data, 'recording', 'name')));
}

function entries({ set, removed }: Data): string {
  const count = (list: unknown): number => (Array.isArray(list) ? list.length : 0);
  return `${count(set)} set, ${count(removed)} removed`;
}

/** A number in an event's data; empty where there is none. */
function number(data: Data, key: string): string {
  const value = data[key];
  return typeof value === 'number' ? String(value) : '';
}

function credential(data: Data): string {
  return text(data, 'credential_id');
}

function credentialAndMessage(data: Data): string {
  return joined(credential(data), quoted(text(data, 'message')));
}

function credentialAndTarget(data: Data): string {
  return joined(credential(data), text(data, 'target_id'));
}

/** A text somewhere in an event's data; empty where there is none. */
function text(data: Data, ...path: string[]): string {
  let value: unknown = data;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof value === 'string' ? value : '';
}

function quoted(words: string): string {
  return words === '' ? '' : `"${words}"`;
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
