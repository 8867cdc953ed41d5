/*
 * How large the cards of the canvas are, and where on them lines begin and end, in pixels at 100 %.
 *
 * Computed instead of measured: layout, lines and the overview are right before anything is rendered. `cards.module.css` gets
 * the same numbers as variables.
 */
import { ivrBounds } from '../../../../contract/menu/ivr.ts';
import type { DraftNode, LeadingNode, MenuNode, NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import {
  callerSize,
  endSize,
  headHeight,
  menuWidth,
  rowHeight,
  type Size,
  type Box,
  type Spot,
} from '../../../../core/ivr/drawing/line-path.ts';
import { telephoneKeys } from '../../../../core/ivr/edit/edit-keys.ts';
import { outcomesOf, type Port } from '../../../../core/ivr/edit/lines.ts';

export { callerSize, endSize, headHeight, menuWidth, type Size };

/** The strip of the keys that are not used. */
const stripHeight = 40;
const footHeight = 8;
/** Half the size of the disc that a line begins at, and of the unseen one that it ends at. */
export const portRadius = 6;
export const endRadius = 2;
/** A telephone key on the strip. */
const freeKeyWidth = 24;
const stripPadding = 8;

/** The sizes for `cards.module.css`. */
export const cardVariables: Readonly<Record<`--card-${string}`, string>> = {
  '--card-head': `${headHeight}px`,
  '--card-row': `${rowHeight}px`,
  '--card-strip': `${stripHeight}px`,
  '--card-strip-padding': `${stripPadding}px`,
  '--card-free-key': `${freeKeyWidth}px`,
  '--card-port': `${2 * portRadius}px`,
  '--card-end': `${2 * endRadius}px`,
};

export function sizeOf(node: DraftNode): Size {
  if (node.kind === 'end') return endSize;
  if (node.kind === 'menu') return { width: menuWidth, height: menuHeight(node) };
  // What it says or plays, and its exits.
  return { width: menuWidth, height: headHeight + rowHeight * (outcomesOf(node).length + 1) + footHeight };
}

function menuHeight(menu: MenuNode): number {
  const strip = freeKeys(menu).length === 0 ? 0 : stripHeight;
  // The prompt, the keys, the wrong key and the timeout.
  return headHeight + rowHeight * (menu.keys.length + 3) + strip + footHeight;
}

/** The keys of a menu in the order of a telephone, each with its place in the body; what is no key comes last. */
export function keysInOrder({ keys }: MenuNode): { readonly index: number; readonly key: string }[] {
  const orderOf = (key: string): number => {
    const place = (telephoneKeys as readonly string[]).indexOf(key);
    return place < 0 ? telephoneKeys.length : place;
  };
  return keys
    .map(({ key }, index) => ({ index, key }))
    .sort((one, other) => orderOf(one.key) - orderOf(other.key) || one.index - other.index);
}

/** None where the menu has as many as it can have. */
export function freeKeys({ keys }: MenuNode): string[] {
  if (keys.length >= ivrBounds.options.max) return [];
  return telephoneKeys.filter((free) => !keys.some(({ key }) => key === free));
}

/** Where the lines of a card begin, by the names of `card-geometry.ts`, from the card's upper left corner. */
export function startsOf(menu: LeadingNode): ReadonlyMap<string, Spot> {
  const starts = new Map<string, Spot>();
  const x = menuWidth;
  if (menu.kind !== 'menu') {
    for (const [row, { from }] of outcomesOf(menu).entries())
      starts.set(handleOf(from), { x, y: headHeight + rowHeight * (row + 1.5) });
    return starts;
  }
  let y = headHeight + rowHeight;
  for (const { index } of keysInOrder(menu)) {
    starts.set(`key-${index}`, { x, y: y + rowHeight / 2 });
    y += rowHeight;
  }
  const free = freeKeys(menu);
  for (const [place, key] of free.entries()) {
    const centre = stripPadding + freeKeyWidth * (place + 0.5);
    starts.set(`free-${key}`, { x: centre, y: y + stripHeight / 2 });
  }
  if (free.length > 0) y += stripHeight;
  starts.set('invalid', { x, y: y + rowHeight / 2 });
  starts.set('timeout', { x, y: y + rowHeight * 1.5 });
  return starts;
}

/** Where lines to a card end. */
export function endOf(node: DraftNode): Spot {
  return { x: 0, y: node.kind === 'end' ? endSize.height / 2 : headHeight / 2 };
}

/** What a card covers; no node: the caller's. */
export function boxAt(node: DraftNode | undefined, { x, y }: Place): Box {
  return { x, y, ...(node === undefined ? callerSize : sizeOf(node)) };
}

/** The area that boxes take together. */
export function areaOf(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  };
}

/** What a line can be drawn from: a port that is there, or a key that is not used yet. */
export type LineStart = Port | { readonly kind: 'free-key'; readonly menu: NodeId; readonly key: string };

/** What the canvas library calls the place on a card where a line begins. */
export function handleOf(start: LineStart): string {
  switch (start.kind) {
    case 'key':
      return `key-${start.index}`;
    case 'free-key':
      return `free-${start.key}`;
    case 'caller':
    case 'invalid':
    case 'timeout':
    case 'open':
    case 'closed':
    case 'holiday':
    case 'then':
      return start.kind;
  }
}

/** Which card it is on: a menu's, or the caller's. */
export function cardOf(start: LineStart): string {
  return start.kind === 'caller' ? 'caller' : start.menu;
}

/** Those of which a card has one. */
const namedPorts = ['invalid', 'timeout', 'open', 'closed', 'holiday', 'then'] as const;

/** Reads what the canvas library tells of a place back; undefined where no line begins. */
export function readHandle(card: string, handle: string | null | undefined): LineStart | undefined {
  if (handle === 'caller') return { kind: 'caller' };
  const menu = card as NodeId;
  const named = namedPorts.find((one) => one === handle);
  if (named !== undefined) return { kind: named, menu };
  const [, kind, rest = ''] = /^(key|free)-(.+)$/.exec(handle ?? '') ?? [];
  if (kind === 'key') return { kind: 'key', menu, index: Number(rest) };
  return kind === 'free' ? { kind: 'free-key', menu, key: rest } : undefined;
}

/** What a line is called on the canvas: it is the only one of its port. */
export function lineId(start: LineStart): string {
  return `${cardOf(start)}:${handleOf(start)}`;
}
