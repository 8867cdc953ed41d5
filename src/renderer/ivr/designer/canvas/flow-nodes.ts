import { type Node, Position } from '@xyflow/react';
import type {
  DraftNode,
  EndNode,
  HoursNode,
  IvrDocument,
  MenuNode,
  MessageNode,
  Place,
} from '../../../../contract/menu/ivr-draft.ts';
import type { LitPath, Selection } from '../designer-store.ts';
import {
  callerSize,
  cardOf,
  endOf,
  endRadius,
  handleOf,
  portRadius,
  sizeOf,
  startsOf,
} from './card-geometry.ts';
import type { CardContent } from './card-content.ts';
import { cardText } from '../../../../text/menu/designer-canvas.ts';
import type { IvrProblem } from '../../../../contract/menu/ivr-problem.ts';
import { severities } from '../../../../core/ivr/finding-severity.ts';
import { findingSentence } from '../../../../text/menu/flow-findings.ts';

export interface CardData extends Record<string, unknown> {
  readonly marks: CardMarks | undefined;
  /** Whether the test call came through here, or is here. */
  readonly lit: 'no' | 'through' | 'here';
  /** The ports that the call took, by their handles, joined by spaces. */
  readonly litPorts: string;
}
export type CallerCardNode = Node<CardData, 'caller'>;
export type MenuCardNode = Node<
  CardData & { readonly menu: MenuNode; readonly content: CardContent },
  'menu'
>;
export type EndCardNode = Node<CardData & { readonly end: EndNode; readonly content: CardContent }, 'end'>;
/** Opening hours, or a message. */
export type PartCardNode = Node<
  CardData & { readonly part: HoursNode | MessageNode; readonly content: CardContent },
  'part'
>;
export type CardNode = CallerCardNode | MenuCardNode | EndCardNode | PartCardNode;

/** What the cards show besides the document. */
export interface Shown {
  readonly document: IvrDocument;
  readonly selection: Selection;
  readonly lit: LitPath | null;
  readonly marks: ReadonlyMap<string, CardMarks>;
  readonly contents: ReadonlyMap<string, CardContent>;
  /** Where cards are that are being moved. */
  readonly moved: ReadonlyMap<string, Place>;
}

/**
 * Makes the cards of a document for the canvas library.
 *
 * Invariant: a card that shows the same is the same object, so that of 200 cards only the changed one is rendered again.
 */
export class FlowNodes {
  #cards = new Map<string, { readonly key: readonly unknown[]; readonly card: CardNode }>();

  of(shown: Shown): CardNode[] {
    const { document } = shown;
    const before = this.#cards;
    this.#cards = new Map();
    const make = (id: string, node: DraftNode | null, drawn: Place): CardNode => {
      const place = shown.moved.get(id) ?? drawn;
      const content = shown.contents.get(id);
      const marks = shown.marks.get(id);
      const lit = litOf(shown.lit, id);
      const litPorts = litPortsOf(shown.lit, id);
      const isSelected = shown.selection.has(id);
      const key = [node, place.x, place.y, isSelected, lit, litPorts, content, marks];
      const known = before.get(id);
      const isSame = known?.key.every((part, index) => part === key[index]) ?? false;
      const entry =
        known !== undefined && isSame
          ? known
          : { key, card: cardFor(id, node, { place, content, marks, lit, litPorts, isSelected }) };
      this.#cards.set(id, entry);
      return entry.card;
    };
    return [
      make('caller', null, document.caller.place),
      ...Object.values(document.nodes).map((node) => make(node.id, node, node.place)),
    ];
  }
}

