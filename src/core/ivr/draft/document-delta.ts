import type {
  DraftNode,
  IvrDocument,
  NodeId,
  Scenario,
  ScenarioId,
} from '../../../contract/menu/ivr-draft.ts';
import type { DocumentDelta } from '../../../contract/history/audit-event.ts';

/**
 * The difference between two states of a document; null without one.
 *
 * The journal is never pruned, and a window saves every few seconds, so a save that moved one node must be small. The
 * order of the entries is included only if it does not follow from the change itself (an undo puts a node back between
 * others).
 */
export function deltaBetween(before: IvrDocument, after: IvrDocument): DocumentDelta | null {
  const nodes = entriesBetween<NodeId, DraftNode>(before.nodes, after.nodes);
  const scenarios = entriesBetween<ScenarioId, Scenario>(before.scenarios, after.scenarios);
  const delta: DocumentDelta = {
    ...(before.name === after.name ? {} : { name: after.name }),
    ...(isSame(before.caller, after.caller) ? {} : { caller: after.caller }),
    ...(isSame(before.prompts, after.prompts) ? {} : { prompts: after.prompts ?? null }),
    ...(isSame(before.speech, after.speech) ? {} : { speech: after.speech ?? null }),
    set_nodes: nodes.set,
    removed_nodes: nodes.removed,
    ...(nodes.order === null ? {} : { node_order: nodes.order }),
    set_scenarios: scenarios.set,
    removed_scenarios: scenarios.removed,
    ...(scenarios.order === null ? {} : { scenario_order: scenarios.order }),
  };
  return isEmpty(delta) ? null : delta;
}

/** Applies a difference to a document. */
export function applyDelta(document: IvrDocument, delta: DocumentDelta): IvrDocument {
  const prompts = delta.prompts === undefined ? document.prompts : delta.prompts;
  const speech = delta.speech === undefined ? document.speech : delta.speech;
  return {
    name: delta.name ?? document.name,
    caller: delta.caller ?? document.caller,
    ...(prompts === undefined || prompts === null ? {} : { prompts }),
    ...(speech === undefined || speech === null ? {} : { speech }),
    nodes: changedEntries(document.nodes, {
      set: delta.set_nodes,
      removed: delta.removed_nodes,
      order: delta.node_order ?? null,
    }),
    scenarios: changedEntries(document.scenarios, {
      set: delta.set_scenarios,
      removed: delta.removed_scenarios,
      order: delta.scenario_order ?? null,
    }),
  };
}

interface EntriesDelta<Id extends string, Entry> {
  readonly set: Entry[];
  readonly removed: Id[];
  /** All ids in their order; null if removing and appending gives the same order. */
  readonly order: Id[] | null;
}

function entriesBetween<Id extends string, Entry extends { readonly id: Id }>(
  before: Readonly<Record<Id, Entry>>,
  after: Readonly<Record<Id, Entry>>,
): EntriesDelta<Id, Entry> {
  const old = new Map(Object.entries(before) as [Id, Entry][]);
  const entries = Object.values<Entry>(after);
  const set = entries.filter((entry) => !isSame(old.get(entry.id), entry));
  const order = entries.map(({ id }) => id);
  const kept = new Set(order);
  const removed = [...old.keys()].filter((id) => !kept.has(id));
  const plain = Object.keys(changedEntries(before, { set, removed, order: null }));
  return { set, removed, order: isSame(plain, order) ? null : order };
}

function changedEntries<Id extends string, Entry extends { readonly id: Id }>(
  entries: Readonly<Record<Id, Entry>>,
  { set, removed, order }: EntriesDelta<Id, Entry>,
): Record<Id, Entry> {
  const changed = new Map(Object.entries(entries) as [Id, Entry][]);
  for (const id of removed) changed.delete(id);
  for (const entry of set) changed.set(entry.id, entry);
  const places = order === null ? null : new Map(order.map((id, place) => [id, place]));
  const pairs =
    places === null
      ? [...changed]
      : [...changed].sort(([one], [other]) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
  return Object.fromEntries(pairs) as Record<Id, Entry>;
}

function isEmpty({
  name,
  caller,
  prompts,
  speech,
  node_order,
  scenario_order,
  ...lists
}: DocumentDelta): boolean {
  const said = [name, caller, prompts, speech, node_order, scenario_order].some((one) => one !== undefined);
  return !said && Object.values(lists).every((list) => list.length === 0);
}

/** Both come from the same schema, which writes the fields of an entry in one order. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
