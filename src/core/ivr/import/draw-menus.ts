import {
  type DraftNode,
  type EndNode,
  type IvrDocument,
  type MenuNode,
  NodeId,
} from '../../../contract/ivr-draft.ts';
import { linesOfMenu } from '../edit/lines.ts';
import { writeReference } from '../reference.ts';
import type { ImportNotes } from './import-notes.ts';
import type { ImportedMenu, ImportedTarget } from './imported-menu.ts';
import { layInColumns } from './lay-in-columns.ts';

/**
 * Draws the menus that were read: the id of one of them becomes a line, any other destination an end of its menu.
 *
 * They may be open anywhere. The caller is connected with the first menu that no other leads to, or with the first. Many
 * menus can have more nodes than a drawing may (`draftBounds`).
 */
export function drawMenus(menus: readonly ImportedMenu[], notes: ImportNotes): IvrDocument {
  const ids = menus.map((_menu, place) => NodeId.parse(`menu${place + 1}`));
  const stored = new Map<string, NodeId>();
  for (const [place, { storedAs }] of menus.entries()) {
    const id = ids[place];
    if (storedAs === null || id === undefined) continue;
    if (stored.has(storedAs))
      notes.warn(`[${place}].id`, 'is the id of a menu before it too; lines lead to that one.');
    else stored.set(storedAs, id);
  }

  const nodes: Record<NodeId, DraftNode> = {};
  let ends = 0;
  for (const [place, menu] of menus.entries()) {
    const id = ids[place];
    if (id === undefined) continue;
    const known = new Map<string, EndNode>();
    nodes[id] = drawMenu(id, menu, (to) => lineTo(to, known));
    for (const end of known.values()) nodes[end.id] = end;
  }
  const led = new Set(Object.values(nodes).flatMap(ledToFrom));
  const place = Math.max(
    0,
    ids.findIndex((id) => !led.has(id)),
  );
  return layInColumns({
    name: documentName(menus[place]?.name),
    caller: { place: { x: 0, y: 0 }, to: ids[place] ?? null },
    nodes,
    scenarios: {},
  });

  /** One end for each destination of a menu, however many of its keys lead there. */
  function lineTo(to: ImportedTarget | null, known: Map<string, EndNode>): NodeId | null {
    if (to === null) return null;
    const menu = to.type === 'ivr' ? stored.get(to.id) : undefined;
    if (menu !== undefined) return menu;
    const reference = writeReference(to);
    const end = known.get(reference) ?? {
      kind: 'end',
      id: NodeId.parse(`end${(ends += 1)}`),
      place: { x: 0, y: 0 },
      type: to.type,
      ref: to.id,
    };
    known.set(reference, end);
    return end.id;
  }
}

function drawMenu(
  id: NodeId,
  { storedAs: _storedAs, ...menu }: ImportedMenu,
  lineTo: (to: ImportedTarget | null) => NodeId | null,
): MenuNode {
  return {
    ...menu,
    kind: 'menu',
    id,
    place: { x: 0, y: 0 },
    keys: menu.keys.map((key) => ({ ...key, to: lineTo(key.to) })),
    invalid_destination: lineTo(menu.invalid_destination),
    timeout_destination: lineTo(menu.timeout_destination),
  };
}

/** Which other nodes a node leads to: a menu that leads to itself is no less a beginning. */
function ledToFrom(node: DraftNode): NodeId[] {
  if (node.kind === 'end') return [];
  return linesOfMenu(node).flatMap(({ to }) => (to === node.id ? [] : [to]));
}

function documentName(name = ''): string {
  const short = name.slice(0, 100).trim();
  return short === '' ? 'Imported menu' : short;
}
