import type { DraftNode, IvrDocument, MenuNode } from '../../../contract/ivr-draft.ts';
import { callerSize, endSize, headHeight, menuWidth, rowHeight } from '../drawing/card-size.ts';
import type { Box } from '../drawing/line-path.ts';
import type { Port } from '../edit/port.ts';

export function boxOf(node: DraftNode): Box {
  return node.kind === 'end'
    ? { ...node.place, ...endSize }
    : { ...node.place, width: menuWidth, height: headHeight + rowHeight * (node.keys.length + 3) };
}

export function callerBox({ caller }: IvrDocument): Box {
  return { ...caller.place, ...callerSize };
}

/** How far below a menu's upper edge the row of a way out has its middle; the prompt has the first row. */
export function rowMiddle(menu: MenuNode, port: Exclude<Port, { kind: 'caller' }>): number {
  const row =
    port.kind === 'key' ? port.index : port.kind === 'invalid' ? menu.keys.length : menu.keys.length + 1;
  return headHeight + rowHeight * (row + 1.5);
}

/** What lines take to the right of a menu: the words on them, and the turn of those that lead back. */
const linesRoom = 112;

/** The smallest box around all that is drawn. */
export function boundsOf(document: IvrDocument): Box {
  const boxes = [
    callerBox(document),
    ...Object.values(document.nodes).map((node) => {
      const box = boxOf(node);
      return node.kind === 'end' ? box : { ...box, width: box.width + linesRoom };
    }),
  ];
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}
