/**
 * One circle of every knot in a graph, each beginning with its first node in the order of the map; none when every walk ends.
 *
 * A knot is a set of nodes that all lead to each other. A knot may have more circles than one: opening the one that is
 * told shows the next.
 */
export function findCircles<N>(graph: ReadonlyMap<N, readonly N[]>): [N, ...N[]][] {
  const circles: [N, ...N[]][] = [];
  const told = new Set<N>();
  for (const node of graph.keys()) {
    if (told.has(node)) continue;
    const circle = shortestCircle(graph, node);
    if (circle === null) continue;
    circles.push(circle);
    for (const other of knotOf(graph, node)) told.add(other);
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

/** Every node that this one leads to and that leads back to it. */
function knotOf<N>(graph: ReadonlyMap<N, readonly N[]>, node: N): N[] {
  return [...graph.keys()].filter((other) => leadsTo(graph, node, other) && leadsTo(graph, other, node));
}

function leadsTo<N>(graph: ReadonlyMap<N, readonly N[]>, from: N, to: N): boolean {
  const seen = new Set<N>();
  const toVisit = [from];
  for (let node = toVisit.pop(); node !== undefined; node = toVisit.pop()) {
    for (const next of graph.get(node) ?? []) {
      if (next === to) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      toVisit.push(next);
    }
  }
  return false;
}
