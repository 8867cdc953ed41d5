import type { DraftNode, IvrDocument, NodeId } from '../../../contract/menu/ivr-draft.ts';
import { linesOf } from '../edit/lines.ts';
import { nodeOf } from '../edit/lines.ts';
import { type PictureLabels, labelOfPort } from './picture-labels.ts';

/**
 * A call flow in the dot language, for `dot -Tsvg`: Graphviz makes its own layout, from left to right.
 *
 * Keys that lead from one menu to the same place share a line. Texts are in double quotes, with special characters
 * escaped (Graphviz, "The DOT Language": strings, escString and entities).
 */
export function graphvizPicture(document: IvrDocument, labels: PictureLabels): string {
  return [
    'digraph ivr {',
    `  graph [label=${dotText(document.name)}, labelloc=t, rankdir=LR, bgcolor=white];`,
    '  graph [fontname="Helvetica"]; node [fontname="Helvetica"]; edge [fontname="Helvetica", fontsize=11];',
    `  "caller" [label=${dotText(labels.caller)}, shape=circle];`,
    ...Object.values(document.nodes).map((node) => dotNode(node, labels)),
    ...joinedLines(document, labels).map(
      ({ from, to, ways }) =>
        `  ${dotText(from)} -> ${dotText(`node ${to}`)} [label=${dotText(ways.join(', '))}];`,
    ),
    '}',
    '',
  ].join('\n');
}

function dotNode(node: DraftNode, labels: PictureLabels): string {
  const name = dotText(`node ${node.id}`);
  if (node.kind !== 'end')
    return `  ${name} [label=${dotText(labels.menuTitle(node), labels.menuLine(node))}, shape=box, style="filled,rounded", fillcolor="#e8f0fe"];`;
  const { kind, which } = labels.end(node);
  return `  ${name} [label=${which === '' ? dotText(kind) : dotText(kind, which)}, shape=box];`;
}

interface JoinedLine {
  readonly from: string;
  readonly to: NodeId;
  readonly ways: string[];
}

function joinedLines(document: IvrDocument, labels: PictureLabels): JoinedLine[] {
  const joined = new Map<string, JoinedLine>();
  for (const { from: port, to } of linesOf(document)) {
    if (nodeOf(document, to) === null) continue;
    const menu = port.kind === 'caller' ? null : nodeOf(document, port.menu);
    const from = port.kind === 'caller' ? 'caller' : `node ${port.menu}`;
    const line = joined.get(`${from} ${to}`) ?? { from, to, ways: [] };
    joined.set(`${from} ${to}`, line);
    line.ways.push(labelOfPort(menu, port, labels));
  }
  return [...joined.values()];
}

/** Lines of text as one string of the dot language, quotes included. */
function dotText(...lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    line
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .replace(/[^\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
      .replace(/[\\"]/g, '\\$&')
      .replace(/&/g, '&amp;'),
  );
  return `"${escaped.join('\\n')}"`;
}
