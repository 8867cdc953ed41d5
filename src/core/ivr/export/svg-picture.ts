import type { IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import { callerCard, type Mark, nodeCard } from './svg-cards.ts';
import { boundsOf } from './svg-geometry.ts';
import { svgLines } from './svg-lines.ts';
import { svgText } from './svg-text.ts';
import { xmlText } from './xml-text.ts';

/** Lines that lead around the outermost cards have room in it. */
const margin = 64;
const titleHeight = 56;

/**
 * A drawing as a picture for documentation: everything at its own place, on white, with the keys on the lines.
 *
 * It stands alone: no script, no style sheet, no font or image from elsewhere. `marked` says which nodes differ from an
 * older or newer drawing.
 */
export function svgPicture(
  document: IvrDocument,
  { marked = new Map() }: { readonly marked?: ReadonlyMap<NodeId, Mark> } = {},
): string {
  const bounds = boundsOf(document);
  const x = bounds.x - margin;
  const y = bounds.y - margin - titleHeight;
  const width = bounds.width + 2 * margin;
  const height = bounds.height + 2 * margin + titleHeight;
  const { lines, words } = svgLines(document);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="${width}" height="${height}" ` +
      'role="img" aria-labelledby="name" font-family="Helvetica, Arial, \'Noto Sans\', sans-serif">',
    `<title id="name">${xmlText(document.name)}</title>`,
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">' +
      '<path d="M0 0L8 4L0 8Z" fill="#7b8794"/></marker></defs>',
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#ffffff"/>`,
    svgText(
      document.name,
      { x: bounds.x, y: y + margin + 12, width: bounds.width },
      { size: 24, bold: true },
    ),
    ...lines,
    callerCard(document),
    ...Object.values(document.nodes).map((node) => nodeCard(document, node, marked.get(node.id))),
    ...words,
    '</svg>',
    '',
  ].join('\n');
}
