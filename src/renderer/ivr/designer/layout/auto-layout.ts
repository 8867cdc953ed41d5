import { Graph, layout } from '@dagrejs/dagre';
import type { IvrDocument, NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import { moveNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { linesOf } from '../../../../core/ivr/edit/lines.ts';
import { callerSize, cardOf, endOf, handleOf, type Size, sizeOf, startsOf } from '../canvas/card-geometry.ts';
import { placeBelow } from './free-place.ts';

const betweenColumns = 112;
/** Includes the line of problems below a card. */
const betweenRows = 40;

/**
 * Finds a place for every card: the caller on the left, then the destinations column by column, without overlaps.
 *
 * dagre finds the columns, also with cycles and lines across several columns. It does not know ports, so the vertical places
 * are computed here: each card as near as possible to the middle of the lines that lead to it.
 */
export function autoLayout(document: IvrDocument): ReadonlyMap<string, Place> {
  const columns = columnsOf(document);
  const places = new Map<string, Place>();
  let x = 0;
  for (const column of columns) {
    const cards = column.map((id) => ({
      id,
      height: sizeFor(document, id).height,
      wanted: wantedTop(document, id, places),
    }));
    for (const { id, top } of stackAt(cards, betweenRows)) places.set(id, { x, y: Math.round(top) });
    x += Math.max(...column.map((id) => sizeFor(document, id).width)) + betweenColumns;
  }
  return places;
}

/**
 * Arranges a call flow in which most cards lie at one place, such as one that a program wrote: one would hide the others. In any other, a person has
 * chosen the places, so only the cards that hide another move, to below it.
 */
export function spreadOut(document: IvrDocument): IvrDocument {
  const cards = [{ id: 'caller', place: document.caller.place }, ...Object.values(document.nodes)];
  const piles = [...Map.groupBy(cards, ({ place: { x, y } }) => `${x} ${y}`).values()];
  if (piles.some(({ length }) => length > 1 && length * 2 > cards.length))
    return moveNodes(document, autoLayout(document));
  const hiding = piles.flatMap(([, ...others]) => others);
  return hiding.reduce(
    (moved, { id, place }) => moveNodes(moved, new Map([[id, placeBelow(moved, place, sizeFor(moved, id))]])),
    document,
  );
}

/** The cards from left to right, in dagre's own order within a column. */
function columnsOf(document: IvrDocument): string[][] {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: betweenRows, ranksep: betweenColumns });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of ['caller', ...Object.keys(document.nodes)])
    graph.setNode(id, { ...sizeFor(document, id) });
  for (const { from, to } of linesOf(document)) {
    const card = cardOf(from);
    if (to in document.nodes && card !== to) graph.setEdge(card, to, {}, handleOf(from));
  }
  layout(graph);

  const columns = new Map<number, { id: string; y: number }[]>();
  for (const id of graph.nodes()) {
    const { y = 0, rank = 0 } = graph.node(id) as { y?: number; rank?: number };
    columns.set(rank, [...(columns.get(rank) ?? []), { id, y }]);
  }
  return [...columns.entries()]
    .sort(([one], [other]) => one - other)
    .map(([, cards]) => cards.sort((one, other) => one.y - other.y).map(({ id }) => id));
}

/** The top at which a card is level with the lines from the columns before; null if there are none. */
function wantedTop(document: IvrDocument, id: string, places: ReadonlyMap<string, Place>): number | null {
  const node = document.nodes[id as NodeId];
  if (node === undefined) return 0;
  const heights: number[] = [];
  for (const { from, to } of linesOf(document)) {
    const place = places.get(cardOf(from));
    if (to !== id || place === undefined) continue;
    const menu = from.kind === 'caller' ? undefined : document.nodes[from.menu];
    const start = menu !== undefined && menu.kind !== 'end' ? startsOf(menu).get(handleOf(from)) : undefined;
    heights.push(place.y + (start?.y ?? callerSize.height / 2));
  }
  if (heights.length === 0) return null;
  return heights.reduce((sum, height) => sum + height, 0) / heights.length - endOf(node).y;
}

function sizeFor(document: IvrDocument, id: string): Size {
  const node = document.nodes[id as NodeId];
  return node === undefined ? callerSize : sizeOf(node);
}

/** A card in a column: its height, and its preferred top, or null. */
export interface Stacked {
  readonly id: string;
  readonly height: number;
  readonly wanted: number | null;
}

/**
 * Stacks the cards of a column without overlaps, each as near to its preferred top as the others allow.
 *
 * Cards that would overlap become a block at the mean of their preferred tops; blocks grow until none overlap. Cards without
 * a preference come below.
 */
function stackAt(cards: readonly Stacked[], gap: number): { readonly id: string; readonly top: number }[] {
  const preferring = cards
    .filter((card): card is Stacked & { wanted: number } => card.wanted !== null)
    .sort((one, other) => one.wanted - other.wanted);
  const blocks: Block[] = [];
  for (const card of preferring) {
    let block: Block = { cards: [card], height: card.height, sum: card.wanted, top: card.wanted };
    for (
      let above = blocks.at(-1);
      above !== undefined && above.top + above.height + gap > block.top;
      above = blocks.at(-1)
    ) {
      blocks.pop();
      block = joined(above, block, gap);
    }
    blocks.push(block);
  }
  const last = blocks.at(-1);
  let top = last === undefined ? 0 : last.top + last.height + gap;
  const stacked = blocks.flatMap((block) => tops(block, gap));
  for (const { id, height } of cards.filter(({ wanted }) => wanted === null)) {
    stacked.push({ id, top });
    top += height + gap;
  }
  return stacked;
}

interface Block {
  readonly cards: readonly Stacked[];
  readonly height: number;
  /** The sum of the tops that the block would have for each of its cards alone. */
  readonly sum: number;
  readonly top: number;
}

function joined(above: Block, below: Block, gap: number): Block {
  const offset = above.height + gap;
  const cards = [...above.cards, ...below.cards];
  const sum = above.sum + below.sum - offset * below.cards.length;
  return { cards, height: offset + below.height, sum, top: sum / cards.length };
}

function tops({ cards, top }: Block, gap: number): { id: string; top: number }[] {
  let at = top;
  return cards.map(({ id, height }) => {
    const placed = { id, top: at };
    at += height + gap;
    return placed;
  });
}
