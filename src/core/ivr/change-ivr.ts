import type { Actor, EventDraft } from '../../contract/history/audit-event.ts';
import type { IvrProblem } from '../../contract/menu/ivr-problem.ts';
import type { IvrBody, IvrId, StoredIvr } from '../../contract/menu/ivr.ts';
import type { FlowPart, FlowPartId } from '../../contract/menu/schedule.ts';
import type { FlowSpeech } from '../../contract/menu/speech.ts';
import { leadsTo } from '../calls/call-starts.ts';
import { isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import type { State } from '../state.ts';
import { flowOfBody } from './body/flow-of-body.ts';
import { routedTypes } from './destination-route.ts';
import { outsideRules } from './outside-number.ts';
import { prove } from './prove/prove.ts';
import type { IvrDirectory } from '../../contract/menu/ivr-reference.ts';

/** `speech`: how its texts are spoken, where its call flow says it. `sealed`: for a call that may be repeated (`repeated-creation.ts`). */
export function createIvr(
  {
    id,
    body,
    actor,
    speech = null,
    sealed,
  }: {
    id: IvrId;
    body: IvrBody;
    actor: Actor;
    speech?: FlowSpeech | null;
    sealed?: EventDraft<'ivr.created'>['sealed'];
  },
  nowMs: number,
): Decision<StoredIvr> {
  const now = isoInstant(nowMs);
  const ivr = storedIvr(body, { id, version: 1, created_at: now, updated_at: now }, speech);
  const event: EventDraft<'ivr.created'> = { kind: 'ivr.created', subject: id, actor, data: { ivr } };
  return { events: [sealed === undefined ? event : { ...event, sealed }], value: ivr };
}

/** The next version of an IVR, or null if it does not exist. Without `speech` its texts are spoken as before. */
export function updateIvr(
  state: State,
  { id, body, actor, speech }: { id: string; body: IvrBody; actor: Actor; speech?: FlowSpeech | null },
  nowMs: number,
): Decision<StoredIvr | null> {
  const before = state.ivrs.get(id as IvrId);
  if (before === undefined) return { events: [], value: null };
  const record = {
    id: before.id,
    version: before.version + 1,
    created_at: before.created_at,
    updated_at: isoInstant(nowMs),
  };
  const ivr = storedIvr(body, record, speech === undefined ? (before.speech ?? null) : speech);
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

/**
 * Deletes opening hours or a message of a published call flow, and those behind it that nothing else leads to. Its menus stay, and a draft that
 * is published again stores it anew.
 */
export function deleteFlowPart(
  { ivrs, flowParts }: State,
  { id, actor }: { id: string; actor: Actor },
): Decision<IvrId | null> {
  const first = flowParts.get(id as FlowPartId);
  if (first === undefined) return { events: [], value: null };
  const gone = new Set<FlowPartId>([first.id]);
  const led = (part: FlowPart): boolean =>
    [...ivrs.values(), ...flowParts.values()].some(
      (one) => !gone.has(one.id as FlowPartId) && one.id !== part.id && leadsTo(one).includes(part.id),
    );
  // Grows while it is read.
  for (const part of gone) {
    const left = flowParts.get(part);
    for (const to of left === undefined ? [] : leadsTo(left)) {
      const next = flowParts.get(to as FlowPartId);
      if (next !== undefined && !led(next)) gone.add(next.id);
    }
  }
  // Nothing else has an id of this kind, so no menu has it.
  const ivrId = first.id as string as IvrId;
  const data = { ivr_id: ivrId, name: first.name, parts: [...gone] };
  return { events: [{ kind: 'ivr.deleted', subject: first.id, actor, data }], value: ivrId };
}

function storedIvr(
  { sms_template: smsTemplate, direct_dial: directDial, ...body }: IvrBody,
  record: Pick<StoredIvr, 'id' | 'version' | 'created_at' | 'updated_at'>,
  speech: FlowSpeech | null,
): StoredIvr {
  return {
    ...record,
    ...body,
    ...(smsTemplate === undefined ? {} : { sms_template: smsTemplate }),
    ...(speech === null ? {} : { speech }),
    ...(directDial === undefined ? {} : { direct_dial: directDial }),
  };
}

/**
 * The findings in a valid body.
 *
 * `ownId` is the id of the menu of the body, if it has one already.
 */
export function checkBody(state: State, body: IvrBody, ownId?: string): readonly IvrProblem[] {
  const flow = flowOfBody(body, ownId);
  const dials = body.direct_dial?.numbers === 'directory';
  const extensions = new Set(dials ? state.extensions.keys() : []);
  return prove({ ...flow, extensions }, stateDirectory(state));
}

/** The references that this service knows, as lookups: a check costs the same however many extensions there are. */
export function stateDirectory(state: State): IvrDirectory {
  return {
    recordings: state.recordings,
    extensions: state.extensions,
    schedules: state.schedules,
    flowParts: state.flowParts,
    menus: state.ivrs,
    smsTemplates: state.smsTemplates,
    routedTypes: new Set(routedTypes([...state.pbxs.values()])),
    smsTemplatesEnabled: state.settings.sms_templates_enabled,
    outside: outsideRules(state.settings),
  };
}
