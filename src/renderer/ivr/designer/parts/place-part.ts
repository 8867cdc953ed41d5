import type { DraftNode, IvrDocument, NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import { unreachable } from '../../../../core/unreachable.ts';
import { addKey, changeKey } from '../../../../core/ivr/edit/edit-keys.ts';
import {
  changeMenu,
  changeMessage,
  freeNodeId,
  freeNodeName,
  newEnd,
  newHours,
  newMenu,
  newMessage,
  pasteNodes,
  putNode,
} from '../../../../core/ivr/edit/edit-nodes.ts';
import { connect } from '../../../../core/ivr/edit/lines.ts';
import { areaOf, boxAt, type LineStart, type Size } from '../canvas/card-geometry.ts';
import { editText } from '../../../../text/menu/designer.ts';
import type { DesignerStore } from '../designer-store.ts';
import { placeBeside } from '../layout/free-place.ts';
import type { NodePart } from './part-groups.ts';

/** A document after something was added, and what to select. */
export interface Placed {
  readonly document: IvrDocument;
  readonly select: ReadonlySet<string>;
}

/** Adds a new card; the caller is connected to the first one that leads on, unless it is connected already. */
export function placePart(
  document: IvrDocument,
  part: NodePart,
  place: Place,
): Placed & { readonly id: NodeId } {
  const node = newNode(document, part, wholePlace(place));
  const { id } = node;
  const placed = putNode(document, node);
  const isFirst = part.kind !== 'end' && document.caller.to === null && !hasStart(document);
  return {
    document: isFirst ? connect(placed, { kind: 'caller' }, id) : placed,
    select: new Set([id]),
    id,
  };
}

/** A part as a node of the document, with a name and an id that are free. */
export function newNode(document: IvrDocument, part: NodePart, place: Place): DraftNode {
  const id = freeNodeId(document, part.kind);
  switch (part.kind) {
    case 'menu':
      return newMenu(id, freeNodeName(document, 'Menu'), place);
    case 'hours':
      return newHours(id, part.hours, place);
    case 'message':
      return newMessage(id, freeNodeName(document, 'Message'), place);
    case 'end':
      return newEnd(id, part.type, part.ref, place);
    default:
      return unreachable(part);
  }
}

/** What undo calls the addition of each. */
export const addEdits = {
  menu: editText.addMenu,
  hours: editText.addHours,
  message: editText.addMessage,
  end: editText.addDestination,
} as const satisfies Readonly<Record<DraftNode['kind'], string>>;

/** The field of a new node that is filled in first; null where nothing is missing. */
export function firstNeed(part: NodePart): 'name' | 'ref' | 'hours' | null {
  switch (part.kind) {
    case 'menu':
    case 'message':
      return 'name';
    case 'hours':
      return part.hours === null ? 'hours' : null;
    case 'end':
      return part.type !== 'hangup' && part.ref === '' ? 'ref' : null;
    default:
      return unreachable(part);
  }
}

/** Adds a part beside the first one and moves the focus to its first field; the caller is connected to the first. */
export function addBeside(store: DesignerStore, part: NodePart): void {
  const { document } = store.state();
  const place = placeBeside(document, document.caller.to, part.kind);
  const { document: placed, select, id } = placePart(document, part, place);
  store.edit(addEdits[part.kind], () => placed, { select });
  store.requestFocus(`nodes.${id}.${firstNeed(part) ?? 'hours'}`);
}

/** Adds a new card where a line was dropped, and connects the line to it. */
export function placeAtLine(document: IvrDocument, from: LineStart, part: NodePart, place: Place): Placed {
  const placed = placePart(document, part, place);
  return { document: drawLine(placed.document, from, placed.id), select: placed.select };
}

/** Adds a line; from a key that is not used yet, the key is added. */
export function drawLine(document: IvrDocument, from: LineStart, to: NodeId): IvrDocument {
  return from.kind === 'free-key'
    ? addKey(document, from.menu, { key: from.key, to })
    : connect(document, from, to);
}

/** Adds all parts of a template, its upper left corner at a place; a caller without a line is connected to its first menu. */
export function placeTemplate(document: IvrDocument, template: IvrDocument, place: Place): Placed {
  const nodes = Object.values(template.nodes);
  const left = Math.min(...nodes.map((node) => node.place.x));
  const top = Math.min(...nodes.map((node) => node.place.y));
  const pasted = pasteNodes(document, nodes, { x: place.x - left, y: place.y - top });
  const first = nodes.findIndex(({ id }) => id === template.caller.to);
  const start = [...pasted.ids][first];
  const isFree = document.caller.to === null && start !== undefined;
  const prompts = document.prompts ?? template.prompts;
  const placed = { ...pasted.document, ...(prompts === undefined ? {} : { prompts }) };
  return {
    document: isFree ? connect(placed, { kind: 'caller' }, start) : placed,
    select: pasted.ids,
  };
}

/** How much room the parts of a template take. */
export function templateSize({ nodes }: IvrDocument): Size {
  return areaOf(Object.values(nodes).map((node) => boxAt(node, node.place)));
}

function hasStart({ nodes }: IvrDocument): boolean {
  return Object.values(nodes).some(({ kind }) => kind !== 'end');
}

function wholePlace({ x, y }: Place): Place {
  return { x: Math.round(x), y: Math.round(y) };
}

/** Where on a menu's card something was dropped: on one of its exits, or on the card itself. */
export type MenuSpot = LineStart | { readonly kind: 'card'; readonly menu: NodeId };

/**
 * Gives a menu a recording: its prompt, or what plays after a wrong key or a timeout, depending on where it was dropped.
 *
 * A timeout has two recordings: the one before a retry is set too if it is empty.
 */
export function giveRecording(document: IvrDocument, spot: MenuSpot, id: string): IvrDocument {
  if (spot.kind === 'caller') return document;
  const menu = document.nodes[spot.menu];
  const recording = `recording||${id}`;
  if (menu?.kind === 'message') return changeMessage(document, menu.id, { recording });
  if (menu?.kind !== 'menu') return document;
  switch (spot.kind) {
    case 'invalid':
      return changeMenu(document, menu.id, { invalid_recording: recording });
    case 'timeout':
      return changeMenu(document, menu.id, {
        timeout_recording: recording,
        timeout_retry_recording: menu.timeout_retry_recording ?? recording,
      });
    case 'card':
    case 'key':
    case 'free-key':
      return changeMenu(document, menu.id, { recording });
    // Not of a menu.
    case 'open':
    case 'closed':
    case 'holiday':
    case 'then':
      return document;
  }
}

/** Gives a key an SMS template; nothing else takes one. A key that is not used yet is added. */
export function giveSmsTemplate(document: IvrDocument, spot: MenuSpot, id: string): IvrDocument {
  switch (spot.kind) {
    case 'key':
      return changeKey(document, spot.menu, spot.index, { sms_template: id });
    case 'free-key': {
      const menu = document.nodes[spot.menu];
      const index = menu?.kind === 'menu' ? menu.keys.length : 0;
      return changeKey(addKey(document, spot.menu, { key: spot.key }), spot.menu, index, {
        sms_template: id,
      });
    }
    case 'caller':
    case 'card':
    case 'invalid':
    case 'timeout':
    case 'open':
    case 'closed':
    case 'holiday':
    case 'then':
      return document;
  }
}
