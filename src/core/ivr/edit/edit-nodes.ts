import type {
  DraftNode,
  EndNode,
  HoursNode,
  IvrDocument,
  MenuNode,
  MessageNode,
  NodeId,
  Place,
  Scenario,
  ScenarioId,
} from '../../../contract/menu/ivr-draft.ts';
import type { IvrDestinationType } from '../../../contract/menu/ivr.ts';
import type { ScheduleId } from '../../../contract/menu/schedule.ts';
import { unreachable } from '../../unreachable.ts';
import { connect, linesOf, nodeOf } from './lines.ts';

/** Adds a node to the document, or replaces the one with the same id. */
export function putNode(document: IvrDocument, node: DraftNode): IvrDocument {
  return { ...document, nodes: { ...document.nodes, [node.id]: node } };
}

/** Changes fields of a menu; does nothing if the menu does not exist. */
export function changeMenu(
  document: IvrDocument,
  id: NodeId,
  change: Partial<Omit<MenuNode, 'kind' | 'id'>>,
): IvrDocument {
  const node = nodeOf(document, id);
  return node?.kind === 'menu' ? putNode(document, { ...node, ...change }) : document;
}

export function changeHours(
  document: IvrDocument,
  id: NodeId,
  change: Partial<Omit<HoursNode, 'kind' | 'id'>>,
): IvrDocument {
  const node = nodeOf(document, id);
  return node?.kind === 'hours' ? putNode(document, { ...node, ...change }) : document;
}

export function changeMessage(
  document: IvrDocument,
  id: NodeId,
  change: Partial<Omit<MessageNode, 'kind' | 'id'>>,
): IvrDocument {
  const node = nodeOf(document, id);
  return node?.kind === 'message' ? putNode(document, { ...node, ...change }) : document;
}

export function changeEnd(
  document: IvrDocument,
  id: NodeId,
  change: Partial<Omit<EndNode, 'kind' | 'id'>>,
): IvrDocument {
  const node = nodeOf(document, id);
  return node?.kind === 'end' ? putNode(document, { ...node, ...change }) : document;
}

/** The same call flow with other schedules, or with none chosen (null); those that are not named stay. */
export function askSchedules(
  document: IvrDocument,
  ids: { get(id: ScheduleId): ScheduleId | null | undefined },
): IvrDocument {
  const other = (id: ScheduleId): ScheduleId | null => {
    const found = ids.get(id);
    return found === undefined ? id : found;
  };
  const nodes = Object.entries(document.nodes).map(([id, node]): [string, DraftNode] => [
    id,
    node.kind === 'hours' && node.hours !== null ? { ...node, hours: other(node.hours) } : node,
  ]);
  const scenarios = Object.entries(document.scenarios).map(
    ([id, { switches, ...scenario }]): [string, Scenario] => {
      if (switches === undefined) return [id, scenario];
      const set = Object.entries(switches).map(([schedule, to]): [string, typeof to] => [
        other(schedule as ScheduleId) ?? schedule,
        to,
      ]);
      return [id, { ...scenario, switches: Object.fromEntries(set) }];
    },
  );
  return { ...document, nodes: Object.fromEntries(nodes), scenarios: Object.fromEntries(scenarios) };
}

/** Moves nodes, and the caller under the name `caller`, to whole pixels. */
export function moveNodes(document: IvrDocument, places: ReadonlyMap<string, Place>): IvrDocument {
  const nodes = { ...document.nodes };
  for (const [id, place] of places) {
    const node = nodeOf(document, id as NodeId);
    if (node !== null) nodes[node.id] = { ...node, place: wholePlace(place) };
  }
  const place = places.get('caller');
  const caller = place === undefined ? document.caller : { ...document.caller, place: wholePlace(place) };
  return { ...document, caller, nodes };
}

function wholePlace({ x, y }: Place): Place {
  return { x: Math.round(x), y: Math.round(y) };
}

/** Removes nodes, and every line to them. */
export function removeNodes(document: IvrDocument, ids: ReadonlySet<string>): IvrDocument {
  let without = document;
  for (const { from, to } of linesOf(document)) if (ids.has(to)) without = connect(without, from, null);
  const nodes = Object.fromEntries(Object.entries(without.nodes).filter(([id]) => !ids.has(id)));
  return { ...without, nodes };
}

/**
 * Adds copies of nodes under new ids, moved by `by`. Lines among them lead to the copies; other lines keep their
 * targets, if those still exist. Returns the new ids, for selecting them.
 */
