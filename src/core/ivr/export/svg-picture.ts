import type { DraftNode, IvrDocument, LeadingNode, NodeId } from '../../../contract/menu/ivr-draft.ts';
import {
  callerSize,
  endSize,
  headHeight,
  menuWidth,
  rowHeight,
  type Box,
  linePath,
  type Spot,
} from '../drawing/line-path.ts';
import { LaneFinder } from '../drawing/lane-finder.ts';
import { type Line, linesOf, nodeOf, type NodePort, outcomesOf } from '../edit/lines.ts';
import { type Mark, type PictureLabels, labelOfPort } from './picture-labels.ts';

/** Space for lines that lead around the outermost cards. */
const margin = 64;
const titleHeight = 56;

/**
 * A picture of a call flow for documentation: everything at its position, on white, with the keys on the lines.
 *
 * It is self-contained: no script, style sheet, font or image from elsewhere. `marked`: the nodes that differ from an
 * older or newer version. `isThemed`: for a window, where it is dark in the dark theme.
 */
export function svgPicture(
  document: IvrDocument,
  labels: PictureLabels,
  {
    marked = new Map(),
    isThemed = false,
  }: { readonly marked?: ReadonlyMap<NodeId, Mark>; readonly isThemed?: boolean } = {},
): string {
  const bounds = boundsOf(document);
  const x = bounds.x - margin;
  const y = bounds.y - margin - titleHeight;
  const width = bounds.width + 2 * margin;
  const height = bounds.height + 2 * margin + titleHeight;
  const { lines, chips } = svgLines(document, labels);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" ` +
      'role="img" aria-labelledby="name" font-family="Helvetica, Arial, \'Noto Sans\', sans-serif">',
    `<title id="name">${xmlText(document.name)}</title>`,
    ...(isThemed ? [darkStyle()] : []),
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">' +
      '<path d="M0 0L8 4L0 8Z" fill="#7b8794"/></marker></defs>',
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#ffffff"/>`,
    svgText(
      document.name,
      { x: bounds.x, y: y + margin + 12, width: bounds.width },
      { size: 24, bold: true },
    ),
    ...lines,
    callerCard(document, labels),
    ...Object.values(document.nodes).map((node) =>
      nodeCard(document, node, { labels, mark: marked.get(node.id) }),
    ),
    ...chips,
    '</svg>',
    '',
  ].join('\n');
}

const marks: Readonly<Record<Mark, { readonly colour: string; readonly dashes: string }>> = {
  added: { colour: '#15803d', dashes: '' },
  changed: { colour: '#b45309', dashes: '' },
  removed: { colour: '#b91c1c', dashes: ' stroke-dasharray="6 4"' },
};
const border = '#9aa5b1';

/** What each colour is in the dark theme. */
const darkColours: Readonly<Record<string, string>> = {
  '#ffffff': '#171a23',
  '#f0f4f8': '#23264a',
  '#e8f0fe': '#23264a',
  '#e4e7eb': '#2a2f3d',
  '#9aa5b1': '#6b7489',
  '#7b8794': '#a3abbd',
  '#15803d': '#5bd096',
  '#b45309': '#ecb54d',
  '#b91c1c': '#ff8d93',
  '#1f2933': '#eceef4',
  '#52606d': '#a3abbd',
};

