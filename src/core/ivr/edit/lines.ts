import type { IvrDocument, MenuNode, NodeId } from '../../../contract/ivr-draft.ts';
import { unreachable } from '../../unreachable.ts';
import { nodeOf } from '../node-of.ts';
import type { Port } from './port.ts';

/** A line that is drawn. Its end may be a node that is not there any more, in a document from elsewhere. */
export interface Line {
  readonly from: Port;
  readonly to: NodeId;
}

/** Every line of a document: the caller's first, then menu by menu its keys, the wrong key, silence. */
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

/** Draws a line from a port, takes it away (`to` null), or leaves the document alone where there is no such port. */
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