export function pasteNodes(
  document: IvrDocument,
  copied: readonly DraftNode[],
  by: Place,
): { readonly document: IvrDocument; readonly ids: ReadonlySet<NodeId> } {
  const renamed = new Map<string, NodeId>();
  const taken = new Set<string>();
  for (const { id, kind } of copied) {
    const free = freeNodeId(document, kind, taken);
    taken.add(free);
    renamed.set(id, free);
  }
  const nodes = { ...document.nodes };
  const lead = (to: NodeId | null): NodeId | null =>
    to === null ? null : (renamed.get(to) ?? nodeOf(document, to)?.id ?? null);
  for (const node of copied) {
    const id = renamed.get(node.id) ?? node.id;
    const place = wholePlace({ x: node.place.x + by.x, y: node.place.y + by.y });
    nodes[id] = { ...withTargets(node, lead), id, place };
  }
  return { document: { ...document, nodes }, ids: new Set(renamed.values()) };
}

/** A node whose every line leads where `to` says of its target. */
export function withTargets<N extends DraftNode>(node: N, to: (target: NodeId | null) => NodeId | null): N;
export function withTargets(node: DraftNode, to: (target: NodeId | null) => NodeId | null): DraftNode {
  switch (node.kind) {
    case 'menu':
      return {
        ...node,
        keys: node.keys.map((key) => ({ ...key, to: to(key.to) })),
        invalid_destination: to(node.invalid_destination),
        timeout_destination: to(node.timeout_destination),
      };
    case 'hours':
      return { ...node, open: to(node.open), closed: to(node.closed), holiday: to(node.holiday) };
    case 'message':
      return { ...node, then: to(node.then) };
    case 'end':
      return node;
    default:
      return unreachable(node);
  }
}

/** Adds a scenario to the document, or replaces the one with the same id. */
export function putScenario(document: IvrDocument, scenario: Scenario): IvrDocument {
  return { ...document, scenarios: { ...document.scenarios, [scenario.id]: scenario } };
}

export function removeScenario(document: IvrDocument, id: ScenarioId): IvrDocument {
  const scenarios = Object.fromEntries(Object.entries(document.scenarios).filter(([other]) => other !== id));
  return { ...document, scenarios };
}

export function freeScenarioId(document: IvrDocument): ScenarioId {
  let number = 1;
  while (`scenario${number}` in document.scenarios) number += 1;
  return `scenario${number}` as ScenarioId;
}

/** The timeout and the retries of a new menu: usual values. */
const usual = { timeout: 5, incorrect_count: 2, timeout_tries: 2 } as const;

export function emptyDocument(name: string): IvrDocument {
  return { name, caller: { place: { x: 0, y: 0 }, to: null }, nodes: {}, scenarios: {} };
}

/** A menu with a name and the usual times, and nothing else set. */
export function newMenu(id: NodeId, name: string, place: Place): MenuNode {
  return {
    kind: 'menu',
    id,
    place,
    name,
    description: '',
    recording: null,
    keys: [],
    invalid_recording: null,
    invalid_destination: null,
    timeout_retry_recording: null,
    timeout_recording: null,
    timeout_destination: null,
    ...usual,
  };
}

export function newEnd(id: NodeId, type: IvrDestinationType, ref: string, place: Place): EndNode {
  return { kind: 'end', id, place, type, ref: type === 'hangup' ? '' : ref };
}

export function newHours(id: NodeId, hours: ScheduleId | null, place: Place): HoursNode {
  return { kind: 'hours', id, place, hours, open: null, closed: null, holiday: null };
}

export function newMessage(id: NodeId, name: string, place: Place): MessageNode {
  return { kind: 'message', id, place, name, recording: null, then: null };
}

/** A name that no node of the document has, such as `menu3`; `taken` are further names that are in use. */
export function freeNodeId(
  document: IvrDocument,
  kind: DraftNode['kind'],
  taken: ReadonlySet<string> = new Set(),
): NodeId {
  let number = 1;
  while (`${kind}${number}` in document.nodes || taken.has(`${kind}${number}`)) number += 1;
  return `${kind}${number}` as NodeId;
}

/** A name for a new menu or message that none of the document has, such as `Menu 2`. */
export function freeNodeName(document: IvrDocument, word: 'Menu' | 'Message'): string {
  const names = new Set(
    Object.values(document.nodes).map((node) =>
      node.kind === 'menu' || node.kind === 'message' ? node.name : '',
    ),
  );
  let number = 1;
  while (names.has(`${word} ${number}`)) number += 1;
  return `${word} ${number}`;
}
