import type { DraftNode, EndNode, IvrDocument, MenuNode, NodeId } from '../../../contract/ivr-draft.ts';
import { headHeight, rowHeight } from '../drawing/card-size.ts';
import type { Box } from '../drawing/line-path.ts';
import { menuTitle } from '../menu-title.ts';
import { nodeOf } from '../node-of.ts';
import { endWords, menuLine, portWord } from './picture-words.ts';
import { boxOf, callerBox, rowMiddle } from './svg-geometry.ts';
import { faint, ink, svgText } from './svg-text.ts';
import { xmlText } from './xml-text.ts';

/** How a node differs from what it is compared with. */
export type Mark = 'added' | 'changed' | 'removed';

const marks: Readonly<Record<Mark, { readonly colour: string; readonly dashes: string }>> = {
  added: { colour: '#15803d', dashes: '' },
  changed: { colour: '#b45309', dashes: '' },
  removed: { colour: '#b91c1c', dashes: ' stroke-dasharray="6 4"' },
};
const border = '#9aa5b1';

export function callerCard(document: IvrDocument): string {
  const box = callerBox(document);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 + 5, width: box.width };
  return `<g>${frame(box, 28, '#f0f4f8', undefined)}${svgText('Caller', at, { size: 15, bold: true, anchor: 'middle' })}</g>`;
}

/** A menu or an end; the mark is told by colour and by a word, which a print in black and white has too. */
export function nodeCard(document: IvrDocument, node: DraftNode, mark: Mark | undefined): string {
  const box = boxOf(node);
  const content = node.kind === 'menu' ? menuContent(document, node, box) : endContent(node, box);
  const whole = node.kind === 'menu' ? menuTitle(node) : Object.values(endWords(node)).join(' ').trim();
  return (
    `<g><title>${xmlText(whole)}</title>` +
    frame(box, 10, '#ffffff', mark) +
    content +
    (mark === undefined ? '' : flag(box, mark)) +
    '</g>'
  );
}

function menuContent(document: IvrDocument, menu: MenuNode, { x, y, width }: Box): string {
  const ways = [
    ...menu.keys.map(({ to }, index) => ({ port: { kind: 'key', menu: menu.id, index } as const, to })),
    { port: { kind: 'invalid', menu: menu.id } as const, to: menu.invalid_destination },
    { port: { kind: 'timeout', menu: menu.id } as const, to: menu.timeout_destination },
  ];
  const headEnd = y + headHeight;
  return [
    `<path d="M${x + 1} ${headEnd}V${y + 10}q0 -9 9 -9H${x + width - 10}q9 0 9 9V${headEnd}Z" fill="#e8f0fe"/>`,
    svgText(menuTitle(menu), { x: x + 16, y: y + 30, width: width - 32 }, { size: 16, bold: true }),
    svgText(menuLine(menu), { x: x + 16, y: headEnd + 21, width: width - 32 }, { size: 13, colour: faint }),
    ...ways.flatMap(({ port, to }) => {
      const middle = y + rowMiddle(menu, port);
      return [
        `<path d="M${x} ${middle - rowHeight / 2}H${x + width}" stroke="#e4e7eb"/>`,
        svgText(portWord(menu, port), { x: x + 16, y: middle + 5, width: 80 }, { size: 13, bold: true }),
        svgText(
          leadsTo(document, to),
          { x: x + 104, y: middle + 5, width: width - 120 },
          { size: 13, colour: to === null ? '#b91c1c' : ink },
        ),
      ];
    }),
  ].join('');
}

function endContent(node: EndNode, { x, y, width, height }: Box): string {
  const { kind, which } = endWords(node);
  const room = { x: x + 16, width: width - 32 };
  return which === ''
    ? svgText(kind, { ...room, y: y + height / 2 + 5 }, { size: 15, bold: true })
    : svgText(kind, { ...room, y: y + 23 }, { size: 13, colour: faint }) +
        svgText(which, { ...room, y: y + 43 }, { size: 15, bold: true });
}

function leadsTo(document: IvrDocument, to: NodeId | null): string {
  const node = nodeOf(document, to);
  if (node === null) return 'leads nowhere yet';
  return node.kind === 'menu' ? menuTitle(node) : Object.values(endWords(node)).join(' ').trim();
}

function frame({ x, y, width, height }: Box, radius: number, fill: string, mark: Mark | undefined): string {
  const { colour, dashes } = mark === undefined ? { colour: border, dashes: '' } : marks[mark];
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill}" ` +
    `stroke="${colour}" stroke-width="${mark === undefined ? 1 : 2.5}"${dashes}/>`
  );
}

function flag({ x, y, width }: Box, mark: Mark): string {
  const { colour } = marks[mark];
  return (
    `<rect x="${x + width - 84}" y="${y - 12}" width="72" height="22" rx="11" fill="${colour}"/>` +
    svgText(
      mark,
      { x: x + width - 48, y: y + 3, width: 72 },
      { size: 12, bold: true, colour: '#ffffff', anchor: 'middle' },
    )
  );
}
