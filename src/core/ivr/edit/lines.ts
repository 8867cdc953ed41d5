import type { DraftNode, IvrDocument, MenuNode, NodeId } from '../../../contract/menu/ivr-draft.ts';
import { unreachable } from '../../unreachable.ts';

/** A line in the document. Its end may be a node that no longer exists, in a document from elsewhere. */
export interface Line {
  readonly from: Port;
  readonly to: NodeId;
}

/** Every line of a document: the caller's first, then for each node its outcomes. */
export function linesOf(document: IvrDocument): Line[] {
  const { to } = document.caller;
  const first: Line[] = to === null ? [] : [{ from: { kind: 'caller' }, to }];
  return [...first, ...Object.values(document.nodes).flatMap(linesOfNode)];
}

/** Of a menu its keys, the wrong key and the timeout. */
export function linesOfNode(node: DraftNode): Line[] {
  return outcomesOf(node).flatMap(({ from, to }) => (to === null ? [] : [{ from, to }]));
}

/** An outcome of a node, and where it leads; null while it is not connected. */
export interface Outcome {
  readonly from: NodePort;
  readonly to: NodeId | null;
}

/** All outcomes of a node in the order in which a card shows them. */
export function outcomesOf(node: DraftNode): Outcome[] {
  const { id: menu } = node;
  switch (node.kind) {
    case 'menu':
      return [
        ...node.keys.map(({ to }, index): Outcome => ({ from: { kind: 'key', menu, index }, to })),
        { from: { kind: 'invalid', menu }, to: node.invalid_destination },
        { from: { kind: 'timeout', menu }, to: node.timeout_destination },
      ];
    case 'hours':
      return (['open', 'closed', 'holiday'] as const).map((kind) => ({
        from: { kind, menu },
        to: node[kind],
      }));
    case 'message':
      return [{ from: { kind: 'then', menu }, to: node.then }];
    case 'end':
      return [];
    default:
      return unreachable(node);
  }
}

/** Connects a port, disconnects it (`to` null), or does nothing if the port does not exist. */
export function connect(document: IvrDocument, from: Port, to: NodeId | null): IvrDocument {
  if (from.kind === 'caller') return { ...document, caller: { ...document.caller, to } };
  const node = nodeOf(document, from.menu);
  if (node === null) return document;
  return { ...document, nodes: { ...document.nodes, [node.id]: connectNode(node, from, to) } };
}

function connectNode(node: DraftNode, from: NodePort, to: NodeId | null): DraftNode {
  if (node.kind === 'hours' && (from.kind === 'open' || from.kind === 'closed' || from.kind === 'holiday'))
    return { ...node, [from.kind]: to };
  if (node.kind === 'message' && from.kind === 'then') return { ...node, then: to };
  if (node.kind !== 'menu') return node;
  switch (from.kind) {
    case 'key':
      return { ...node, keys: node.keys.map((key, index) => (index === from.index ? { ...key, to } : key)) };
    case 'invalid':
      return { ...node, invalid_destination: to };
    case 'timeout':
      return { ...node, timeout_destination: to };
    case 'open':
    case 'closed':
    case 'holiday':
    case 'then':
      return node;
  }
}

/**
 * Where a line starts: at the caller, or at an outcome of a node (`menu`, which is a menu, opening hours or a message). A key is identified
 * by its position in the menu.
 */
export type Port = { readonly kind: 'caller' } | NodePort;
export type NodePort =
  | { readonly kind: 'key'; readonly menu: NodeId; readonly index: number }
  | { readonly kind: 'invalid'; readonly menu: NodeId }
  | { readonly kind: 'timeout'; readonly menu: NodeId }
  | { readonly kind: 'open' | 'closed' | 'holiday'; readonly menu: NodeId }
  | { readonly kind: 'then'; readonly menu: NodeId };

/** The node with this id, or null: a line may lead to a removed node, or nowhere. */
export function nodeOf(document: IvrDocument, id: NodeId | null): DraftNode | null {
  // An id may be `constructor`, which every object has.
  return id !== null && Object.hasOwn(document.nodes, id) ? (document.nodes[id] ?? null) : null;
}

/** The menus of a drawing, in its order. */
export function menusOf(document: IvrDocument): MenuNode[] {
  return Object.values(document.nodes).filter((node) => node.kind === 'menu');
}
