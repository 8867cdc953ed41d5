import type { FastifyInstance, FastifyReply } from 'fastify';
import { Ivr, type IvrId, ivrMessages } from '../../contract/menu/ivr.ts';
import { readState } from '../../core/ledger.ts';
import { parseIvrBody } from '../../core/ivr/body/parse-ivr-body.ts';
import { flowOfStored } from '../../core/calls/flow-of-stored.ts';
import { heardPrompts } from '../../core/ivr/export/dialplan-names.ts';
import { checkBody, createIvr, deleteFlowPart, deleteIvr, updateIvr } from '../../core/ivr/change-ivr.ts';
import { spokenPrompts } from '../../core/speech/spoken-recording.ts';
import { fieldErrors } from '../../text/window/field-errors.ts';
import { problemWarnings } from '../../text/menu/flow-findings.ts';
import { addRoute } from '../http/add-route.ts';
import { ivrCreated, ivrDeleted, ivrUpdated } from '../v1/v1-ivr-handlers.ts';
import { answerRefusal } from '../http/refuse.ts';
import { mintId } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';

/** `/portal/ivrs*`: the same IVRs for the owner, and their versions from the history. */
export function addPortalIvrRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, spoken } = context;
  const actor = { kind: 'owner' } as const;
  const parse = (body: unknown) =>
    parseIvrBody(body, { smsTemplatesEnabled: ledger.state.settings.sms_templates_enabled });

  addRoute(app, context, 'portalCreateIvr', async ({ body, reply }) => {
    const parsed = parse(body);
    if (!parsed.ok) return answerRefusal(reply, 'bad_request', { errors: parsed.refusal });
    await spoken.knowVoices();
    const id = mintId('ivr_') as IvrId;
    const { body: fields, warnings } = parsed.value;
    return ledger.transact((state, nowMs) => {
      const { events, value: ivr } = createIvr({ id, body: fields, actor }, nowMs);
      return {
        events,
        value: ivrCreated(ivr, [
          ...fieldErrors(warnings),
          ...problemWarnings(checkBody(state, fields)),
          ...spoken.warningsFor(fields, undefined),
        ]),
      };
    });
  });

  addRoute(app, context, 'portalListIvrs', async () =>
    readState(ledger, (state) => {
      const parts = [...state.flowParts.values()];
      const value = { ivrs: [...state.ivrs.values()], ...(parts.length === 0 ? {} : { parts }) };
      return value;
    }),
  );

  addRoute(app, context, 'portalReadIvr', async ({ params, reply }) => {
    const ivr = await readState(ledger, (state) => state.ivrs.get(params.id as IvrId));
    return ivr ?? noSuchIvr(reply);
  });

  addRoute(app, context, 'portalIvrVersions', async ({ params, reply }) => {
    const events = await ledger.history({ subject: params.id, limit: 1000 });
    const versions = events.flatMap(({ data }) => (data.ivr === undefined ? [] : [Ivr.parse(data.ivr)]));
    return versions.length === 0 ? noSuchIvr(reply) : { versions };
  });

  addRoute(app, context, 'portalUpdateIvr', async ({ params, body, reply }) => {
    const parsed = parse(body);
    if (!parsed.ok) return answerRefusal(reply, 'bad_request', { errors: parsed.refusal });
    const { body: fields, warnings } = parsed.value;
    await spoken.knowVoices();
    const updated = await ledger.transact((state, nowMs) => {
      const { events, value: ivr } = updateIvr(state, { id: params.id, body: fields, actor }, nowMs);
      const all = [
        ...fieldErrors(warnings),
        ...problemWarnings(checkBody(state, fields, params.id)),
        ...spoken.warningsFor(fields, ivr?.speech),
      ];
      return { events, value: ivr === null ? null : ivrUpdated(ivr, all) };
    });
    return updated ?? noSuchIvr(reply);
  });

  addRoute(app, context, 'speakIvr', async ({ params, body, reply }) => {
    const { ivrs } = ledger.state;
    if (!ivrs.has(params.id as IvrId)) return noSuchIvr(reply);
    const flow = flowOfStored(ivrs, params.id, ledger.state);
    const prompts = flow === null ? [] : heardPrompts(flow);
    return { prompts: await spoken.speakTexts(spokenPrompts(prompts), { isCheck: body.check }) };
  });

  addRoute(app, context, 'portalDeleteIvr', async ({ params, reply }) => {
    const id = await ledger.transact((state) => {
      const deleted = deleteIvr(state, { id: params.id, actor });
      return deleted.value === null ? deleteFlowPart(state, { id: params.id, actor }) : deleted;
    });
    return id === null ? noSuchIvr(reply) : ivrDeleted(id);
  });
}

function noSuchIvr(reply: FastifyReply): null {
  return answerRefusal(reply, 'not_found', { message: ivrMessages.noSuchIvr });
}
