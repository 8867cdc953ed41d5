import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import { headHeight } from '../card-size.ts';
import { type Line, linesOf } from '../edit/lines.ts';
import { nodeOf } from '../node-of.ts';
import { portWord } from './picture-words.ts';
import { boxOf, callerBox, rowMiddle } from './svg-geometry.ts';
import { svgText } from './svg-text.ts';

const colour = '#7b8794';

/** All lines of a drawing that lead to something, then what stands on them, which no line may cover. */
export function svgLines(document: IvrDocument): { readonly lines: string[]; readonly words: string[] } {
  const drawn = linesOf(document).map((line) => drawLine(document, line));
  return { lines: drawn.flatMap(({ line }) => line), words: drawn.flatMap(({ word }) => word) };
}

function drawLine(document: IvrDocument, { from, to }: Line): { line: string[]; word: string[] } {
  const target = nodeOf(document, to);
  const menu = from.kind === 'caller' ? null : nodeOf(document, from.menu);
  if (target === null || menu?.kind === 'end') return { line: [], word: [] };
  const box = menu === null ? callerBox(document) : boxOf(menu);
  const start = {
    x: box.x + box.width,
    y: box.y + (menu === null || from.kind === 'caller' ? box.height / 2 : rowMiddle(menu, from)),
  };
  const end = boxOf(target);
  const endY = end.y + (target.kind === 'end' ? end.height / 2 : headHeight / 2);
  const word = portWord(menu, from);
  const path =
    end.x < start.x + 40
      ? wayBack(start, { x: end.x - 2, y: endY }, Math.min(box.y, end.y), laneOf(from), chipWidth(word))
      : wayOn(start, { x: end.x - 2, y: endY });
  const line = `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5" marker-end="url(#arrow)"/>`;
  return { line: [line], word: menu === null ? [] : [chip(word, start)] };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function wayOn({ x, y }: Point, end: Point): string {
  const bend = Math.max(60, Math.abs(end.x - x) / 2);
  return `M${x} ${y}C${x + bend} ${y} ${end.x - bend} ${end.y} ${end.x} ${end.y}`;
}

/** Above both cards, or it would run under them; each lane a little apart from the next. */
function wayBack({ x, y }: Point, end: Point, cardsTop: number, lane: number, word: number): string {
  const right = x + 8 + word + 14 + lane * 6;
  const top = cardsTop - 22 - lane * 6;
  const left = end.x - 22 - lane * 6;
  return `M${x} ${y}H${right - 8}q8 0 8 -8V${top + 8}q0 -8 -8 -8H${left + 8}q-8 0 -8 8V${end.y - 8}q0 8 8 8H${end.x}`;
}

function laneOf(port: Line['from']): number {
  return port.kind === 'key' ? port.index % 4 : 0;
}

function chipWidth(word: string): number {
  return word.length === 1 ? 22 : 70;
}

/** The key at the beginning of its line. */
function chip(word: string, { x, y }: Point): string {
  const width = chipWidth(word);
  const text = { x: x + 8 + width / 2, y: y + 4.5, width };
  return (
    `<rect x="${x + 8}" y="${y - 11}" width="${width}" height="22" rx="11" fill="#ffffff" stroke="${colour}"/>` +
    svgText(word, text, { size: 12, bold: true, anchor: 'middle' })
  );
}
