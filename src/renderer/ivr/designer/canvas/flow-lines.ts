import type { Edge } from '@xyflow/react';
import type { IvrDocument, NodeId } from '../../../../contract/menu/ivr-draft.ts';
import { LaneFinder } from '../../../../core/ivr/drawing/lane-finder.ts';
import { type Box, type Lane, linePath, type Spot } from '../../../../core/ivr/drawing/line-path.ts';
import { type Line, linesOf, type Port } from '../../../../core/ivr/edit/lines.ts';
import type { LitPath } from '../designer-store.ts';
import {
  boxAt,
  callerSize,
  cardOf,
  endOf,
  endRadius,
  handleOf,
  lineId,
  portRadius,
  startsOf,
} from './card-geometry.ts';
import { canvasText } from '../../../../text/menu/designer-canvas.ts';

interface LineData extends Record<string, unknown> {
  readonly from: Port;
  readonly isLit: boolean;
  readonly way: LineWay;
}
export type LineEdge = Edge<LineData, 'line'>;

/** What the lines show besides the document. */
interface LinesShown {
  readonly selected: string | null;
  readonly lit: LitPath | null;
  readonly nameOf: (id: string) => string;
}

/**
 * Makes the lines of a document for the canvas library: one for each port that leads to an existing card.
 *
 * Invariant: a line that shows the same is the same object.
 */
export class FlowLines {
  #document: IvrDocument | null = null;
  #ways: ReadonlyMap<string, LineWay> = new Map();
  #lines = new Map<string, LineEdge>();

  of(document: IvrDocument, shown: LinesShown): LineEdge[] {
    if (document !== this.#document) {
      this.#document = document;
      this.#ways = waysOf(document, this.#ways);
    }
    const before = this.#lines;
    this.#lines = new Map();
    const litIds = new Set(shown.lit?.lines.map(lineId));
    for (const line of linesOf(document)) {
      const id = lineId(line.from);
      const way = this.#ways.get(id);
      if (way === undefined) continue;
      const edge = edgeFor(line, { ...shown, id, way, isLit: litIds.has(id) });
      const known = before.get(id);
      this.#lines.set(id, known !== undefined && isSame(known, edge) ? known : edge);
    }
    return [...this.#lines.values()];
  }
}

function edgeFor(
  { from, to }: Line,
  { id, way, isLit, selected, nameOf }: LinesShown & { id: string; way: LineWay; isLit: boolean },
): LineEdge {
  const isSelected = id === selected;
  return {
    id,
    type: 'line',
    source: cardOf(from),
    sourceHandle: handleOf(from),
    target: to,
    targetHandle: 'in',
    selected: isSelected,
    // A selected or lit line is drawn above the others.
    zIndex: isLit || isSelected ? 1 : 0,
    reconnectable: 'target',
    ariaLabel: canvasText.line(nameOf(cardOf(from)), nameOf(to)),
    data: { from, isLit, way },
  };
}

function isSame(one: LineEdge, other: LineEdge): boolean {
  return (
    one.target === other.target &&
    one.selected === other.selected &&
    one.data?.isLit === other.data?.isLit &&
    one.data?.way === other.data?.way &&
    one.ariaLabel === other.ariaLabel
  );
}

/** Where a line leads while its cards are where the document has them. */
export interface LineWay {
  readonly start: Spot;
  readonly end: Spot;
  /** Around what it leads; null: it is a curve. */
  readonly lane: Lane | null;
  /** The cards at its two ends. */
  readonly cards: readonly [Box, Box];
}

/** The line ends where the point of its arrow begins. */
const arrowLength = 6;
const turns = { out: 28, in: 28 - arrowLength };
const callerPort = { x: callerSize.width, y: callerSize.height / 2 };

/** The ways of all lines that lead to something, by the lines' ids; one that is the same as before is the same object. */
export function waysOf(
  document: IvrDocument,
  before: ReadonlyMap<string, LineWay>,
): ReadonlyMap<string, LineWay> {
  const boxesById = boxesOf(document);
  const lanes = new LaneFinder([...boxesById.values()]);
  const starts = new Map<string, ReadonlyMap<string, Spot>>();
  const ways = new Map<string, LineWay>();
  for (const { from, to } of linesOf(document)) {
    const card = cardOf(from);
    const menu = document.nodes[card as NodeId];
    const target = document.nodes[to];
    const [startCard, endCard] = [boxesById.get(card), boxesById.get(to)];
    if (startCard === undefined || endCard === undefined || target === undefined) continue;
    if (menu !== undefined && menu.kind !== 'end' && !starts.has(card)) starts.set(card, startsOf(menu));
    const port = added(startCard, starts.get(card)?.get(handleOf(from)) ?? callerPort);
    const tip = added(endCard, endOf(target));
    // The canvas library has lines begin and end at the outer edge of their discs.
    const start = { x: port.x + portRadius, y: port.y };
    const end = { x: tip.x - endRadius - arrowLength, y: tip.y };
    const way = { start, end, lane: lanes.find(start, end, turns), cards: [startCard, endCard] } as const;
    const id = lineId(from);
    const known = before.get(id);
    ways.set(id, known !== undefined && isSameWay(known, way) ? known : way);
  }
  return ways;
}

/**
 * The line as an SVG path, from a port to the tip of its arrow, wherever the two are now.
 *
 * While a card is dragged its lines know only the two cards that they join; the way around other cards is found when the
 * card is dropped.
 */
export function pathNow({ start, end, lane, cards }: LineWay, port: Spot, tip: Spot): string {
  const target = { x: tip.x - arrowLength, y: tip.y };
  if (isNear(port, start) && isNear(target, end)) return linePath(start, end, lane);
  const joined = [shifted(cards[0], start, port), shifted(cards[1], end, target)];
  return linePath(port, target, new LaneFinder(joined).find(port, target, turns));
}

function boxesOf({ caller, nodes }: IvrDocument): ReadonlyMap<string, Box> {
  return new Map([
    ['caller', boxAt(undefined, caller.place)],
    ...Object.values(nodes).map((node) => [node.id, boxAt(node, node.place)] as const),
  ]);
}

function added(one: Spot, other: Spot): Spot {
  return { x: one.x + other.x, y: one.y + other.y };
}

function shifted(box: Box, from: Spot, to: Spot): Box {
  return { ...box, x: box.x + to.x - from.x, y: box.y + to.y - from.y };
}

function isSameWay(one: LineWay, other: LineWay): boolean {
  return (
    isSameSpot(one.start, other.start) &&
    isSameSpot(one.end, other.end) &&
    one.lane?.y === other.lane?.y &&
    one.lane?.leave === other.lane?.leave &&
    one.lane?.arrive === other.lane?.arrive &&
    one.cards.every(({ height }, place) => height === other.cards[place]?.height)
  );
}

/** The canvas library measures the page, which is a fraction of a pixel off at a small zoom. */
function isNear(one: Spot, other: Spot): boolean {
  return Math.abs(one.x - other.x) < 2 && Math.abs(one.y - other.y) < 2;
}

function isSameSpot(one: Spot, other: Spot): boolean {
  return one.x === other.x && one.y === other.y;
}
