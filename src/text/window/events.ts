import type { Actor, EventKind, HistoryEvent } from '../../contract/history/audit-event.ts';
import { isOwnCall } from '../../contract/service/own-call.ts';
import { isNamedKind } from '../../providers/catalogue.ts';
import type { HistoryFilters, HistoryResult } from '../../contract/history/history.ts';
import { countWords } from '../count.ts';
import { switchedText } from '../menu/schedule-text.ts';
import { assumedExpiryTexts } from '../credential/credentials.ts';
import { savedSpanText, savesLine } from './history-text.ts';
import { isolated, quotedName } from '../names.ts';
import { providerName } from '../credential/providers.ts';
import { tornWriteText } from '../service/store-text.ts';
import { type Instant, localTime, menuText } from '../time.ts';
import { handoutsText, proxyUsesText } from '../credential/use-text.ts';

type Data = HistoryEvent['data'];

/** What each kind of event is called, in the windows, in the command line and in a search. */
const titles: Record<EventKind, string> = {
  'token.issued': 'Token issued',
  'token.rotated': 'Token rotated',
  'token.refreshed': 'Access token refreshed',
  'token.first_used': 'Token first used',
  'token.suspended': 'Token suspended',
  'token.resumed': 'Token resumed',
  'token.blacklisted': 'Token blacklisted',
  'token.expired': 'Token expired',
  'token.reused': 'Superseded token used',
  'token.reuse_ended': 'Current token used again',
  'token.reuse_dismissed': 'Use of superseded tokens dismissed',
  'ivr.created': 'Phone menu created',
  'ivr.updated': 'Phone menu changed',
  'ivr.deleted': 'Phone menu deleted',
  'draft.created': 'Draft created',
  'draft.saved': 'Draft saved',
  'draft.deleted': 'Draft deleted',
  'draft.menu_sent': 'Draft menu sent',
  'draft.menu_refused': 'Draft menu refused',
  'draft.menu_stored': 'Draft menu stored',
  'draft.published': 'Draft published',
  'recording.added': 'Recording added',
  'recording.renamed': 'Recording renamed',
  'recording.replaced': 'Recording replaced',
  'recording.kept': 'Recording kept',
  'recording.use_changed': 'Use of recordings changed',
  'recording.removed': 'Recording removed',
  'pronunciations.changed': 'Pronunciations changed',
  'speech.begun': 'Speaking all texts started',
  'speech.ended': 'Speaking all texts ended',
  'extensions.changed': 'Extensions changed',
  'sms_templates.changed': 'SMS templates changed',
  'schedule.created': 'Opening hours created',
  'schedule.changed': 'Opening hours changed',
  'schedule.switched': 'Opening hours switched',
  'schedule.deleted': 'Opening hours deleted',
  'settings.changed': 'Settings changed',
  'credential.added': 'Credential added',
  'credential.policy_changed': 'Rotation policy changed',
  'credential.address_changed': 'Service address changed',
  'credential.inputs_changed': 'Provider input changed',
  'credential.paused': 'Rotation paused',
  'credential.resumed': 'Rotation resumed',
  'credential.rotation_begun': 'Rotation started',
  'credential.rotation_failed': 'Rotation failed',
  'credential.checked': 'Token checked',
  'credential.rotated': 'Credential rotated',
  'credential.renewed': 'Token renewed',
  'credential.retired': 'Old token deleted',
  'credential.retire_failed': 'Old token not deleted',
  'credential.standby_changed': 'Second token changed',
  'credential.value_replaced': 'Token replaced manually',
  'credential.used': 'Token handed out',
  'credential.removed': 'Credential removed',
  'credential.target_added': 'Target added',
  'credential.target_removed': 'Target removed',
  'credential.delivered': 'Token delivered',
  'credential.delivery_failed': 'Delivery failed',
  'proxy.rule_added': 'Proxy rule added',
  'proxy.rule_removed': 'Proxy rule removed',
  'proxy.token_issued': 'App token issued',
  'proxy.token_revoked': 'App token revoked',
  'proxy.used': 'Proxy used',
  'proxy.token_reflected': 'Token removed from an answer',
  'connection.added': 'Tool connected',
  'connection.removed': 'Tool disconnected',
  'connection.token_refused': 'Token refused by a server',
  'pbx.added': 'Telephone system added',
  'pbx.changed': 'Telephone system changed',
  'pbx.removed': 'Telephone system removed',
  'calls.forgotten': 'Call records deleted',
  'folder.move_confirmed': 'Move to this computer confirmed',
  'owner.added': 'Owner added',
  'owner.revoked': 'Owner revoked',
  'owner.signed_in': 'Owner signed in',
  'owner.sign_in_failed': 'Sign-in failed',
  'journal.sealed': 'Journal sealed',
  'journal.repaired': 'Journal repaired',
};

