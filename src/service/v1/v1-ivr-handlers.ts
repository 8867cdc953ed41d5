import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  type Ivr,
  type IvrCreated,
  type IvrDeleted,
  type IvrId,
  ivrMessages,
  type IvrUpdated,
  type IvrWarning,
} from '../../contract/menu/ivr.ts';

import type { FieldProblem } from '../../contract/field-problem.ts';
import { routes } from '../../contract/routes.ts';
import { type ParsedIvrBody, parseIvrBody } from '../../core/ivr/body/parse-ivr-body.ts';
import { checkBody, createIvr, deleteIvr, updateIvr } from '../../core/ivr/change-ivr.ts';
import { ivrPage } from '../../core/ivr/ivr-page.ts';
import { creationIdOf, findCreation, sealedCreation } from '../../core/ivr/repeated-creation.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import { fieldErrors } from '../../text/window/field-errors.ts';
import { problemWarnings } from '../../text/menu/flow-findings.ts';
import { addRoute } from '../http/add-route.ts';
import { answerRefusal } from '../http/refuse.ts';
import { digestOf, mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';

interface Creation {
  readonly created: IvrCreated;
  /** It was stored by an earlier call with the same key. */
  readonly isRepeated: boolean;
}

type BodyOutcome<T> = Result<T, readonly FieldProblem[]>;

/** `/v1/ivr*`: phone menus for apps (spec section 4.2). */
export function addIvrRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { connections, gate, spoken } = context;

  addRoute(app, context, 'createIvr', async ({ request, reply, body }) => {
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined;
    const keyDigest = idempotencyKey === undefined ? null : digestOf(idempotencyKey);
    await spoken.knowVoices();
    const admitted = await gate.admit<Result<Creation, readonly FieldProblem[] | 'other_body'>>(
      request,
      reply,
      'ivr:write',
      ({ family }, actor, state, nowMs) => {
        const parsed = parseWith(state, body);
        if (!parsed.ok) return { events: [], value: parsed };
        const keyed =
          keyDigest === null
            ? null
            : { id: creationIdOf(family.id, keyDigest), bodyDigest: digestOfBody(body) };
        const before = keyed === null ? null : findCreation(state.ivrCreations, keyed, nowMs);
        if (before === 'other_body') return { events: [], value: refused(before) };
        if (before !== null) {
          const created = ivrCreated({ id: before.ivrId }, before.warnings);
          return { events: [], value: done({ created, isRepeated: true }) };
        }
        const id = mintId('ivr_') as IvrId;
        const { body: fields, warnings } = parsed.value;
        const all = [
          ...fieldErrors(warnings),
          ...problemWarnings(checkBody(state, fields)),
          ...spoken.warningsFor(fields, undefined),
        ];
        const sealed = keyed === null ? undefined : sealedCreation(keyed, all, nowMs);
        const { events, value } = createIvr({ id, body: fields, actor, sealed }, nowMs);
        return { events, value: done({ created: ivrCreated(value, all), isRepeated: false }) };
      },
    );
    if (admitted === null) return null;
    if (!admitted.value.ok) {
      const { refusal } = admitted.value;
      if (refusal !== 'other_body') return badBody(reply, refusal);
      return answerRefusal(reply, 'idempotency_key_reused');
    }
    const { created, isRepeated } = admitted.value.value;
    if (isRepeated) void reply.header('idempotency-replayed', 'true');
    void reply.header('location', `/v1/ivr/${created.id}`);
    return created;
  });

  addRoute(app, context, 'listIvrs', async ({ request, reply, query }) => {
    await connections.turn(request.raw.socket);
    const admitted = await gate.admit(request, reply, 'ivr:read', (_bearer, _actor, state) => ({
      events: [],
      value: ivrPage(state, query),
    }));
    if (admitted === null) return null;
    const { ivrs, next } = admitted.value;
    if (next !== null) {
      const again = new URLSearchParams({
        ...(query.limit === undefined ? {} : { limit: query.limit }),
        cursor: next,
      });
      void reply.header('link', `<${routes.listIvrs.path}?${again.toString()}>; rel="next"`);
    }
    return ivrs;
  });

  addRoute(app, context, 'readIvr', async ({ request, reply, params }) => {
    const admitted = await gate.admit(request, reply, 'ivr:read', (_bearer, _actor, state) => ({
      events: [],
      value: state.ivrs.get(params.id as IvrId),
    }));
    return admitted === null ? null : (admitted.value ?? noSuchIvr(reply));
  });

  addRoute(app, context, 'updateIvr', async ({ request, reply, params, body }) => {
    await spoken.knowVoices();
    const admitted = await gate.admit<BodyOutcome<IvrUpdated | null>>(
      request,
      reply,
      'ivr:write',
      (_bearer, actor, state, nowMs) => {
        const parsed = parseWith(state, body);
        if (!parsed.ok) return { events: [], value: parsed };
        const { body: fields, warnings } = parsed.value;
        const decision = updateIvr(state, { id: params.id, body: fields, actor }, nowMs);
        const ivr = decision.value;
        const all = [
          ...fieldErrors(warnings),
          ...problemWarnings(checkBody(state, fields, params.id)),
          ...spoken.warningsFor(fields, ivr?.speech),
        ];
        return { events: decision.events, value: done(ivr === null ? null : ivrUpdated(ivr, all)) };
      },
    );
    if (admitted === null) return null;
    if (!admitted.value.ok) return badBody(reply, admitted.value.refusal);
    return admitted.value.value ?? noSuchIvr(reply);
  });

  addRoute(app, context, 'deleteIvr', async ({ request, reply, params }) => {
    const admitted = await gate.admit(request, reply, 'ivr:write', (_bearer, actor, state) =>
      deleteIvr(state, { id: params.id, actor }),
    );
    if (admitted === null) return null;
    return admitted.value === null ? noSuchIvr(reply) : ivrDeleted(admitted.value);
  });
}

function parseWith(state: State, body: unknown): Result<ParsedIvrBody, readonly FieldProblem[]> {
  return parseIvrBody(body, { smsTemplatesEnabled: state.settings.sms_templates_enabled });
}

/** Of what is stored of it, whatever the settings: the order of its fields and the form of its numbers do not count. */
function digestOfBody(body: unknown): string {
  const parsed = parseIvrBody(body, { smsTemplatesEnabled: true });
  return digestOf(JSON.stringify(parsed.ok ? parsed.value.body : null));
}

function badBody(reply: FastifyReply, errors: readonly FieldProblem[]): null {
  return answerRefusal(reply, 'bad_request', { errors });
}

function noSuchIvr(reply: FastifyReply): null {
  return answerRefusal(reply, 'not_found', { message: ivrMessages.noSuchIvr });
}

/** The answers about an IVR (spec section 2.4), the same for apps and for the owner. */
export function ivrCreated({ id }: Pick<Ivr, 'id'>, warnings: readonly IvrWarning[]): IvrCreated {
  return { Success: true, Message: ivrMessages.created, id, warnings: [...warnings] };
}

export function ivrUpdated(ivr: Ivr, warnings: readonly IvrWarning[]): IvrUpdated {
  return { Success: true, Message: ivrMessages.updated, ...ivr, warnings: [...warnings] };
}

export function ivrDeleted(id: IvrId): IvrDeleted {
  return { Success: true, Message: ivrMessages.deleted, id };
}
