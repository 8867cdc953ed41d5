import type { EventDraft } from '../../../contract/history/audit-event.ts';
import type {
  DraftId,
  DraftRefusalReason,
  IvrDocument,
  IvrDraft,
  NodeId,
} from '../../../contract/menu/ivr-draft.ts';
import type { FieldProblem } from '../../../contract/field-problem.ts';
import type { IvrId } from '../../../contract/menu/ivr.ts';
import type { ProblemCode } from '../../../contract/problems.ts';
import { isUnreplaced, nameFault, replacedError } from '../../../contract/shapes.ts';
import type { Decision } from '../../ledger.ts';
import { isoInstant } from '../../iso-instant.ts';
import { done, refused, type Result } from '../../result.ts';
import type { State } from '../../state.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { deltaBetween } from './document-delta.ts';
import type { Draft } from './draft.ts';

/** Why an action on a draft is refused. */
export interface DraftRefusal {
  readonly problem: Extract<ProblemCode, 'not_found' | 'conflict'>;
  readonly reason: DraftRefusalReason;
}

const owner = { kind: 'owner' } as const;

/**
 * The names of a call flow, its menus and scenarios that may not arrive, and other texts that have lost a character; those that the
 * draft has already may stay.
 *
 * Not in the schema of a document, which reads those that were stored before there was this rule.
 */
export function unfitNames(document: IvrDocument, before?: IvrDocument): FieldProblem[] {
  const had = new Map(before === undefined ? [] : namesIn(before));
  const hadTexts = new Map(before === undefined ? [] : replacedTexts(before));
  return [
    ...namesIn(document).flatMap(([field, name]) => {
      const rule = had.get(field) === name ? null : nameFault(name);
      return rule === null ? [] : [{ field, code: 'rule', params: { rule } } as const];
    }),
    ...replacedTexts(document).flatMap(([field, text]) =>
      hadTexts.get(field) === text ? [] : [{ field, code: 'rule', params: { rule: replacedError } } as const],
    ),
  ];
}

/** The texts beside the names of nodes in which another program has lost a character. */
function replacedTexts({ nodes }: IvrDocument): (readonly [field: string, text: string])[] {
  return Object.values(nodes).flatMap((node) =>
    textsOf(node, `nodes.${node.id}`).filter(([, text]) => !isUnreplaced(text)),
  );
}

function textsOf(value: object, path: string): (readonly [field: string, text: string])[] {
  return Object.entries(value).flatMap(([name, field]: [string, unknown]) => {
    const at = `${path}.${name}`;
    if (typeof field === 'string') return name === 'name' ? [] : [[at, field] as const];
    return typeof field === 'object' && field !== null ? textsOf(field, at) : [];
  });
}

function namesIn({ name, nodes, scenarios }: IvrDocument): (readonly [field: string, name: string])[] {
  return [
    ['name', name],
    ...Object.values(nodes).flatMap((node) =>
      node.kind === 'menu' ? [[`nodes.${node.id}.name`, node.name] as const] : [],
    ),
    ...Object.values(scenarios).map((one) => [`scenarios.${one.id}.name`, one.name] as const),
  ];
}

/** The fields of a new draft. */
export interface NewDraft {
  readonly id: DraftId;
  readonly document: IvrDocument;
  /** Its menus that this service already stores: publishing here replaces them. `storedMenuErrors` has checked them. */
  readonly stored?: { readonly baseUrl: string; readonly menus: Readonly<Record<NodeId, IvrId>> } | undefined;
}

export function createDraft({ id, document, stored }: NewDraft, nowMs: number): Decision<IvrDraft> {
  const known = stored === undefined ? null : { base_url: stored.baseUrl, menus: stored.menus };
  const event: EventDraft<'draft.created'> = {
    kind: 'draft.created',
    subject: id,
    actor: owner,
    data: { draft_id: id, document, ...(known === null ? {} : { stored: known }) },
  };
  const now = isoInstant(nowMs);
  const unpublished = { credential: null, version: null, published_at: null, fingerprint: null };
  const draft = {
    id,
    revision: 1,
    created_at: now,
    updated_at: now,
    document,
    publications: known === null ? [] : [{ ...known, ...unpublished }],
    fingerprint: fingerprintOf(document),
  };
  return { events: [event], value: draft };
}

export function findDraft(state: State, id: string): Result<Draft, DraftRefusal> {
  const draft = state.drafts.get(id as DraftId);
  return draft === undefined ? refused(noSuchDraft) : done(draft);
}

const noSuchDraft: DraftRefusal = {
  problem: 'not_found',
  reason: { code: 'draft_unknown' },
};

/** The result of a save. */
export interface SavedDraft {
  readonly id: DraftId;
  readonly revision: number;
  readonly updatedAtMs: number;
}

/**
 * Saves a document over the revision that it was made from.
 *
 * If that is no longer the current revision, nothing is changed: the caller still has its document. A save without a
 * change creates no event and returns the current revision, whatever revision it was made from.
 */
export function saveDraft(
  state: State,
  { id, revision, document }: { id: string; revision: number; document: IvrDocument },
  nowMs: number,
): Decision<Result<SavedDraft, DraftRefusal>> {
  const found = findDraft(state, id);
  if (!found.ok) return { events: [], value: found };
  const draft = found.value;
  const delta = deltaBetween(draft.document, document);
  if (delta === null) return { events: [], value: done(draft) };
  const other = otherRevision(draft, revision);
  if (other !== null) return { events: [], value: refused(other) };
  const next = draft.revision + 1;
  const event: EventDraft<'draft.saved'> = {
    kind: 'draft.saved',
    subject: draft.id,
    actor: owner,
    data: { draft_id: draft.id, revision: next, ...delta },
  };
  return { events: [event], value: done({ id: draft.id, revision: next, updatedAtMs: nowMs }) };
}

export function deleteDraft(state: State, id: string): Decision<Result<DraftId, DraftRefusal>> {
  const found = findDraft(state, id);
  if (!found.ok) return { events: [], value: found };
  const { id: draftId, document } = found.value;
  const event: EventDraft<'draft.deleted'> = {
    kind: 'draft.deleted',
    subject: draftId,
    actor: owner,
    data: { draft_id: draftId, name: document.name },
  };
  return { events: [event], value: done(draftId) };
}

/** The refusal of an action on a revision that is not the current one; null if it is current. */
export function otherRevision(
  { revision: current, updatedAtMs }: Draft,
  revision: number,
): DraftRefusal | null {
  if (revision === current) return null;
  return {
    problem: 'conflict',
    reason:
      revision < current
        ? { code: 'saved_since', revision, current, saved_at: isoInstant(updatedAtMs) }
        : { code: 'revision_unknown', revision, current },
  };
}
