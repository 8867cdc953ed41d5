import type { AuditEvent } from '../../../contract/history/audit-event.ts';
import type { DraftId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrId } from '../../../contract/menu/ivr.ts';
import { instantMs } from '../../iso-instant.ts';
import type { State } from '../../state.ts';
import { invariant, unreachable } from '../../unreachable.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { applyDelta } from './document-delta.ts';
import {
  type Draft,
  type DraftPublication,
  isSameTarget,
  publicationAt,
  type PublishTarget,
} from './draft.ts';

export type DraftEvent = Extract<AuditEvent, { kind: `draft.${string}` }>;

/** Applies an event of a draft to the state. */
export function applyDraftEvent(state: State, event: DraftEvent): void {
  const atMs = instantMs(event.at);
  switch (event.kind) {
    case 'draft.created': {
      const { draft_id: id, document, stored, schedules = [] } = event.data;
      state.drafts.set(id, {
        id,
        revision: 1,
        versions: 0,
        createdAtMs: atMs,
        updatedAtMs: atMs,
        document,
        publications: stored === undefined ? [] : [publishedBefore(state, stored)],
        createdSchedules: schedules,
      });
      return;
    }
    case 'draft.saved': {
      const { draft_id: id, revision, ...delta } = event.data;
      const draft = draftOf(state, id);
      invariant(draft.revision + 1 === revision, `revision ${revision} of ${id} follows the one before it`);
      const document = applyDelta(draft.document, delta);
      state.drafts.set(id, { ...draft, revision, updatedAtMs: atMs, document });
      return;
    }
    case 'draft.deleted':
      state.drafts.delete(event.data.draft_id);
      return;
    case 'draft.menu_sent': {
      const { node_id: node, body } = event.data;
      changePublication(state, event.data, (known) => ({ ...known, sent: { ...known.sent, [node]: body } }));
      return;
    }
    case 'draft.menu_refused': {
      const { node_id: node } = event.data;
      changePublication(state, event.data, (known) => ({ ...known, sent: without(known.sent, node) }));
      return;
    }
    case 'draft.menu_stored': {
      const { node_id: node, ivr_id: ivrId } = event.data;
      changePublication(state, event.data, (known) => ({
        ...known,
        menus: { ...known.menus, [node]: ivrId },
        sent: without(known.sent, node),
      }));
      return;
    }
    case 'draft.published': {
      const { version, menus, document, parts = [], removed_parts: removed = [] } = event.data;
      for (const part of parts) state.flowParts.set(part.id, part);
      for (const part of removed) state.flowParts.delete(part);
      const published = { version, atMs, fingerprint: fingerprintOf(document) };
      changePublication(state, event.data, (known) => ({
        ...known,
        menus: { ...withoutIds(known.menus, removed), ...menus },
        versions: known.isHere ? { ...known.versions, ...versionsHere(state, menus) } : {},
        published,
      }));
      return;
    }
    default:
      unreachable(event);
  }
}

/** The menus that this service had before the draft was created: none of their versions is the draft's. */
function publishedBefore(state: State, { base_url: baseUrl, menus }: StoredBefore): DraftPublication {
  const versions = versionsHere(state, menus);
  return { credential: null, baseUrl, isHere: true, menus, versions, sent: {}, published: null };
}

/** The menus' own events come first, so each has the published version. */
function versionsHere({ ivrs }: State, menus: Readonly<Record<string, string>>): Record<string, number> {
  const versions = Object.values(menus).map((id) => [id, ivrs.get(id as IvrId)?.version] as const);
  return Object.fromEntries(versions.filter((one): one is readonly [string, number] => one[1] !== undefined));
}

type StoredBefore = NonNullable<Extract<DraftEvent, { kind: 'draft.created' }>['data']['stored']>;

interface AtTarget {
  readonly draft_id: DraftId;
  readonly credential: string | null;
  readonly base_url: string;
  readonly is_here: boolean;
}

function changePublication(
  state: State,
  { draft_id: id, credential, base_url: baseUrl, is_here: isHere }: AtTarget,
  change: (known: DraftPublication) => DraftPublication,
): void {
  // The draft was deleted while it was published: there is nothing to update.
  const draft = state.drafts.get(id);
  if (draft === undefined) return;
  const target: PublishTarget = { credential, baseUrl, isHere };
  const changed = { ...change(publicationAt(draft, target)), ...target };
  const others = draft.publications.filter((one) => !isSameTarget(one, target));
  const versions = Math.max(draft.versions, changed.published?.version ?? 0);
  state.drafts.set(id, { ...draft, versions, publications: [...others, changed] });
}

function draftOf(state: State, id: DraftId): Draft {
  const draft = state.drafts.get(id);
  invariant(draft !== undefined, `draft ${id} is known`);
  return draft;
}

function without<V>(record: Readonly<Record<string, V>>, key: string): Record<string, V> {
  return Object.fromEntries(Object.entries(record).filter(([one]) => one !== key));
}

function withoutIds(
  menus: Readonly<Record<string, string>>,
  removed: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(menus).filter(([, id]) => !removed.includes(id)));
}
