import type { EventDraft, EventKind } from '../../../contract/history/audit-event.ts';
import type { DraftId, DraftRefusalReason, IvrDocument, NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { Ivr, IvrId } from '../../../contract/menu/ivr.ts';
import type { FlowPart, FlowPartId, ScheduleHours } from '../../../contract/menu/schedule.ts';
import type { Decision } from '../../ledger.ts';
import type { State } from '../../state.ts';
import { isoInstant } from '../../iso-instant.ts';
import { nodeOf } from '../edit/lines.ts';
import type { DraftRefusal } from './change-draft.ts';
import { type Draft, publicationAt, type PublishTarget, type SentBody } from './draft.ts';

/** Which draft is published where. */
export interface Publishing {
  readonly id: DraftId;
  readonly target: PublishTarget;
}

const owner = { kind: 'owner' } as const;

/**
 * Recorded before a menu is sent to be created.
 *
 * The reply can be lost, and the program can be killed while it waits. Then the next publication searches the target
 * for a menu with these fields before it creates one again. A change of an existing menu needs no such record, because
 * it may be sent twice.
 */
export function menuSent(to: Publishing, menu: NodeId, body: SentBody): Decision<null> {
  return one({ kind: 'draft.menu_sent', ...about(to), data: { ...place(to), node_id: menu, body } });
}

/** The target certainly did not store it. */
export function menuRefused(to: Publishing, menu: NodeId): Decision<null> {
  return one({ kind: 'draft.menu_refused', ...about(to), data: { ...place(to), node_id: menu } });
}

/** Recorded immediately after each reply, so that a publication that breaks off knows what it has done. */
export function menuStored(to: Publishing, menu: NodeId, ivrId: string): Decision<null> {
  return one({
    kind: 'draft.menu_stored',
    ...about(to),
    data: { ...place(to), node_id: menu, ivr_id: ivrId },
  });
}

/** All menus of a revision are stored: creates the next version and returns its number. */
export function draftPublished(
  { drafts }: State,
  to: Publishing,
  what: {
    readonly revision: number;
    readonly menus: Readonly<Record<string, string>>;
    readonly document: IvrDocument;
    readonly schedules?: ScheduleHours[];
    readonly parts?: FlowPart[];
    readonly removed_parts?: FlowPartId[];
    /** Counted from here if the draft was deleted in the meantime. */
    readonly versionsBefore: number;
  },
): Decision<number> {
  const { versionsBefore, ...rest } = what;
  const version = (drafts.get(to.id)?.versions ?? versionsBefore) + 1;
  const data = { ...place(to), ...rest, version };
  return { events: [{ kind: 'draft.published', ...about(to), data }], value: version };
}

/**
 * Refuses a publication here that would replace a menu that another draft has published since this draft was made; null
 * if there is none. Changes by `PUT /v1/ivr/:id` are replaced.
 */
export function publishedSince(
  { drafts, ivrs }: State,
  draft: Draft,
  target: PublishTarget,
): DraftRefusal | null {
  const { menus, versions } = publicationAt(draft, target);
  for (const [node, id] of target.isHere ? Object.entries(menus) : []) {
    const menu = ivrs.get(id as IvrId);
    if (menu === undefined || nodeOf(draft.document, node as NodeId) === null) continue;
    const madeOn = versions[id] ?? 0;
    for (const other of drafts.values()) {
      if (other.id === draft.id) continue;
      for (const { isHere, published, versions: theirs } of other.publications) {
        const version = theirs[id] ?? 0;
        if (isHere && published !== null && version > madeOn) {
          return { problem: 'conflict', reason: replacedBy(other, { menu, madeOn, version, published }) };
        }
      }
    }
  }
  return null;
}

function replacedBy(
  { id, document }: Draft,
  what: {
    readonly menu: Ivr;
    readonly madeOn: number;
    readonly version: number;
    readonly published: { readonly atMs: number };
  },
): DraftRefusalReason {
  const { menu, madeOn, version, published } = what;
  return {
    code: 'published_since',
    menu: menu.name,
    made_from: madeOn,
    version,
    published_at: isoInstant(published.atMs),
    draft: { id, name: document.name },
  };
}

function one<K extends EventKind>(event: EventDraft<K>): Decision<null> {
  return { events: [event as EventDraft], value: null };
}

function about({ id }: Publishing): { subject: string; actor: typeof owner } {
  return { subject: id, actor: owner };
}

function place({ id, target: { credential, baseUrl, isHere } }: Publishing) {
  return { draft_id: id, credential, base_url: baseUrl, is_here: isHere };
}
