import type { DraftNode, IvrDocument, MenuNode, NodeId } from '../../../contract/menu/ivr-draft.ts';
import { unreachable } from '../../unreachable.ts';

/** A line in the document. Its end may be a node that no longer exists, in a document from elsewhere. */
export interface Line {
  readonly from: Port;
  readonly to: NodeId;
}

/** Every line of a document: the caller's first, then for each menu its keys, the wrong key and the timeout. */
export function linesOf(document: IvrDocument): Line[] {
  const lines: Line[] = [];
  const { to } = document.caller;
  if (to !== null) lines.push({ from: { kind: 'caller' }, to });
  for (const node of Object.values(document.nodes))
    if (node.kind === 'menu') lines.push(...linesOfMenu(node));
  return lines;
}

export function linesOfMenu({ id: menu, keys, invalid_destination, timeout_destination }: MenuNode): Line[] {
  const lines: Line[] = [];
  for (const [index, { to }] of keys.entries()) {
    if (to !== null) lines.push({ from: { kind: 'key', menu, index }, to });
  }
  if (invalid_destination !== null) lines.push({ from: { kind: 'invalid', menu }, to: invalid_destination });
  if (timeout_destination !== null) lines.push({ from: { kind: 'timeout', menu }, to: timeout_destination });
  return lines;
}

/** Connects a port, disconnects it (`to` null), or does nothing if the port does not exist. */
export function connect(document: IvrDocument, from: Port, to: NodeId | null): IvrDocument {
  if (from.kind === 'caller') return { ...document, caller: { ...document.caller, to } };
  const menu = nodeOf(document, from.menu);
  if (menu?.kind !== 'menu') return document;
  return { ...document, nodes: { ...document.nodes, [menu.id]: connectMenu(menu, from, to) } };
}

function connectMenu(menu: MenuNode, from: Exclude<Port, { kind: 'caller' }>, to: NodeId | null): MenuNode {
  switch (from.kind) {
    case 'key':
      return { ...menu, keys: menu.keys.map((key, index) => (index === from.index ? { ...key, to } : key)) };
    case 'invalid':
      return { ...menu, invalid_destination: to };
    case 'timeout':
      return { ...menu, timeout_destination: to };
    default:
      return unreachable(from);
  }
}

/** Where a line starts: at the caller, or at an outcome of a menu. A key is identified by its position in the menu. */
export type Port =
  | { readonly kind: 'caller' }
  | { readonly kind: 'key'; readonly menu: NodeId; readonly index: number }
  | { readonly kind: 'invalid'; readonly menu: NodeId }
  | { readonly kind: 'timeout'; readonly menu: NodeId };

/** The node with this id, or null: a line may lead to a removed node, or nowhere. */
export function nodeOf(document: IvrDocument, id: NodeId | null): DraftNode | null {
  // An id may be `constructor`, which every object has.
  return id !== null && Object.hasOwn(document.nodes, id) ? (document.nodes[id] ?? null) : null;
}

/** The menus of a drawing, in its order. */
export function menusOf(document: IvrDocument): MenuNode[] {
  return Object.values(document.nodes).filter((node) => node.kind === 'menu');
}
