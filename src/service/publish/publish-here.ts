import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { NodeId, PublishExchange, PublishReply } from '../../contract/menu/ivr-draft.ts';
import type { Ivr, IvrBody, IvrId, IvrWarning } from '../../contract/menu/ivr.ts';
import { bodyOfMenu } from '../../core/ivr/body/menu-body.ts';
import { parseIvrBody } from '../../core/ivr/body/parse-ivr-body.ts';
import { checkBody, createIvr, updateIvr } from '../../core/ivr/change-ivr.ts';
import { publicationAt } from '../../core/ivr/draft/draft.ts';
import { draftPublished } from '../../core/ivr/draft/record-publication.ts';
import type { FlowMenu } from '../../core/ivr/flow.ts';
import type { Decision } from '../../core/ledger.ts';
import type { State } from '../../core/state.ts';
import { invariant } from '../../core/unreachable.ts';
import { fieldErrors } from '../../text/window/field-errors.ts';
import { problemWarnings } from '../../text/menu/flow-findings.ts';
import { publishText } from '../../text/menu/publishing.ts';
import { ivrCreated, ivrUpdated } from '../v1/v1-ivr-handlers.ts';
import type { PublishingDraft } from './publishing-draft.ts';

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
    nowMs,
    warningsFor,
  }: {
    readonly mintIvrId: () => IvrId;
    readonly nowMs: number;
    /** What callers do not hear of the texts of a menu. */
    readonly warningsFor: (body: IvrBody) => readonly IvrWarning[];
  },
): Decision<PublishReply> {
  const known = publicationAt(draft, target).menus;
  const ids = new Map<NodeId, IvrId>();
  for (const menu of flow.menus.keys()) {
    const id = (Object.hasOwn(known, menu) ? known[menu] : undefined) as IvrId | undefined;
    ids.set(menu, id !== undefined && state.ivrs.has(id) ? id : mintIvrId());
  }
  const stored = [...flow.menus.values()].map((menu) => store(menu));
  const menus = Object.fromEntries(ids);
  const { id, revision, versions: versionsBefore, document } = draft;
  const version = draftPublished(state, { id, target }, { revision, menus, document, versionsBefore });
  return {
    events: [...stored.flatMap(({ events }) => events), ...version.events],
    value: {
      outcome: 'published',
      message: publishText.publishedHere(version.value, stored.length),
      version: version.value,
      exchanges: stored.map(({ exchange }) => exchange),
    },
  };

  function store(menu: FlowMenu): { events: readonly EventDraft[]; exchange: PublishExchange } {
    const ivrId = ids.get(menu.id);
    invariant(ivrId !== undefined, `menu ${menu.id} has an id`);
    const sent = bodyOfMenu(menu, (to) => ids.get(to) ?? null);
    const parsed = parseIvrBody(sent, { smsTemplatesEnabled: state.settings.sms_templates_enabled });
    invariant(parsed.ok, `menu ${menu.id}, which was proved, has a body that is allowed`);
    const { body } = parsed.value;
    // Menus that are created together with it count as known.
    const fresh = new Set([...ids.values()].map((one) => `ivr||${one}`));
    const warnings = [
      ...fieldErrors(parsed.value.warnings),
      ...problemWarnings(checkBody(state, body, ivrId)).filter(
        ({ field }) => !fresh.has(destinationAt(body, field)),
      ),
      ...warningsFor(body),
    ];
    const updated = updateIvr(state, { id: ivrId, body, actor: owner }, nowMs);
    const isNew = updated.value === null;
    const decision: Decision<Ivr | null> = isNew
      ? createIvr({ id: ivrId, body, actor: owner }, nowMs)
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
      message: isNew ? publishText.created(ivrId) : publishText.replacedHere(ivrId, ivr.version),
    };
    return { events: decision.events, exchange };
  }
}

/** The value of a field of a body, such as `destination[2]`. */
function destinationAt(body: Readonly<Record<string, unknown>>, field: string): string {
  const [, name = field, place] = /^(\w+)\[(\d+)\]$/.exec(field) ?? [];
  const value = body[name];
  return String(place === undefined ? value : Array.isArray(value) ? value[Number(place)] : '');
}
