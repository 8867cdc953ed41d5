import type { IvrDocument, NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import { addKey, changeKey } from '../../../../core/ivr/edit/edit-keys.ts';
import {
  changeMenu,
  freeMenuName,
  freeNodeId,
  newEnd,
  newMenu,
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

/** Adds a new card; the caller is connected to the first menu, unless it is connected already. */
export function placePart(
  document: IvrDocument,
  part: NodePart,
  place: Place,
): Placed & { readonly id: NodeId } {
  const id = freeNodeId(document, part.kind);
  const node =
    part.kind === 'menu'
      ? newMenu(id, freeMenuName(document), wholePlace(place))
      : newEnd(id, part.type, part.ref, wholePlace(place));
  const placed = putNode(document, node);
  const isFirst = part.kind === 'menu' && document.caller.to === null && !hasMenu(document);
  return {
    document: isFirst ? connect(placed, { kind: 'caller' }, id) : placed,
    select: new Set([id]),
    id,
  };
}

/** Adds a menu beside the first one and moves the focus to its name; the caller is connected to the first. */
export function addMenu(store: DesignerStore): void {
  const { document } = store.state();
  const place = placeBeside(document, document.caller.to, 'menu');
  const { document: placed, select, id } = placePart(document, { kind: 'menu' }, place);
  store.edit(editText.addMenu, () => placed, { select });
  store.requestFocus(`nodes.${id}.name`);
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

function hasMenu({ nodes }: IvrDocument): boolean {
  return Object.values(nodes).some(({ kind }) => kind === 'menu');
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
  if (menu?.kind !== 'menu') return document;
  const recording = `recording||${id}`;
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
      return document;
  }
}
