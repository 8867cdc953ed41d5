import type { EventDraft } from '../../../contract/history/audit-event.ts';
import type {
  DraftId,
  DraftRefusalReason,
  IvrDocument,
  IvrDraft,
  NodeId,
  CreateDraft,
} from '../../../contract/menu/ivr-draft.ts';
import type { FieldProblem } from '../../../contract/field-problem.ts';
import type { IvrId } from '../../../contract/menu/ivr.ts';
import { type ScheduleId, scheduleBounds } from '../../../contract/menu/schedule.ts';
import type { ProblemCode } from '../../../contract/problems.ts';
import { isUnreplaced, nameFault, replacedError } from '../../../contract/shapes.ts';
import type { Decision } from '../../ledger.ts';
import { isoInstant } from '../../iso-instant.ts';
import { done, refused, type Result } from '../../result.ts';
import type { State } from '../../state.ts';
import { fingerprintOf } from '../fingerprint.ts';
import { deltaBetween } from './document-delta.ts';
import type { Draft } from './draft.ts';
import { createSchedule, type ScheduleRefusal, scheduleUses } from '../../schedule/change-schedule.ts';
import { askSchedules } from '../edit/edit-nodes.ts';

/** Why an action on a draft is refused. */
export interface DraftRefusal {
  readonly problem: Extract<ProblemCode, 'not_found' | 'conflict'>;
  readonly reason: DraftRefusalReason;
}

const owner = { kind: 'owner' } as const;

/**
 * The names of a call flow, its menus, messages and scenarios that may not arrive, and other texts that have lost a character; those that the
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
      'name' in node ? [[`nodes.${node.id}.name`, node.name] as const] : [],
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
  /** Opening hours that are created with it. */
  readonly schedules?: readonly ScheduleId[];
}

export function createDraft(
  { id, document, stored, schedules = [] }: NewDraft,
  nowMs: number,
): Decision<IvrDraft> {
  const known = stored === undefined ? null : { base_url: stored.baseUrl, menus: stored.menus };
  const event: EventDraft<'draft.created'> = {
    kind: 'draft.created',
    subject: id,
    actor: owner,
    data: {
      draft_id: id,
      document,
      ...(known === null ? {} : { stored: known }),
      ...(schedules.length === 0 ? {} : { schedules: [...schedules] }),
    },
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

/** Deletes a draft, and the opening hours that came with it and are nobody's since. */
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
  return { events: [event, ...deleteSchedulesOf(state, found.value)], value: done(draftId) };
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

/*
 * Opening hours that are created together with a draft, such as those of a template: the draft and they in one transaction, or nothing. They
 * are schedules like all others; only while nobody has made them their own are they deleted with the draft.
 */

/** Creates schedules, each under a name that is free, and has the document ask them under their new ids. */
export function createSchedulesFor(
  state: State,
  document: IvrDocument,
  schedules: NonNullable<CreateDraft['schedules']>,
  { mintId, nowMs }: { readonly mintId: () => ScheduleId; readonly nowMs: number },
): Result<
  { readonly events: readonly EventDraft[]; readonly document: IvrDocument; readonly ids: ScheduleId[] },
  ScheduleRefusal
> {
  if (state.schedules.size + schedules.length > scheduleBounds.schedules)
    return refused({ problem: 'conflict', found: { kind: 'too_many', most: scheduleBounds.schedules } });
  const events: EventDraft[] = [];
  const ids = new Map<ScheduleId, ScheduleId>();
  const taken = new Set(Array.from(state.schedules.values(), ({ name }) => name.toLowerCase()));
  for (const { id, ...hours } of schedules) {
    const name = freeName(hours.name, taken);
    taken.add(name.toLowerCase());
    const created = createSchedule(state, mintId(), { ...hours, name }, nowMs);
    if (!created.value.ok) return created.value;
    events.push(...created.events);
    ids.set(id, created.value.value);
  }
  return done({ events, document: askSchedules(document, ids), ids: [...ids.values()] });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) {
    const end = ` ${number}`;
    free = name.slice(0, scheduleBounds.name - end.length).trimEnd() + end;
  }
  return free;
}

/**
 * Deletes the schedules that were created with a draft, together with it: those that nobody has changed or switched since, and that nothing
 * else asks.
 */
function deleteSchedulesOf(state: State, { id: draft, createdSchedules }: Draft): EventDraft[] {
  if (createdSchedules.length === 0) return [];
  const uses = scheduleUses(state);
  return createdSchedules.flatMap((id): EventDraft[] => {
    const schedule = state.schedules.get(id);
    const isUntouched = schedule?.version === 1 && schedule.switch.set_at === null;
    const isUsed = (uses.get(id) ?? []).some((use) => use.id !== draft);
    if (!isUntouched || isUsed) return [];
    const { name } = schedule;
    return [
      {
        kind: 'schedule.deleted',
        subject: id,
        actor: { kind: 'owner' },
        data: { schedule_id: id, name },
      },
    ];
  });
}