function cardFor(
  id: string,
  node: DraftNode | null,
  shown: {
    readonly place: Place;
    readonly content: CardContent | undefined;
    readonly marks: CardMarks | undefined;
    readonly lit: CardData['lit'];
    readonly litPorts: string;
    readonly isSelected: boolean;
  },
): CardNode {
  const { place, content, marks, lit, litPorts, isSelected } = shown;
  const size = node === null ? callerSize : sizeOf(node);
  const common = {
    id,
    position: { x: place.x, y: place.y },
    selected: isSelected,
    ...size,
    measured: { ...size },
    handles: handlesOf(node),
    ariaLabel: labelFor(content, marks),
  };
  const data = { marks, lit, litPorts };
  if (node === null || content === undefined) return { ...common, type: 'caller', data };
  if (node.kind === 'end') return { ...common, type: 'end', data: { ...data, end: node, content } };
  if (node.kind === 'menu') return { ...common, type: 'menu', data: { ...data, menu: node, content } };
  return { ...common, type: 'part', data: { ...data, part: node, content } };
}

/** Where lines begin and end, so that the library need not measure the page. */
function handlesOf(node: DraftNode | null): NonNullable<CardNode['handles']> {
  const source = (id: string, x: number, y: number) =>
    ({ id, type: 'source', position: Position.Right, ...square(x, y, portRadius) }) as const;
  if (node === null) return [source('caller', callerSize.width, callerSize.height / 2)];
  const { x, y } = endOf(node);
  const end = { id: 'in', type: 'target', position: Position.Left, ...square(x, y, endRadius) } as const;
  if (node.kind === 'end') return [end];
  return [end, ...[...startsOf(node)].map(([id, spot]) => source(id, spot.x, spot.y))];
}

function square(x: number, y: number, radius: number) {
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

function labelFor(content: CardContent | undefined, marks: CardMarks | undefined): string {
  const name = content === undefined ? cardText.caller : cardText.label(content.kind, content.name);
  return marks === undefined ? name : cardText.withProblems(name, marks.messages);
}

function litOf(lit: LitPath | null, id: string): CardData['lit'] {
  if (lit?.at === id) return 'here';
  return lit?.nodes.has(id) === true ? 'through' : 'no';
}

function litPortsOf(lit: LitPath | null, id: string): string {
  if (lit === null) return '';
  return lit.lines
    .filter((port) => cardOf(port) === id)
    .map(handleOf)
    .join(' ');
}

/** The problems of a card. */
export interface CardMarks {
  /** The worst of them. */
  readonly severity: IvrProblem['severity'];
  readonly messages: readonly string[];
  /** The worst at each part of the card: a handle (`card-geometry.ts`), `prompt` or `name`. */
  readonly parts: Readonly<Record<string, IvrProblem['severity']>>;
}

/** The problems of each card; those of the call flow as a whole are the caller's. */
export function marksOf(problems: readonly IvrProblem[]): ReadonlyMap<string, CardMarks> {
  const marks = new Map<string, CardMarks>();
  for (const problem of problems) {
    if (problem.scenario !== null) continue; // shown in the list of scenarios
    const card = problem.node ?? 'caller';
    const known = marks.get(card);
    const part = partOf(problem.path);
    marks.set(card, {
      severity: worse(known?.severity, problem.severity),
      messages: [...(known?.messages ?? []), findingSentence(problem)],
      parts: { ...known?.parts, [part]: worse(known?.parts[part], problem.severity) },
    });
  }
  return marks;
}

function worse(
  known: IvrProblem['severity'] | undefined,
  other: IvrProblem['severity'],
): IvrProblem['severity'] {
  return known !== undefined && severities.indexOf(known) <= severities.indexOf(other) ? known : other;
}

/** The part of a card that a path into the document is about. */
function partOf(path: string): string {
  const [, field = '', place] = /^nodes\.[^.]+\.([a-z_]+)(?:\.(\d+))?/.exec(path) ?? [];
  if (field === 'keys') return place === undefined ? 'keys' : `key-${place}`;
  if (field.startsWith('invalid') || field === 'incorrect_count') return 'invalid';
  if (field === 'recording' || field === 'timeout') return 'prompt';
  if (field === 'open' || field === 'closed' || field === 'holiday' || field === 'then') return field;
  return field.startsWith('timeout') ? 'timeout' : 'name';
}
