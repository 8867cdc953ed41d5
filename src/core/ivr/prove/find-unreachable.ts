import type { DraftNode, IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/ivr-problem.ts';
import { linesOfMenu } from '../edit/lines.ts';
import { nodeOf } from '../edit/lines.ts';
import { writeReference } from '../../../contract/ivr-reference.ts';
import { hasWrongKey } from './prove-exits.ts';

/**
 * Nodes that no call reaches: an error for a menu, because it would be published; a warning for a destination.
 *
 * Checks the document, not the flow, so that incomplete drafts are checked too. Nothing is reported while the caller is
 * not connected, because then every node would be.
 */
export function findUnreachable(document: IvrDocument): IvrProblem[] {
  const first = nodeOf(document, document.caller.to);
  if (first === null) return [];
  const reached = new Set<NodeId>();
  const toVisit = [first];
  for (let node = toVisit.pop(); node !== undefined; node = toVisit.pop()) {
    if (reached.has(node.id)) continue;
    reached.add(node.id);
    for (const to of ledTo(node)) {
      const next = nodeOf(document, to);
      if (next !== null) toVisit.push(next);
    }
  }
  return Object.values(document.nodes)
    .filter(({ id }) => !reached.has(id))
    .map(problemOf);
}

function ledTo(node: DraftNode): NodeId[] {
  if (node.kind === 'end') return [];
  const canBeWrong = hasWrongKey((key) => node.keys.some((used) => used.key === key));
  return linesOfMenu(node)
    .filter(({ from }) => from.kind !== 'invalid' || canBeWrong)
    .map(({ to }) => to);
}

function problemOf(node: DraftNode): IvrProblem {
  return {
    code: 'unreachable',
    severity: node.kind === 'menu' ? 'error' : 'warning',
    path: `nodes.${node.id}`,
    node: node.id,
    field: null,
    scenario: null,
    params:
      node.kind === 'menu'
        ? { kind: 'menu', node: node.name }
        : { kind: 'destination', node: writeReference({ type: node.type, id: node.ref }) },
  };
}
