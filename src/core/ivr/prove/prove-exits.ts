import type { NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import { telephoneKeys } from '../edit/edit-keys.ts';
import type { CallPort, FlowTarget } from '../../../contract/menu/ivr-call.ts';
import { type Flow, type FlowMenu, hasNode, nodeLedTo, nodeName } from '../flow.ts';
import { menuProblem } from '../menu-problem.ts';

/**
 * Nodes that a caller cannot leave, and cycles that a caller who presses no offered key cannot leave.
 *
 * A node without any exit is not reported again as part of a cycle: it needs an exit first. Every exit of opening hours counts: at some
 * time a call takes it.
 */
export function proveExits(flow: Flow): IvrProblem[] {
  const outcomes = outcomesOfFlow(flow);
  const circlesOfHours = findCycles(
    new Map(
      [...flow.hours.keys()].map((id) => [
        id,
        nodesAmong(outcomes.get(id) ?? []).filter((to) => flow.hours.has(to)),
      ]),
    ),
  );
  const locked = lockedNodes(flow, outcomes);
  const noWayOut = [...locked].map((id) => noExit(flow, id));
  const ways = new Map<NodeId, readonly FlowOutcome[]>();
  for (const id of outcomes.keys()) {
    if (locked.has(id)) continue;
    const menu = flow.menus.get(id);
    ways.set(id, menu === undefined ? (outcomes.get(id) ?? []) : waysWithoutKey(menu));
  }
  const circles = findCycles(new Map([...ways].map(([id, out]) => [id, nodesAmong(out)])));
  return [
    ...circlesOfHours.map((circle) => unheard(circle, flow)),
    ...noWayOut,
    // Those of opening hours alone are reported already.
    ...circles
      .filter((circle) => circle.some((id) => !flow.hours.has(id)))
      .map((circle) => endless(circle, flow, ways)),
  ];
}

/** Searched backwards from the exits: a node that leads to an exit, or to such a node, is not locked. */
function lockedNodes(flow: Flow, outcomes: ReadonlyMap<NodeId, readonly FlowOutcome[]>): Set<NodeId> {
  const locked = new Set(outcomes.keys());
  const leadingTo = new Map<NodeId, NodeId[]>([...locked].map((id) => [id, []]));
  const leadingOut: NodeId[] = [];
  for (const [id, ways] of outcomes) {
    const menu = flow.menus.get(id);
    const isDialling = menu !== undefined && menu.directDial !== null;
    if (isDialling || ways.some(({ to }) => to.kind === 'destination' || !hasNode(flow, nodeLedTo(to))))
      leadingOut.push(id);
    for (const to of nodesAmong(ways)) leadingTo.get(to)?.push(id);
  }
  for (const id of leadingOut) if (locked.delete(id)) leadingOut.push(...(leadingTo.get(id) ?? []));
  return locked;
}

function noExit(flow: Flow, id: NodeId): IvrProblem {
  const message = flow.messages.get(id);
  if (message?.then.kind === 'message' && message.then.node === id)
    return menuProblem(id, { code: 'message_to_itself', at: 'then', params: { message: message.name } });
  const params = { menu: nodeName(flow, id) };
  if (message !== undefined)
    return menuProblem(id, { code: 'no_way_out', at: 'then', params: { ...params, kind: 'message' } });
  return flow.hours.has(id)
    ? menuProblem(id, { code: 'no_way_out', at: 'open', params: { ...params, kind: 'hours' } })
    : menuProblem(id, { code: 'no_way_out', at: 'keys', params });
}

function unheard(circle: readonly [NodeId, ...NodeId[]], flow: Flow): IvrProblem {
  const [first, next = first] = circle;
  const way = outcomesOfFlow(flow)
    .get(first)
    ?.find(({ to }) => to.kind === 'hours' && to.node === next);
  const hours = circle.map((id) => nodeName(flow, id));
  return menuProblem(first, { code: 'circle_unheard', at: way?.at ?? 'open', params: { hours } });
}

function endless(
  circle: readonly [NodeId, ...NodeId[]],
  flow: Flow,
  ways: ReadonlyMap<NodeId, readonly FlowOutcome[]>,
): IvrProblem {
  const [first, next = first] = circle;
  const way = ways.get(first)?.find(({ to }) => to.kind !== 'destination' && nodeLedTo(to) === next);
  const [name, ...others] = circle.map((id) => nodeName(flow, id));
  const { kind = 'silence' } = way?.port ?? {};
  return menuProblem(first, {
    code: 'endless_without_key',
    at: way?.at ?? 'timeout_destination',
    ...(way?.field === undefined ? {} : { field: way.field }),
    params: {
      menus: [name ?? '', ...others],
      way: kind === 'key' || kind === 'number' ? 'silence' : kind,
    },
  });
}

/**
 * One cycle of every strongly connected component of a graph, each starting with its first node in the order of the
 * map; empty if the graph has none.
 *
 * A component may have several cycles: after the reported one is fixed, the next one is reported. Each component costs
 * one or two traversals, so its size is not limited.
 */
export function findCycles<N>(graph: ReadonlyMap<N, readonly N[]>): [N, ...N[]][] {
  const circles: [N, ...N[]][] = [];
  const back = turned(graph);
  const told = new Set<N>();
  for (const node of graph.keys()) {
    if (told.has(node)) continue;
    const circle = shortestCircle(graph, node);
    if (circle === null) continue;
    circles.push(circle);
    const behind = reachedFrom(graph, node);
    for (const other of reachedFrom(back, node)) if (behind.has(other)) told.add(other);
  }
  return circles;
}

/** Breadth first, from a node until it is reached again. */
function shortestCircle<N>(graph: ReadonlyMap<N, readonly N[]>, start: N): [N, ...N[]] | null {
  const cameFrom = new Map<N, N>();
  const toVisit = [start];
  for (const node of toVisit) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [start, ...walkTo(node)];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, node);
      toVisit.push(next);
    }
  }
  return null;

  function walkTo(end: N): N[] {
    const walk: N[] = [];
    for (let node = end; node !== start; node = cameFrom.get(node) as N) walk.unshift(node);
    return walk;
  }
}

