import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { type DraftId, DraftVersion, type IvrDraft } from '../../contract/menu/ivr-draft.ts';
import type { FieldProblem } from '../../contract/field-problem.ts';
import type { ScheduleId } from '../../contract/menu/schedule.ts';
import { readState } from '../../core/ledger.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import {
  createDraft,
  deleteDraft,
  type DraftRefusal,
  findDraft,
  saveDraft,
  unfitNames,
  createSchedulesFor,
} from '../../core/ivr/draft/change-draft.ts';
import { DraftTally, listDrafts, storedMenuErrors, viewDraft } from '../../core/ivr/draft/view-draft.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { ScheduleRefusal } from '../../core/schedule/change-schedule.ts';
import { scheduleProblemText } from '../../text/menu/schedule-text.ts';
import { draftRefusalText } from '../../text/menu/saving.ts';
import { addRoute } from '../http/add-route.ts';
import { answerRefusal } from '../http/refuse.ts';
import { mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/ivrs/drafts*`: the designer's drafts, revision by revision. Publishing is in `publish-routes.ts`. */
export function addDraftRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger } = context;
  const tally = new DraftTally();

  addRoute(app, context, 'listDrafts', () =>
    readState(ledger, (state, nowMs) => ({ drafts: listDrafts(state, tally, nowMs) })),
  );

  addRoute(
    app,
    context,
    'createDraft',
    async ({ body: { document: drawn, stored, schedules = [] }, reply }) => {
      const created = await ledger.transact<Result<IvrDraft, readonly FieldProblem[]>>((state, nowMs) => {
        const errors = [
          ...unfitNames(drawn).map(inDocument),
          ...(stored === undefined ? [] : storedMenuErrors(state, drawn, stored)),
        ];
        if (errors.length > 0) return { events: [], value: refused(errors) };
        const hours = createSchedulesFor(state, drawn, schedules, { mintId: mintScheduleId, nowMs });
        if (!hours.ok) return { events: [], value: refused(scheduleErrors(hours.refusal)) };
        const { document, ids } = hours.value;
        const known = stored === undefined ? undefined : { baseUrl: context.publicUrl(), menus: stored };
        const { events, value } = createDraft(
          { id: mintId('draft_') as DraftId, document, stored: known, schedules: ids },
          nowMs,
        );
        return { events: [...hours.value.events, ...events], value: done(value) };
      });
      if (created.ok) return created.value;
      return answerRefusal(reply, 'bad_request', { errors: created.refusal });
    },
  );

  addRoute(app, context, 'readDraft', async ({ params, reply }) => {
    const found = await readState(ledger, (state) => {
      const draft = findDraft(state, params.id);
      return draft.ok ? done(viewDraft(state, draft.value)) : draft;
    });
    return found.ok ? found.value : refuseDraft(reply, found.refusal);
  });

  addRoute(app, context, 'saveDraft', async ({ params, body, reply }) => {
    let errors: readonly FieldProblem[] = [];
    const saved = await ledger.transact((state, nowMs) => {
      const before = findDraft(state, params.id);
      errors = before.ok ? unfitNames(body.document, before.value.document).map(inDocument) : [];
      return errors.length > 0
        ? { events: [], value: null }
        : saveDraft(state, { id: params.id, ...body }, nowMs);
    });
    if (saved === null) return answerRefusal(reply, 'bad_request', { errors });
    if (!saved.ok) return refuseDraft(reply, saved.refusal);
    const { id, revision, updatedAtMs } = saved.value;
    return { id, revision, updated_at: isoInstant(updatedAtMs) };
  });

  addRoute(app, context, 'showDraftWindow', async ({ params, body, request, reply }) => {
    const found = await readState(ledger, (state) => findDraft(state, params.id));
    if (!found.ok) return refuseDraft(reply, found.refusal);
    context.draftWindows.show(found.value.id, body, request.owner?.name ?? null);
    return context.draftWindows.of(found.value.id);
  });

  addRoute(app, context, 'deleteDraft', async ({ params, reply }) => {
    const deleted = await ledger.transact((state) => deleteDraft(state, params.id));
    return deleted.ok ? { id: deleted.value } : refuseDraft(reply, deleted.refusal);
  });

  addRoute(app, context, 'draftVersions', async ({ params, reply }) => {
    const events = await ledger.history({ subject: params.id, limit: Infinity, kinds: versionKinds });
    if (events.length === 0) return refuseDraft(reply, neverThere);
    return { versions: events.flatMap(versionOf) };
  });
}

/** `draft.created` shows that the draft existed. */
const versionKinds = ['draft.created', 'draft.published'];

const neverThere: DraftRefusal = { problem: 'not_found', reason: { code: 'draft_never_existed' } };

function versionOf({ at, kind, data }: HistoryEvent): DraftVersion[] {
  return kind === 'draft.published' ? [DraftVersion.parse({ ...data, published_at: at })] : [];
}

function mintScheduleId(): ScheduleId {
  return mintId('hrs_') as ScheduleId;
}

function scheduleErrors({ found }: ScheduleRefusal): readonly FieldProblem[] {
  if (found.kind === 'fields')
    return found.errors.map((one) => ({ ...one, field: `schedules.${one.field}` }));
  return [{ field: 'schedules', code: 'rule', params: { rule: scheduleProblemText(found) } }];
}

/** Where it is in the body. */
function inDocument(problem: FieldProblem): FieldProblem {
  return { ...problem, field: `document.${problem.field}` };
}

function refuseDraft(reply: FastifyReply, { problem, reason }: DraftRefusal): null {
  return answerRefusal(reply, problem, { message: draftRefusalText(reason) });
}
