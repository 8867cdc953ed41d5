import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { NodeId, PublishExchange, PublishReply, IvrDocument } from '../../contract/menu/ivr-draft.ts';
import type { FlowSpeech } from '../../contract/menu/speech.ts';
import type { Ivr, IvrBody, IvrId, IvrWarning } from '../../contract/menu/ivr.ts';
import { bodyOfMenu, partsOfFlow } from '../../core/ivr/body/menu-body.ts';
import { parseIvrBody } from '../../core/ivr/body/parse-ivr-body.ts';
import { checkBody, createIvr, updateIvr } from '../../core/ivr/change-ivr.ts';
import { publicationAt, type Draft, type PublishTarget } from '../../core/ivr/draft/draft.ts';
import { draftPublished } from '../../core/ivr/draft/record-publication.ts';
import type { FlowPart, FlowPartId, ScheduleHours } from '../../contract/menu/schedule.ts';
import type { Flow, FlowMenu } from '../../core/ivr/flow.ts';
import type { Decision } from '../../core/ledger.ts';
import type { State } from '../../core/state.ts';
import { invariant } from '../../core/unreachable.ts';
import { fieldErrors } from '../../text/window/field-errors.ts';
import { problemWarnings } from '../../text/menu/flow-findings.ts';
import { publishingText } from '../../text/menu/publish.ts';
import { ivrCreated, ivrUpdated } from '../v1/v1-ivr-handlers.ts';

const owner = { kind: 'owner' } as const;

/**
 * Stores the menus of a draft in this service: all of them and the version, or nothing.
 *
 * Their ids are known beforehand, so menus that lead to each other in a circle need no second pass. A menu that was deleted here
 * since it was published is created again.
 */
export function publishHere(
  state: State,
  { draft, flow, target }: PublishingDraft,
  {
    mintIvrId,
    mintPartId,
    nowMs,
    warningsFor,
  }: {
    readonly mintIvrId: () => IvrId;
    readonly mintPartId: (kind: FlowPart['kind']) => FlowPartId;
    readonly nowMs: number;
    /** What callers do not hear of the texts of a menu. */
    readonly warningsFor: (body: IvrBody, speech: FlowSpeech | undefined) => readonly IvrWarning[];
  },
): Decision<PublishReply> {
  const known = publicationAt(draft, target).menus;
  const knownId = (node: NodeId): string | undefined =>
    Object.hasOwn(known, node) ? known[node] : undefined;
  const ids = new Map<NodeId, IvrId | FlowPartId>();
  for (const menu of flow.menus.keys()) {
    const id = knownId(menu) as IvrId | undefined;
    ids.set(menu, id !== undefined && state.ivrs.has(id) ? id : mintIvrId());
  }
  for (const kind of ['hours', 'message'] as const) {
    for (const node of (kind === 'hours' ? flow.hours : flow.messages).keys()) {
      const id = knownId(node) as FlowPartId | undefined;
      const isOfKind = id !== undefined && state.flowParts.get(id)?.kind === kind;
      ids.set(node, isOfKind ? id : mintPartId(kind));
    }
  }
  const stored = [...flow.menus.values()].map((menu) => store(menu));
  const menus = Object.fromEntries(ids);
  const { id, revision, versions: versionsBefore, document } = draft;
  const version = draftPublished(
    state,
    { id, target },
    { revision, menus, document, versionsBefore, ...partsOf(state, { flow, document, ids, known }) },
  );
  return {
    events: [...stored.flatMap(({ events }) => events), ...version.events],
    value: {
      outcome: 'published',
      message: publishingText.publishedHere(version.value, stored.length),
      version: version.value,
      exchanges: stored.map(({ exchange }) => exchange),
    },
  };

  function store(menu: FlowMenu): { events: readonly EventDraft[]; exchange: PublishExchange } {
    const ivrId = ids.get(menu.id) as IvrId | undefined;
    invariant(ivrId !== undefined, `menu ${menu.id} has an id`);
    const sent = bodyOfMenu(menu, (to) => ids.get(to) ?? null);
    const parsed = parseIvrBody(sent, { smsTemplatesEnabled: state.settings.sms_templates_enabled });
    invariant(parsed.ok, `menu ${menu.id}, which was proved, has a body that is allowed`);
    const { body } = parsed.value;
    // Menus that are created together with it count as known.
    const fresh = new Set(
      [...ids.values()].flatMap((one) => [`ivr||${one}`, `hours||${one}`, `message||${one}`]),
    );
    const warnings = [
      ...fieldErrors(parsed.value.warnings),
      ...problemWarnings(checkBody(state, body, ivrId)).filter(
        ({ field }) => !fresh.has(destinationAt(body, field)),
      ),
      ...warningsFor(body, draft.document.speech),
    ];
    const speech = draft.document.speech ?? null;
    const updated = updateIvr(state, { id: ivrId, body, actor: owner, speech }, nowMs);
    const isNew = updated.value === null;
    const decision: Decision<Ivr | null> = isNew
      ? createIvr({ id: ivrId, body, actor: owner, speech }, nowMs)
      : updated;
    const ivr = decision.value;
    invariant(ivr !== null, `menu ${menu.id} is stored`);
    const reply = isNew ? ivrCreated(ivr, warnings) : ivrUpdated(ivr, warnings);
    const exchange: PublishExchange = {
      menu: menu.id,
      name: menu.name,
      method: isNew ? 'POST' : 'PUT',
      url: `${target.baseUrl}/v1/ivr${isNew ? '' : `/${ivrId}`}`,
      body: { ...sent },
      status: 200,
      reply,
      message: isNew ? publishingText.created(ivrId) : publishingText.replacedHere(ivrId, ivr.version),
    };
    return { events: decision.events, exchange };
  }
}

