import {
  type DraftNode,
  type EndNode,
  type HoursNode,
  type IvrDocument,
  type LeadingNode,
  type MenuNode,
  type MessageNode,
  NodeId,
  type Place,
} from '../../../contract/menu/ivr-draft.ts';
import { type IvrBody, IvrDestinationType } from '../../../contract/menu/ivr.ts';
import { linesOfNode, nodeOf } from '../edit/lines.ts';
import { readReference, writeReference } from '../../../contract/menu/ivr-reference.ts';
import type { FlowPart } from '../../../contract/menu/schedule.ts';
import type { FlowSpeech } from '../../../contract/menu/speech.ts';
import { invariant } from '../../unreachable.ts';
import { newHours, newMessage } from '../edit/edit-nodes.ts';
import { ImportNotes, type ImportedMenu, type ImportedTarget, readMenu } from './read-menu.ts';

/**
 * Makes a document from imported menus: the id of one of them becomes a line, any other destination a node of its menu.
 *
 * Any field may be missing. The caller is connected to the first opening hours or message that nothing leads to, otherwise to the first
 * menu that no other leads to, or to the first. Many
 * menus can have more nodes than a draft may have (`draftBounds`).
 */
export function drawMenus(
  menus: readonly ImportedMenu[],
  notes: ImportNotes,
  parts: readonly FlowPart[] = [],
): IvrDocument {
  const ids = menus.map((_menu, place) => NodeId.parse(`menu${place + 1}`));
  const stored = new Map<string, NodeId>();
  for (const [place, { storedAs, name }] of menus.entries()) {
    const id = ids[place];
    if (storedAs === null || id === undefined) continue;
    if (stored.has(storedAs))
      notes.warn({
        code: 'id_twice',
        at: `[${place}].id`,
        place: { menu: { name, number: place + 1 }, key: null, field: 'id' },
        params: null,
      });
    else stored.set(storedAs, id);
  }

  for (const [place, part] of parts.entries())
    stored.set(`${part.kind}||${part.id}`, NodeId.parse(`${part.kind}${place + 1}`));

  const nodes: Record<NodeId, DraftNode> = {};
  let ends = 0;
  for (const part of parts) {
    const known = new Map<string, EndNode>();
    const node = drawPart(part, (to) => lineTo(targetOf(to), known), stored);
    nodes[node.id] = node;
    for (const end of known.values()) nodes[end.id] = end;
  }
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
  const firstPart = Object.values(nodes).find(
    ({ id, kind }) => (kind === 'hours' || kind === 'message') && !led.has(id),
  )?.id;
  return layInColumns({
    name: documentName(menus[place]?.name),
    caller: { place: { x: 0, y: 0 }, to: firstPart ?? ids[place] ?? null },
    nodes,
    scenarios: {},
  });

  /** One node for each destination of a menu, however many of its keys lead there. */
  function lineTo(to: ImportedTarget | null, known: Map<string, EndNode>): NodeId | null {
    if (to === null) return null;
    const menu = to.type === 'ivr' ? stored.get(to.id) : undefined;
    if (menu !== undefined) return menu;
    if (to.type === 'hours' || to.type === 'message') return stored.get(`${to.type}||${to.id}`) ?? null;
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

/** A destination of what is stored here; null for one of an unknown type. */
function targetOf(text: string): ImportedTarget | null {
  const { type, id } = readReference(text) ?? { type: '', id: '' };
  if (type === 'hours' || type === 'message') return { type, id };
  const known = IvrDestinationType.safeParse(type);
  return known.success ? { type: known.data, id } : null;
}

function drawPart(
  part: FlowPart,
  lineTo: (to: string) => NodeId | null,
  ids: ReadonlyMap<string, NodeId>,
): HoursNode | MessageNode {
  const id = ids.get(`${part.kind}||${part.id}`);
  invariant(id !== undefined, 'every part has a node');
  const place = { x: 0, y: 0 };
  if (part.kind === 'message')
    return {
      ...newMessage(id, part.name, place),
      recording: part.recording === '' ? null : part.recording,
      then: lineTo(part.then),
    };
  const holiday = part.holiday === null ? null : lineTo(part.holiday);
  return {
    ...newHours(id, String(part.hours) === '' ? null : part.hours, place),
    open: lineTo(part.open),
    closed: lineTo(part.closed),
    holiday,
  };
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

/** The other nodes that a node leads to; a menu that leads to itself can still be the first. */
function ledToFrom(node: DraftNode): NodeId[] {
  return linesOfNode(node).flatMap(({ to }) => (to === node.id ? [] : [to]));
}

function documentName(name = ''): string {
  const short = name.slice(0, 100).trim();
  return short === '' ? 'Imported menu' : short;
}

/** A menu that is stored here: its valid body, and the id that other menus refer to it by. */
export interface StoredMenu extends IvrBody {
  readonly id: string;
  readonly speech?: FlowSpeech | undefined;
}

/**
 * A document of menus that are stored here, and of the opening hours and messages that they lead to; their ids become lines.
 *
 * It is spoken as the first of them. They are read like those of a file. There are no warnings: a valid body is complete, and its other fields (version,
 * dates) are not part of a document.
 */
export function drawStoredMenus(menus: readonly StoredMenu[], parts: readonly FlowPart[] = []): IvrDocument {
  const notes = new ImportNotes(new Set(parts.map(({ kind, id }) => `${kind}||${id}`)));
  const bodies = menus.map(({ speech: _speech, ...menu }) => menu);
  const document = drawMenus(
    bodies.map((menu, place) => readMenu({ path: `[${place}]`, fields: { ...menu } }, notes)),
    notes,
    parts,
  );
  const speech = menus[0]?.speech;
  return speech === undefined ? document : { ...document, speech };
}

/** In pixels at 100 %; roomy for what the window draws. */
const room = { first: 240, menuToEnds: 440, endsToMenu: 320, menu: 260, key: 40, end: 100, gap: 60 } as const;

/**
 * Gives every node a position: the caller on the left, each menu one column further than the first menu that leads to
 * it, the destinations of a menu to its right. Menus that no call reaches are below the others.
 *
 * For documents without positions; the window can improve the layout.
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
    for (const { to } of linesOfNode(menu)) {
      const end = nodeOf(document, to);
      if (end?.kind !== 'end' || placed.has(to)) continue;
      place(end, { x: x + room.menuToEnds, y: endY });
      endY += room.end;
    }
    const bottom = Math.max(y + room.menu + (menu.kind === 'menu' ? menu.keys.length : 0) * room.key, endY);
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

/** The smallest number of menus that a call passes before each menu. */
function columns(document: IvrDocument): Map<LeadingNode, number> {
  const column = new Map<LeadingNode, number>();
  const first = nodeOf(document, document.caller.to);
  let reached = first === null || first.kind === 'end' ? [] : [first];
  for (let depth = 0; reached.length > 0; depth += 1) {
    const here = new Set(reached.filter((menu) => !column.has(menu)));
    for (const menu of here) column.set(menu, depth);
    reached = [...here].flatMap(linesOfNode).flatMap(({ to }) => {
      const node = nodeOf(document, to);
      return node === null || node.kind === 'end' ? [] : [node];
    });
  }
  for (const node of Object.values(document.nodes))
    if (node.kind !== 'end' && !column.has(node)) column.set(node, 0);
  return column;
}
