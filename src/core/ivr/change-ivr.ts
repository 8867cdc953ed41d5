import type { Actor, EventDraft } from '../../contract/history/audit-event.ts';
import type { IvrProblem } from '../../contract/menu/ivr-problem.ts';
import type { Ivr, IvrBody, IvrId } from '../../contract/menu/ivr.ts';
import { isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { State } from '../state.ts';
import { flowOfBody } from './body/flow-of-body.ts';
import { routedTypes } from './destination-route.ts';
import { prove } from './prove/prove.ts';
import type { IvrDirectory } from '../../contract/menu/ivr-reference.ts';

/** `sealed`: for a call that may be repeated (`repeated-creation.ts`). */
export function createIvr(
  {
    id,
    body,
    actor,
    sealed,
  }: { id: IvrId; body: IvrBody; actor: Actor; sealed?: EventDraft<'ivr.created'>['sealed'] },
  nowMs: number,
): Decision<Ivr> {
  const now = isoInstant(nowMs);
  const ivr = storedIvr(body, { id, version: 1, created_at: now, updated_at: now });
  const event: EventDraft<'ivr.created'> = { kind: 'ivr.created', subject: id, actor, data: { ivr } };
  return { events: [sealed === undefined ? event : { ...event, sealed }], value: ivr };
}

/** The next version of an IVR, or null if it does not exist. */
export function updateIvr(
  state: State,
  { id, body, actor }: { id: string; body: IvrBody; actor: Actor },
  nowMs: number,
): Decision<Ivr | null> {
  const before = state.ivrs.get(id as IvrId);
  if (before === undefined) return { events: [], value: null };
  const ivr = storedIvr(body, {
    id: before.id,
    version: before.version + 1,
    created_at: before.created_at,
    updated_at: isoInstant(nowMs),
  });
  return { events: [{ kind: 'ivr.updated', subject: ivr.id, actor, data: { ivr } }], value: ivr };
}

/** The id of the deleted IVR, or null if it does not exist. */
export function deleteIvr(state: State, { id, actor }: { id: string; actor: Actor }): Decision<IvrId | null> {
  const ivr = state.ivrs.get(id as IvrId);
  if (ivr === undefined) return { events: [], value: null };
  return {
    events: [{ kind: 'ivr.deleted', subject: ivr.id, actor, data: { ivr_id: ivr.id, name: ivr.name } }],
    value: ivr.id,
  };
}

function storedIvr(
  { sms_template: smsTemplate, ...body }: IvrBody,
  record: Pick<Ivr, 'id' | 'version' | 'created_at' | 'updated_at'>,
): Ivr {
  return smsTemplate === undefined
    ? { ...record, ...body }
    : { ...record, ...body, sms_template: smsTemplate };
}

/**
 * The findings in a valid body.
 *
 * `ownId` is the id of the menu of the body, if it has one already.
 */
export function checkBody(state: State, body: IvrBody, ownId?: string): readonly IvrProblem[] {
  return prove(flowOfBody(body, ownId), stateDirectory(state));
}

/** The references that this service knows, as lookups: a check costs the same however many extensions there are. */
export function stateDirectory(state: State): IvrDirectory {
  return {
    recordings: state.recordings,
    extensions: state.extensions,
    menus: state.ivrs,
    smsTemplates: state.smsTemplates,
    routedTypes: new Set(routedTypes([...state.pbxs.values()])),
    smsTemplatesEnabled: state.settings.sms_templates_enabled,
  };
}
