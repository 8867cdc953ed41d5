import type {
  DraftNode,
  EndNode,
  IvrDocument,
  MenuNode,
  NodeId,
  Place,
} from '../../../contract/ivr-draft.ts';
import { nodeOf } from '../node-of.ts';
import { connect, linesOf } from './lines.ts';
import { freeNodeId } from './new-node.ts';

/** Puts a node into the document, in the place of one with the same id. */
export function putNode(document: IvrDocument, node: DraftNode): IvrDocument {
  return { ...document, nodes: { ...document.nodes, [node.id]: node } };
}

/** Changes fields of a menu; where there is no such menu the document stays as it is. */
export function changeMenu(
  document: IvrDocument,
  id: NodeId,
  change: Partial<Omit<MenuNode, 'kind' | 'id'>>,
): IvrDocument {
  const node = nodeOf(document, id);
  return node?.kind === 'menu' ? putNode(document, { ...node, ...change }) : document;
}

export function changeEnd(
  document: IvrDocument,
  id: NodeId,
  change: Partial<Omit<EndNode, 'kind' | 'id'>>,
): IvrDocument {
  const node = nodeOf(document, id);
  return node?.kind === 'end' ? putNode(document, { ...node, ...change }) : document;
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

/** Takes nodes away, with every line to them. */
export function removeNodes(document: IvrDocument, ids: ReadonlySet<string>): IvrDocument {
  let without = document;
  for (const { from, to } of linesOf(document)) if (ids.has(to)) without = connect(without, from, null);
  const nodes = Object.fromEntries(Object.entries(without.nodes).filter(([id]) => !ids.has(id)));
  return { ...without, nodes };
}

/**
 * Adds copies of nodes under new ids, moved by `by`: lines among them lead to the copies, other lines to where they led,
 * as far as that is still there. Answers the new ids, for selecting them.
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
    nodes[id] =
      node.kind === 'end'
        ? { ...node, id, place }
        : {
            ...node,
            id,
            place,
            keys: node.keys.map((key) => ({ ...key, to: lead(key.to) })),
            invalid_destination: lead(node.invalid_destination),
            timeout_destination: lead(node.timeout_destination),
          };
  }
  return { document: { ...document, nodes }, ids: new Set(renamed.values()) };
}