/** In an image, this asks for the colour scheme of the element that shows it. */
function darkStyle(): string {
  const rules = Object.entries(darkColours).map(
    ([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`,
  );
  return `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`;
}

function callerCard(document: IvrDocument, labels: PictureLabels): string {
  const box = callerBox(document);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 + 5, width: box.width };
  return `<g>${frame(box, 28, '#f0f4f8', undefined)}${svgText(labels.caller, at, { size: 15, bold: true, anchor: 'middle' })}</g>`;
}

/** A node. A mark has a colour and a word, because a print may be black and white. */
function nodeCard(
  document: IvrDocument,
  node: DraftNode,
  { labels, mark }: { readonly labels: PictureLabels; readonly mark: Mark | undefined },
): string {
  const box = boxOf(node);
  const content =
    node.kind === 'end' ? endContent(labels.end(node), box) : cardContent(document, node, { box, labels });
  return (
    `<g><title>${xmlText(nodeName(node, labels))}</title>` +
    frame(box, 10, '#ffffff', mark) +
    content +
    (mark === undefined ? '' : flag(box, mark, labels)) +
    '</g>'
  );
}

function cardContent(
  document: IvrDocument,
  node: LeadingNode,
  { box: { x, y, width }, labels }: { readonly box: Box; readonly labels: PictureLabels },
): string {
  const headEnd = y + headHeight;
  return [
    `<path d="M${x + 1} ${headEnd}V${y + 10}q0 -9 9 -9H${x + width - 10}q9 0 9 9V${headEnd}Z" fill="#e8f0fe"/>`,
    svgText(labels.menuTitle(node), { x: x + 16, y: y + 30, width: width - 32 }, { size: 16, bold: true }),
    svgText(
      labels.menuLine(node),
      { x: x + 16, y: headEnd + 21, width: width - 32 },
      { size: 13, colour: faint },
    ),
    ...outcomesOf(node).flatMap(({ from, to }) => {
      const middle = y + rowMiddle(node, from);
      return [
        `<path d="M${x} ${middle - rowHeight / 2}H${x + width}" stroke="#e4e7eb"/>`,
        svgText(
          labelOfPort(node, from, labels),
          { x: x + 16, y: middle + 5, width: 80 },
          { size: 13, bold: true },
        ),
        svgText(
          leadsTo(document, to, labels),
          { x: x + 104, y: middle + 5, width: width - 120 },
          { size: 13, colour: to === null ? '#b91c1c' : ink },
        ),
      ];
    }),
  ].join('');
}

function endContent({ kind, which }: ReturnType<PictureLabels['end']>, { x, y, width, height }: Box): string {
  const room = { x: x + 16, width: width - 32 };
  return which === ''
    ? svgText(kind, { ...room, y: y + height / 2 + 5 }, { size: 15, bold: true })
    : svgText(kind, { ...room, y: y + 23 }, { size: 13, colour: faint }) +
        svgText(which, { ...room, y: y + 43 }, { size: 15, bold: true });
}

function leadsTo(document: IvrDocument, to: NodeId | null, labels: PictureLabels): string {
  const node = nodeOf(document, to);
  return node === null ? labels.noDestination : nodeName(node, labels);
}

function nodeName(node: DraftNode, labels: PictureLabels): string {
  if (node.kind !== 'end') return labels.menuTitle(node);
  const { kind, which } = labels.end(node);
  return `${kind} ${which}`.trim();
}

function frame({ x, y, width, height }: Box, radius: number, fill: string, mark: Mark | undefined): string {
  const { colour, dashes } = mark === undefined ? { colour: border, dashes: '' } : marks[mark];
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" ` +
    `stroke="${colour}" stroke-width="${mark === undefined ? 1 : 2.5}"${dashes}/>`
  );
}

function flag({ x, y, width }: Box, mark: Mark, labels: PictureLabels): string {
  const { colour } = marks[mark];
  return (
    `<rect x="${x + width - 84}" y="${y - 12}" width="72" height="22" rx="11" fill="${colour}"/>` +
    svgText(
      labels.marks[mark],
      { x: x + width - 48, y: y + 3, width: 72 },
      { size: 12, bold: true, colour: '#ffffff', anchor: 'middle' },
    )
  );
}

const colour = '#7b8794';

/** All connected lines, then their labels, which no line may cover. */
function svgLines(
  document: IvrDocument,
  labels: PictureLabels,
): { readonly lines: string[]; readonly chips: string[] } {
  const lanes = new LaneFinder([callerBox(document), ...Object.values(document.nodes).map(boxOf)]);
  const drawn = linesOf(document).map((line) => drawLine(document, line, { lanes, labels }));
  return { lines: drawn.flatMap(({ line }) => line), chips: drawn.flatMap(({ word }) => word) };
}

function drawLine(
  document: IvrDocument,
  { from, to }: Line,
  { lanes, labels }: { readonly lanes: LaneFinder; readonly labels: PictureLabels },
): { line: string[]; word: string[] } {
  const target = nodeOf(document, to);
  const menu = from.kind === 'caller' ? null : nodeOf(document, from.menu);
  if (target === null || menu?.kind === 'end') return { line: [], word: [] };
  const box = menu === null ? callerBox(document) : boxOf(menu);
  const start = {
    x: box.x + box.width,
    y: box.y + (menu === null || from.kind === 'caller' ? box.height / 2 : rowMiddle(menu, from)),
  };
  const led = boxOf(target);
  const end = {
    x: led.x - 2,
    y: led.y + (target.kind === 'end' ? led.height / 2 : headHeight / 2),
  };
  const word = labelOfPort(menu, from, labels);
  const turns = { out: 8 + chipWidth(word) + 6, in: 20 };
  const path = linePath(start, end, lanes.find(start, end, turns));
  const line = `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5" marker-end="url(#arrow)"/>`;
  return { line: [line], word: menu === null ? [] : [chip(word, start)] };
}

function chipWidth(word: string): number {
  return word.length === 1 ? 22 : 70;
}

/** The key at the start of its line. */
function chip(word: string, { x, y }: Spot): string {
  const width = chipWidth(word);
  const text = { x: x + 8 + width / 2, y: y + 4.5, width };
  return (
    `<rect x="${x + 8}" y="${y - 11}" width="${width}" height="22" rx="11" fill="#ffffff" stroke="${colour}"/>` +
    svgText(word, text, { size: 12, bold: true, anchor: 'middle' })
  );
}

function boxOf(node: DraftNode): Box {
  return node.kind === 'end'
    ? { ...node.place, ...endSize }
    : { ...node.place, width: menuWidth, height: headHeight + rowHeight * (outcomesOf(node).length + 1) };
}

function callerBox({ caller }: IvrDocument): Box {
  return { ...caller.place, ...callerSize };
}

/** The vertical centre of an outcome's row, below the upper edge of the card; the prompt has the first row. */
function rowMiddle(node: LeadingNode, port: NodePort): number {
  const index = port.kind === 'key' ? port.index : null;
  const row = outcomesOf(node).findIndex(
    ({ from }) => from.kind === port.kind && (from.kind !== 'key' || from.index === index),
  );
  return headHeight + rowHeight * (row + 1.5);
}

/** The space that lines need to the right of a menu: for their labels, and the bend of those that lead back. */
const linesRoom = 112;

/** The smallest rectangle around everything in the picture. */
function boundsOf(document: IvrDocument): Box {
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

export interface TextStyle {
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: string;
  readonly anchor?: 'start' | 'middle';
}

/** A line of text at a position, cut off where it would be wider than `width`. Widths are estimated, not measured. */
function svgText(
  text: string,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
  { size, bold = false, colour = ink, anchor = 'start' }: TextStyle,
): string {
  const weight = bold ? ' font-weight="600"' : '';
  const middle = anchor === 'middle' ? ' text-anchor="middle"' : '';
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}"${weight}${middle}>${xmlText(cut(text, width / size))}</text>`;
}

const ink = '#1f2933';
const faint = '#52606d';

/** `room` is in widths of the letter M; most letters need a little more than half of it. */
function cut(text: string, room: number): string {
  const units = Array.from(text.replace(/\s+/g, ' ').trim());
  let taken = 0;
  for (const [place, unit] of units.entries()) {
    taken += wide.test(unit) ? 1.05 : 0.58;
    if (taken > room) return `${units.slice(0, Math.max(0, place - 1)).join('')}…`;
  }
  return units.join('');
}

const wide =
  /[\p{scx=Han}\p{scx=Hangul}\p{scx=Hiragana}\p{scx=Katakana}\p{Emoji_Presentation}MW\uff01-\uff60]/u;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * A text for XML, between tags and in attributes.
 *
 * Characters that XML 1.0 (2.2, "Characters") does not allow, not even escaped, become U+FFFD. Line breaks and tabs
 * become spaces, as in an attribute.
 */
function xmlText(text: string): string {
  return text
    .replace(/[\t\n\r\u0085\u2028\u2029]/g, ' ')
    .replace(/[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
