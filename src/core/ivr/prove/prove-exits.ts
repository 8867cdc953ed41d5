import type { NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import { telephoneKeys } from '../edit/edit-keys.ts';
import type { CallPort, FlowTarget } from '../../../contract/menu/ivr-call.ts';
import type { Flow, FlowMenu } from '../flow.ts';
import { menuProblem } from '../menu-problem.ts';

/**
 * Menus that a caller cannot leave, and cycles that a caller who presses no offered key cannot leave.
 *
 * A menu without any exit is not reported again as part of a cycle: it needs an exit first.
 */
export function proveExits({ menus }: Flow): IvrProblem[] {
  const locked = lockedMenus(menus);
  const noWayOut = [...locked].map(([id, menu]) =>
    menuProblem(id, {
      code: 'no_way_out',
      at: 'keys',
      params: { menu: menu.name },
    }),
  );
  const ways = new Map<NodeId, readonly MenuOutcome[]>();
  for (const [id, menu] of menus) if (!locked.has(id)) ways.set(id, waysWithoutKey(menu));
  const circles = findCycles(new Map([...ways].map(([id, out]) => [id, menusAmong(out)])));
  return [...noWayOut, ...circles.map((circle) => endless(circle, menus, ways))];
}

/** Searched backwards from the exits: a menu that leads to an exit, or to such a menu, is not locked. */
function lockedMenus(menus: Flow['menus']): Map<NodeId, FlowMenu> {
  const locked = new Map(menus);
  const leadingTo = new Map<NodeId, NodeId[]>([...menus.keys()].map((id) => [id, []]));
  const leadingOut: NodeId[] = [];
  for (const [id, menu] of menus) {
    const ways = menuOutcomes(menu);
    if (ways.some(({ to }) => to.kind === 'destination' || !menus.has(to.menu))) leadingOut.push(id);
    for (const to of menusAmong(ways)) leadingTo.get(to)?.push(id);
  }
  for (const id of leadingOut) if (locked.delete(id)) leadingOut.push(...(leadingTo.get(id) ?? []));
  return locked;
}

function endless(
  circle: readonly [NodeId, ...NodeId[]],
  menus: Flow['menus'],
  ways: ReadonlyMap<NodeId, readonly MenuOutcome[]>,
): IvrProblem {
  const [first, next = first] = circle;
  const way = ways.get(first)?.find(({ to }) => to.kind === 'menu' && to.menu === next);
  const [name, ...others] = circle.map((id) => menus.get(id)?.name ?? '');
  return menuProblem(first, {
    code: 'endless_without_key',
    at: way?.at ?? 'timeout_destination',
    field: way?.field ?? 'timeout_destination',
    params: {
      menus: [name ?? '', ...others],
      way: way?.port.kind === 'wrong_key' ? 'wrong_key' : 'silence',
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

/** An outcome of a menu that a call can take, and where it is in the document. */
interface MenuOutcome {
  readonly port: CallPort;
  readonly to: FlowTarget;
  /** The path into the menu of the drawing. */
  readonly at: string;
  /** The field of the body. */
  readonly field: string;
}

/** Every outcome that a caller can cause: no wrong key if all twelve keys are used. */
export function menuOutcomes(menu: FlowMenu): MenuOutcome[] {
  const keys = [...menu.keys].map(([key, { to }], place) => ({
    port: { kind: 'key', key } as const,
    to,
    at: `keys.${place}.to`,
    field: `destination[${place}]`,
  }));
  return [...keys, ...waysWithoutKey(menu)];
}

/** The outcomes for a caller who presses none of the menu's keys. */
function waysWithoutKey({ keys, wrongKey, timeout }: FlowMenu): MenuOutcome[] {
  const ways: MenuOutcome[] = [];
  if (hasWrongKey((key) => keys.has(key))) {
    const field = 'invalid_destination';
    ways.push({ port: { kind: 'wrong_key' }, to: wrongKey.to, at: field, field });
  }
  const field = 'timeout_destination';
  ways.push({ port: { kind: 'silence' }, to: timeout.to, at: field, field });
  return ways;
}

/** The menus that such outcomes lead to. */
function menusAmong(ways: readonly MenuOutcome[]): NodeId[] {
  return ways.flatMap(({ to }) => (to.kind === 'menu' ? [to.menu] : []));
}

/** Whether a caller can press a wrong key: not if the menu uses all keys of a telephone. */
export function hasWrongKey(used: (key: string) => boolean): boolean {
  return telephoneKeys.some((key) => !used(key));
}