/** A token's first use by Rotavox itself. */
const checkedTitle = 'Token checked by Rotavox';
const titleByKind: ReadonlyMap<string, string> = new Map(Object.entries(titles));
const longestTitle = Math.max(...[...Object.values(titles), checkedTitle].map((title) => title.length));

/** What a kind of event is called. A kind that only a newer service knows is shown by its name. */
export function eventTitle(kind: string, actor?: Actor): string {
  if (kind === 'token.first_used' && actor !== undefined && isOwnCall(actor)) return checkedTitle;
  return titleByKind.get(kind) ?? kind;
}

/**
 * The filters for a text that a person searches for; none when nothing is left of it.
 *
 * The service does not know the titles, so the kinds whose title has the text go with it: what is found is what is shown.
 */
export function searchFilters(typed: string): Pick<HistoryFilters, 'text' | 'text_kind'> {
  const text = typed.trim().slice(0, maxSearchLength);
  if (text === '') return {};
  // Upper case, as the service compares: see `foldCase` in core/history/choose-events.ts.
  const sought = text.toUpperCase();
  const kinds = [...titleByKind].filter(([, title]) => title.toUpperCase().includes(sought));
  return kinds.length === 0 ? { text } : { text, text_kind: kinds.map(([kind]) => kind).join(',') };
}

/** The contract's bound for `text`. */
export const maxSearchLength = 200;

export const resultLabels: Record<HistoryResult, string> = {
  ok: 'OK',
  attention: 'Needs attention',
  failed: 'Failed',
};

type Detail = (data: Data, writeInstant: (at: Instant) => string) => string | undefined;

const tokenAndReason: Detail = (data) => joined(textAt(data, 'token_id'), textAt(data, 'reason'));
const tokenId: Detail = (data) => textAt(data, 'token_id');
const menuName: Detail = (data) => textAt(data, 'ivr', 'name');
const ownName: Detail = (data) => textAt(data, 'name');
const message: Detail = (data) => textAt(data, 'message');
const tokenNumber: Detail = (data) => numbered('token', data['generation']);
const assumedExpiry: Detail = (data) => {
  const why = new Map(Object.entries(assumedExpiryTexts)).get(textAt(data, 'expiry_assumed') ?? '');
  return why === undefined ? undefined : `expiry ${why}`;
};
const newToken: Detail = (data, ...rest) => joined(tokenNumber(data, ...rest), assumedExpiry(data, ...rest));
const retiredHow: ReadonlyMap<string, string> = new Map([
  ['deleted', 'deleted at the service'],
  ['already_gone', 'gone at the service already'],
  ['expired', 'expired'],
]);
const menuAndPlace: Detail = (data) => joined(textAt(data, 'node_id'), textAt(data, 'base_url'));
const recording: Detail = (data) =>
  joined(textAt(data, 'recording', 'name'), textAt(data, 'recording', 'id'));
const namedRecording: Detail = (data) => joined(textAt(data, 'name'), textAt(data, 'recording_id'));
const entries: Detail = ({ set, removed }) => joined(counted(set, 'set'), counted(removed, 'removed'));

/** The kind of a service where that says more than its address. An id of a newer service is shown as it is. */
function kindOfService(data: Parameters<Detail>[0]): string | undefined {
  const id = textAt(data, 'provider', 'id');
  if (id === undefined || !isNamedKind({ id })) return undefined;
  return providerName(id);
}

