import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import { headHeight } from '../drawing/card-size.ts';
import { LaneFinder } from '../drawing/lane-finder.ts';
import { linePath, type Spot } from '../drawing/line-path.ts';
import { type Line, linesOf } from '../edit/lines.ts';
import { nodeOf } from '../node-of.ts';
import { portWord } from './picture-words.ts';
import { boxOf, callerBox, rowMiddle } from './svg-geometry.ts';
import { svgText } from './svg-text.ts';

const colour = '#7b8794';

/** All lines of a drawing that lead to something, then what stands on them, which no line may cover. */
export function svgLines(document: IvrDocument): { readonly lines: string[]; readonly words: string[] } {
  const lanes = new LaneFinder([callerBox(document), ...Object.values(document.nodes).map(boxOf)]);
  const drawn = linesOf(document).map((line) => drawLine(document, line, lanes));
  return { lines: drawn.flatMap(({ line }) => line), words: drawn.flatMap(({ word }) => word) };
}

function drawLine(
  document: IvrDocument,
  { from, to }: Line,
  lanes: LaneFinder,
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
  const word = portWord(menu, from);
  const turns = { out: 8 + chipWidth(word) + 6, in: 20 };
  const path = linePath(start, end, lanes.find(start, end, turns));
  const line = `<path d="${path}" fill="none" stroke="${colour}" stroke-width="1.5" marker-end="url(#arrow)"/>`;
  return { line: [line], word: menu === null ? [] : [chip(word, start)] };
}

function chipWidth(word: string): number {
  return word.length === 1 ? 22 : 70;
}

/** The key at the beginning of its line. */
function chip(word: string, { x, y }: Spot): string {
  const width = chipWidth(word);
  const text = { x: x + 8 + width / 2, y: y + 4.5, width };
  return (
    `<rect x="${x + 8}" y="${y - 11}" width="${width}" height="22" rx="11" fill="#ffffff" stroke="${colour}"/>` +
    svgText(word, text, { size: 12, bold: true, anchor: 'middle' })
  );
}