/** What a version has beside its menus; nothing for a flow of menus only. */
function partsOf(
  { flowParts, ivrs, drafts }: State,
  {
    flow,
    document,
    ids,
    known,
  }: {
    readonly flow: Flow;
    readonly document: IvrDocument;
    readonly ids: ReadonlyMap<NodeId, string>;
    readonly known: Readonly<Record<string, string>>;
  },
): { schedules?: ScheduleHours[]; parts?: FlowPart[]; removed_parts?: FlowPartId[] } {
  const idOf = (node: NodeId): string => ids.get(node) ?? node;
  const parts = partsOfFlow(flow, idOf, document.name);
  const kept = new Set<string>(parts.map(({ id }) => id));
  const before = Object.values(known).filter((id) => flowParts.has(id as FlowPartId) && !kept.has(id));
  // Its own menus have new bodies, which lead to what is kept.
  const own = new Set<string>(ids.values());
  const others = JSON.stringify([
    ...[...ivrs.values()].filter(({ id }) => !own.has(id)),
    ...[...flowParts.values()].filter(({ id }) => !before.includes(id)),
    ...Array.from(drafts.values(), ({ document: drawn }) => drawn.nodes),
  ]);
  // What something else leads to stays.
  const removed = before.filter((id) => !others.includes(id)) as FlowPartId[];
  const schedules = [
    ...new Map(Array.from(flow.hours.values(), ({ schedule }) => [schedule.id, schedule])).values(),
  ];
  return {
    ...(schedules.length === 0 ? {} : { schedules }),
    ...(parts.length === 0 ? {} : { parts }),
    ...(removed.length === 0 ? {} : { removed_parts: removed }),
  };
}

/** The value of a field of a body, such as `destination[2]`. */
function destinationAt(body: Readonly<Record<string, unknown>>, field: string): string {
  const [, name = field, place] = /^(\w+)\[(\d+)\]$/.exec(field) ?? [];
  const value = body[name];
  if (place === undefined) return String(value);
  return Array.isArray(value) ? String(value[Number(place)]) : '';
}

/** A checked revision of a draft, and the target that it is published to. */
export interface PublishingDraft {
  readonly draft: Draft;
  readonly flow: Flow;
  readonly target: PublishTarget;
}

/** The name of a menu for a person. */
export function menuName({ nodes }: IvrDocument, menu: NodeId): string {
  const node = Object.hasOwn(nodes, menu) ? nodes[menu] : undefined;
  return node?.kind === 'menu' && node.name !== '' ? node.name : menu;
}