const proxyRule: Detail = (data) =>
  [textAt(data, 'method'), textAt(data, 'path')].filter((one) => one !== undefined).join(' ');

const connection: Detail = (data) => {
  const prefix = textAt(data, 'path_prefix');
  return joined(
    textAt(data, 'tool'),
    `${textAt(data, 'origin') ?? ''}${prefix === undefined ? '' : `/${prefix}`}`,
  );
};

/** What an event says apart from its title. Each reads what a newer or an older service may have left out. */
const details: Partial<Record<EventKind, Detail>> = {
  'token.issued': (data) => joined(textAt(data, 'configuration', 'name'), validity(data)),
  'token.rotated': (data) => {
    const [source, successor] = [textAt(data, 'source_id'), textAt(data, 'successor_id')];
    return source !== undefined && successor !== undefined ? `${source} → ${successor}` : undefined;
  },
  'token.refreshed': tokenId,
  'token.first_used': tokenId,
  'token.suspended': tokenAndReason,
  'token.resumed': tokenAndReason,
  'token.blacklisted': tokenAndReason,
  'token.expired': tokenId,
  'token.reused': tokenId,
  'token.reuse_ended': tokenId,
  'token.reuse_dismissed': tokenId,
  'ivr.created': menuName,
  'ivr.updated': menuName,
  'ivr.deleted': ownName,
  'draft.created': (data) => textAt(data, 'document', 'name'),
  'draft.saved': (data) => joined(textAt(data, 'name'), numbered('revision', data['revision'])),
  'draft.deleted': ownName,
  'draft.menu_sent': menuAndPlace,
  'draft.menu_refused': menuAndPlace,
  'draft.menu_stored': (data, ...rest) => joined(menuAndPlace(data, ...rest), textAt(data, 'ivr_id')),
  'draft.published': (data) =>
    joined(textAt(data, 'document', 'name'), numbered('version', data['version']), textAt(data, 'base_url')),
  'recording.added': recording,
  'recording.renamed': namedRecording,
  'recording.replaced': recording,
  'recording.kept': namedRecording,
  'recording.use_changed': ({ unused, used }) =>
    joined(counted(unused, 'not played any more'), counted(used, 'played again')),
  'recording.removed': namedRecording,
  'pronunciations.changed': entries,
  'speech.begun': (data) => numbered('texts', data['total']),
  'speech.ended': (data) => joined(textAt(data, 'status'), numbered('failed', data['failed'])),
  'extensions.changed': entries,
  'sms_templates.changed': entries,
  'schedule.created': (data) => textAt(data, 'schedule', 'name'),
  'schedule.changed': (data) => joined(textAt(data, 'hours', 'name'), numbered('version', data['version'])),
  'schedule.switched': (data, writeInstant) =>
    joined(textAt(data, 'name'), switchedText(textAt(data, 'to'), textAt(data, 'until'), writeInstant)),
  'schedule.deleted': ownName,
  'settings.changed': ({ settings }) =>
    typeof settings === 'object' && settings !== null
      ? joined(...Object.entries(settings).map(([name, value]) => settingText(name, value)))
      : undefined,
  'credential.added': (data, ...rest) =>
    joined(textAt(data, 'name'), kindOfService(data), textAt(data, 'base_url'), assumedExpiry(data, ...rest)),
  'credential.address_changed': (data) => joined(textAt(data, 'before'), textAt(data, 'base_url')),
  'credential.inputs_changed': ({ inputs }) =>
    typeof inputs === 'object' && inputs !== null
      ? joined(...Object.entries(inputs).map(([name, value]) => `${name}: ${String(value)}`))
      : undefined,
  'credential.paused': (data, writeInstant) => {
    const until = textAt(data, 'until');
    return until === undefined ? undefined : `until ${writeInstant(until)}`;
  },
  'credential.rotation_begun': tokenNumber,
  'credential.rotation_failed': message,
  'credential.checked': (data) =>
    textAt(data, 'trouble', 'message') ??
    (data['can_rotate'] === true ? 'it works, and its service can rotate it' : undefined),
  'credential.rotated': newToken,
  'credential.renewed': (data, writeInstant) => {
    const until = textAt(data, 'expires_at');
    if (until === undefined) return undefined;
    const end = `until ${writeInstant(until)}`;
    return data['can_rotate'] === false ? `${end}, for the last time` : end;
  },
  'credential.retired': (data, ...rest) =>
    joined(tokenNumber(data, ...rest), retiredHow.get(textAt(data, 'how') ?? '')),
  'credential.retire_failed': message,
  'credential.standby_changed': (data) =>
    textAt(data, 'message') ?? (data['standby'] === null ? 'removed' : 'added'),
  'credential.value_replaced': newToken,
  'credential.removed': ownName,
  // Of a command its program only: an argument may be a secret.
  'credential.target_added': (data) =>
    joined(
      textAt(data, 'target', 'kind'),
      textAt(data, 'target', 'path') ??
        textAt(data, 'target', 'account') ??
        textAt(data, 'target', 'command', '0'),
    ),
  'credential.delivered': (data, ...rest) => joined(tokenNumber(data, ...rest), textAt(data, 'note')),
  'credential.delivery_failed': message,
  'proxy.rule_added': proxyRule,
  'proxy.rule_removed': proxyRule,
  'proxy.token_issued': (data) => textAt(data, 'app'),
  'proxy.token_revoked': (data) => textAt(data, 'app'),
  'connection.added': connection,
  'connection.removed': connection,
  'connection.token_refused': (data) =>
    joined(
      textAt(data, 'tool'),
      data['is_current'] === false ? 'used the previous token' : 'used the current token',
    ),
  'credential.used': ({ uses }) => handoutsText(uses),
  'proxy.used': ({ uses }) => proxyUsesText(uses),
  'proxy.token_reflected': (data) =>
    joined(textAt(data, 'app'), textAt(data, 'header') ?? 'body of the answer'),
  'folder.move_confirmed': (data) => {
    const [name, folder] = [textAt(data, 'from', 'name'), textAt(data, 'from', 'folder')];
    const reason = textAt(data, 'from', 'reason');
    if (reason === 'other_machine') return joined(`from ${name ?? 'another computer'}`, folder);
    if (reason === 'copy') return joined('a copy on this computer', folder);
    return 'it was not known where the data come from';
  },
  'owner.added': ownName,
  'owner.revoked': ownName,
  'owner.signed_in': (data) => joined(textAt(data, 'name'), textAt(data, 'address')),
  'owner.sign_in_failed': ({ address, attempts }) =>
    joined(
      typeof address === 'string' ? address : undefined,
      typeof attempts === 'number' ? countWords(attempts, 'attempt') : undefined,
    ),
  'journal.sealed': ({ events }) =>
    typeof events === 'number'
      ? `From now on only hosts with the passphrase of the team can add events; ${countWords(events, 'earlier event')} can no longer be changed unnoticed`
      : undefined,
  'journal.repaired': ({ file, bytes_cut, kept_as }) =>
    typeof file === 'string' && typeof bytes_cut === 'number' && typeof kept_as === 'string'
      ? tornWriteText({ file, bytes_cut, kept_as })
      : undefined,
};

