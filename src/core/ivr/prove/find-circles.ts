/**
 * One circle of every knot in a graph, each beginning with its first node in the order of the map; none when every walk ends.
 *
 * A knot is a set of nodes that all lead to each other. A knot may have more circles than one: opening the one that is
 * told shows the next. Each knot costs a walk or two through the graph, so its size may be anybody's choice.
 */
export function findCircles<N>(graph: ReadonlyMap<N, readonly N[]>): [N, ...N[]][] {
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

/** Breadth first, from a node until it is met again. */
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

/** The same graph with every edge the other way round. */
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

/** Every node that one leads to; with itself where a walk comes back to it. */
function reachedFrom<N>(graph: ReadonlyMap<N, readonly N[]>, node: N): Set<N> {
  const reached = new Set(graph.get(node));
  for (const one of reached) for (const next of graph.get(one) ?? []) reached.add(next);
  return reached;
}
