import type { DraftNode, IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import { linesOf } from '../../../../core/ivr/edit/lines.ts';
import { nodeOf } from '../../../../core/ivr/node-of.ts';

/** The nodes of a drawing in the order in which calls come to them; those that no call reaches last, as they were drawn. */
export function callOrder(document: IvrDocument): readonly DraftNode[] {
  const ledTo = new Map<string, NodeId[]>();
  for (const { from, to } of linesOf(document)) {
    if (from.kind === 'caller') continue;
    const known = ledTo.get(from.menu);
    if (known === undefined) ledTo.set(from.menu, [to]);
    else known.push(to);
  }
  const order = new Map<string, DraftNode>();
  let next: (NodeId | null)[] = [document.caller.to];
  while (next.length > 0) {
    const after: NodeId[] = [];
    for (const id of next) {
      const node = nodeOf(document, id);
      if (node === null || order.has(node.id)) continue;
      order.set(node.id, node);
      after.push(...(ledTo.get(node.id) ?? []));
    }
    next = after;
  }
  for (const node of Object.values(document.nodes)) order.set(node.id, node);
  return [...order.values()];
}