const detailByKind: ReadonlyMap<string, Detail> = new Map(Object.entries(details));

/** What an event says apart from its title; of a kind that is not known, what it is about. */
export function eventDetail(
  { kind, subject, data }: HistoryEvent,
  writeInstant = menuText,
): string | undefined {
  return titleByKind.has(kind) ? detailByKind.get(kind)?.(data, writeInstant) : subject;
}

/** What an event is about and its detail, in one text; the detail of some begins with the name as it was then. */
export function aboutText(name: string | undefined, detail: string | undefined): string | undefined {
  return name !== undefined && detail?.startsWith(name) === true ? detail : joined(name, detail);
}

/** An event on one line, for a terminal: local time, title, ids and detail, and who did it. */
export function eventLine(event: HistoryEvent): string {
  const { at, kind, actor, data } = event;
  const detail = eventDetail(event, localTime);
  // A person copies them from here into the next command.
  const ids = idPaths
    .map((path) => textAt(data, ...path))
    .filter((id) => id !== undefined && detail?.includes(id) !== true);
  const about = joined(...ids, detail) ?? '';
  return `${localTime(at)}  ${eventTitle(kind, actor).padEnd(longestTitle)}  ${about}  by ${actorText(actor).full}`;
}

/** Saves of one draft that follow each other are one group; every other event is one of its own. */
export function groupedSaves(events: readonly HistoryEvent[]): [HistoryEvent, ...HistoryEvent[]][] {
  const groups: [HistoryEvent, ...HistoryEvent[]][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    const isSave = event.kind === 'draft.saved' && first?.kind === event.kind;
    if (isSave && first.subject === event.subject) last?.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** A group of events on one line, newest first. */
export function eventsLine(
  group: readonly [HistoryEvent, ...HistoryEvent[]],
  names: Readonly<Record<string, string>> | undefined,
  nowMs: number,
): string {
  const [newest] = group;
  const oldest = group.at(-1) ?? newest;
  if (group.length === 1) return eventLine(newest);
  const { at, kind, subject, actor } = newest;
  const saves = savesLine(names?.[subject] ?? subject, group.length, savedSpanText(oldest.at, at, nowMs));
  return `${localTime(at)}  ${eventTitle(kind).padEnd(longestTitle)}  ${saves}  by ${actorText(actor).full}`;
}

const idPaths = [
  ['token_id'],
  ['credential_id'],
  ['target_id'],
  ['draft_id'],
  ['ivr', 'id'],
  ['ivr_id'],
] as const;

/** Who did it: in a word for a row, and everything that is known. */
export function actorText(actor: Actor): { readonly short: string; readonly full: string } {
  switch (actor.kind) {
    case 'owner':
      if (actor.name === undefined) return { short: 'owner', full: 'the owner' };
      return { short: isolated(actor.name), full: `the owner ${quotedName(actor.name)}` };
    case 'bearer':
      if (isOwnCall(actor)) return { short: 'Rotavox', full: `Rotavox, with ${actor.token_id}` };
      return { short: actor.address, full: `${actor.token_id} from ${callerText(actor)}` };
    case 'system':
      return { short: 'service', full: 'the service' };
  }
}

/** Where a call came from, and from which program if it said so. */
export function callerText({
  address,
  user_agent: userAgent,
}: {
  readonly address: string;
  readonly user_agent: string | null;
}): string {
  return userAgent === null ? address : `${address} (${userAgent})`;
}

/** Which tokens of its family an event is about, by their numbers: empty where it is about none. */
export function generationText({ data }: HistoryEvent): string {
  const [source, successor, one] = ['source_id', 'successor_id', 'token_id'].map((key) => textAt(data, key));
  if (source !== undefined && successor !== undefined)
    return `token ${generationOf(source)} → ${generationOf(successor)}`;
  return one === undefined ? '' : `token ${generationOf(one)}`;
}

/** The number that a token's id ends with: `tok_<family>_<generation>`. */
export function generationOf(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

/** Why the owner did it, in their own words. */
export function reasonText({ data }: HistoryEvent): string | undefined {
  return textAt(data, 'reason');
}

/** The text somewhere in an event's data; undefined where there is none. */
function textAt(data: Data, ...path: readonly string[]): string | undefined {
  let value: unknown = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function joined(...parts: readonly (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(' · ');
}

function numbered(what: string, count: unknown): string | undefined {
  return typeof count === 'number' ? `${what} ${count}` : undefined;
}

function counted(list: unknown, what: string): string | undefined {
  return Array.isArray(list) && list.length > 0 ? `${list.length} ${what}` : undefined;
}

/** What a setting was changed to; of one with parts only its name. */
function settingText(name: string, value: unknown): string {
  const words = name.replaceAll('_', ' ');
  if (Array.isArray(value)) return `${words}: ${value.length === 0 ? 'none' : value.join(', ')}`;
  return typeof value === 'object' ? words : `${words}: ${JSON.stringify(value)}`;
}

function validity({ configuration }: Data): string | undefined {
  const { validity_days: days } = (configuration ?? {}) as { readonly validity_days?: unknown };
  return typeof days === 'number' ? countWords(days, 'day') : undefined;
}
