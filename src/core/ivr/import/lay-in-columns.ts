import type { DraftNode, IvrDocument, MenuNode, NodeId, Place } from '../../../contract/ivr-draft.ts';
import { linesOfMenu } from '../edit/lines.ts';
import { menusOf, nodeOf } from '../node-of.ts';

/** In pixels at 100 %; roomy for what the window draws. */
const room = { first: 240, menuToEnds: 440, endsToMenu: 320, menu: 260, key: 40, end: 100, gap: 60 } as const;

/**
 * Gives every node a place: the caller on the left, a menu one column further than the first that leads to it, the ends
 * of a menu to its right. Menus that no call reaches stand under those that it meets first.
 *
 * For drawings that have no places yet; the window can lay out more finely.
 */
export function layInColumns(document: IvrDocument): IvrDocument {
  const nodes = { ...document.nodes };
  const heights = new Map<number, number>();
  const placed = new Set<NodeId>();
  for (const [menu, column] of columns(document)) {
    const x = room.first + column * (room.menuToEnds + room.endsToMenu);
    const y = heights.get(column) ?? 0;
    place(menu, { x, y });
    let endY = y;
    for (const { to } of linesOfMenu(menu)) {
      const end = nodeOf(document, to);
      if (end?.kind !== 'end' || placed.has(to)) continue;
      place(end, { x: x + room.menuToEnds, y: endY });
      endY += room.end;
    }
    const bottom = Math.max(y + room.menu + menu.keys.length * room.key, endY);
    heights.set(column, bottom + room.gap);
  }
  const bottom = Math.max(0, ...heights.values());
  const alone = Object.values(document.nodes).filter(({ id }) => !placed.has(id));
  for (const [row, node] of alone.entries()) place(node, { x: room.first, y: bottom + row * room.end });
  return { ...document, caller: { ...document.caller, place: { x: 0, y: 0 } }, nodes };

  function place(node: DraftNode, at: Place): void {
    placed.add(node.id);
    nodes[node.id] = { ...node, place: at };
  }
}

/** How many menus a call meets before each menu, at the least. */
function columns(document: IvrDocument): Map<MenuNode, number> {
  const column = new Map<MenuNode, number>();
  const first = nodeOf(document, document.caller.to);
  let reached = first?.kind === 'menu' ? [first] : [];
  for (let depth = 0; reached.length > 0; depth += 1) {
    const here = new Set(reached.filter((menu) => !column.has(menu)));
    for (const menu of here) column.set(menu, depth);
    reached = [...here].flatMap(linesOfMenu).flatMap(({ to }) => {
      const node = nodeOf(document, to);
      return node?.kind === 'menu' ? [node] : [];
    });
  }
  for (const menu of menusOf(document)) if (!column.has(menu)) column.set(menu, 0);
  return column;
}
