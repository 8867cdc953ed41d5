import type { FastifyInstance, FastifyReply } from 'fastify';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { type DraftId, DraftVersion, type IvrDraft } from '../../contract/menu/ivr-draft.ts';
import type { FieldProblem } from '../../contract/field-problem.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import {
  createDraft,
  deleteDraft,
  type DraftRefusal,
  findDraft,
  saveDraft,
  unfitNames,
} from '../../core/ivr/draft/change-draft.ts';
import { DraftTally, listDrafts, storedMenuErrors, viewDraft } from '../../core/ivr/draft/view-draft.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { draftRefusalText } from '../../text/menu/flow-findings.ts';
import { addRoute } from '../http/add-route.ts';
import { refuse } from '../http/refuse.ts';
import { mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/ivrs/drafts*`: the designer's drafts, revision by revision. Publishing is in `publish-routes.ts`. */
export function addDraftRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger } = context;
  const tally = new DraftTally();

  addRoute(app, context, 'listDrafts', () =>
    ledger.transact((state) => ({ events: [], value: { drafts: listDrafts(state, tally) } })),
  );

  addRoute(app, context, 'createDraft', async ({ body: { document, stored }, reply }) => {
    const created = await ledger.transact<Result<IvrDraft, readonly FieldProblem[]>>((state, nowMs) => {
      const errors = [
        ...unfitNames(document).map(inDocument),
        ...(stored === undefined ? [] : storedMenuErrors(state, document, stored)),
      ];
      if (errors.length > 0) return { events: [], value: refused(errors) };
      const known = stored === undefined ? undefined : { baseUrl: context.publicUrl(), menus: stored };
      const { events, value } = createDraft(
        { id: mintId('draft_') as DraftId, document, stored: known },
        nowMs,
      );
      return { events, value: done(value) };
    });
    if (created.ok) return created.value;
    refuse(reply, 'bad_request', { errors: created.refusal });
    return null;
  });

  addRoute(app, context, 'readDraft', async ({ params, reply }) => {
    const found = await ledger.transact((state) => {
      const draft = findDraft(state, params.id);
      return { events: [], value: draft.ok ? done(viewDraft(state, draft.value)) : draft };
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
    if (saved === null) {
      refuse(reply, 'bad_request', { errors });
      return null;
    }
    if (!saved.ok) return refuseDraft(reply, saved.refusal);
    const { id, revision, updatedAtMs } = saved.value;
    return { id, revision, updated_at: isoInstant(updatedAtMs) };
  });

  addRoute(app, context, 'showDraftWindow', async ({ params, body, request, reply }) => {
    const found = await ledger.transact((state) => ({ events: [], value: findDraft(state, params.id) }));
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

/** Where it is in the body. */
function inDocument(problem: FieldProblem): FieldProblem {
  return { ...problem, field: `document.${problem.field}` };
}

function refuseDraft(reply: FastifyReply, { problem, reason }: DraftRefusal): null {
  refuse(reply, problem, { message: draftRefusalText(reason) });
  return null;
}