/** The same graph with every edge reversed. */
function turned<N>(graph: ReadonlyMap<N, readonly N[]>): Map<N, N[]> {
  const back = new Map<N, N[]>();
  for (const [node, out] of graph) {
    for (const next of out) {
      const known = back.get(next);
      if (known === undefined) back.set(next, [node]);
      else known.push(node);
    }
  }
  return back;
}

/** Every node that can be reached from one; including itself if it is on a cycle. */
function reachedFrom<N>(graph: ReadonlyMap<N, readonly N[]>, node: N): Set<N> {
  const reached = new Set(graph.get(node));
  for (const one of reached) for (const next of graph.get(one) ?? []) reached.add(next);
  return reached;
}

/** An outcome that a call can take, and where it is in the document. */
export interface FlowOutcome {
  readonly port: CallPort;
  readonly to: FlowTarget;
  /** The path into the node of the document. */
  readonly at: string;
  /** The field of the body. */
  readonly field?: string;
}

/** Every outcome of every node of a flow. Numbers that are dialled all lead out, and are none of them. */
export function outcomesOfFlow({
  menus,
  hours,
  messages,
}: Omit<Flow, 'start'>): Map<NodeId, readonly FlowOutcome[]> {
  const outcomes = new Map<NodeId, readonly FlowOutcome[]>();
  for (const [id, menu] of menus) outcomes.set(id, menuOutcomes(menu));
  for (const [id, { open, closed, holiday }] of hours) {
    outcomes.set(id, [
      { port: { kind: 'open' }, to: open, at: 'open' },
      { port: { kind: 'closed' }, to: closed, at: 'closed' },
      ...(holiday === null ? [] : [{ port: { kind: 'holiday' }, to: holiday, at: 'holiday' } as const]),
    ]);
  }
  for (const [id, { then }] of messages) outcomes.set(id, [{ port: { kind: 'then' }, to: then, at: 'then' }]);
  return outcomes;
}

/** Every outcome that a caller can cause by a menu: no wrong key if all twelve keys are used. */
export function menuOutcomes(menu: FlowMenu): FlowOutcome[] {
  const keys = [...menu.keys].map(([key, { to }], place) => ({
    port: { kind: 'key', key } as const,
    to,
    at: `keys.${place}.to`,
    field: `destination[${place}]`,
  }));
  return [...keys, ...waysWithoutKey(menu)];
}

/** The outcomes for a caller who presses none of the menu's keys. */
function waysWithoutKey(menu: FlowMenu): FlowOutcome[] {
  const { wrongKey, timeout } = menu;
  const ways: FlowOutcome[] = [];
  if (canBeWrong(menu)) {
    const field = 'invalid_destination';
    ways.push({ port: { kind: 'wrong_key' }, to: wrongKey.to, at: field, field });
  }
  const field = 'timeout_destination';
  ways.push({ port: { kind: 'silence' }, to: timeout.to, at: field, field });
  return ways;
}

/** The nodes that such outcomes lead to. */
function nodesAmong(ways: readonly FlowOutcome[]): NodeId[] {
  return ways.flatMap(({ to }) => (to.kind === 'destination' ? [] : [nodeLedTo(to)]));
}

/** Whether a caller can enter something wrong: a key that the menu does not use, or a number that is not allowed. */
export function canBeWrong({ keys, directDial }: Pick<FlowMenu, 'keys' | 'directDial'>): boolean {
  return directDial !== null || hasWrongKey((key) => keys.has(key));
}

/** Whether there is a key that a menu does not use: not if it uses all keys of a telephone. */
export function hasWrongKey(used: (key: string) => boolean): boolean {
  return telephoneKeys.some((key) => !used(key));
}
