import { pasteNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { countedParts } from '../counted-parts.ts';
import type { DesignerStore } from '../designer-store.ts';

/** Adds copies of what is selected beside it; lines among them lead to the copies, others to where they led. */
export function duplicateSelected(store: DesignerStore): void {
  const { document, selection } = store.state();
  const nodes = Object.values(document.nodes).filter(({ id }) => selection.has(id));
  if (nodes.length === 0) return;
  const pasted = pasteNodes(document, nodes, { x: 40, y: 40 });
  store.edit(`duplicate ${countedParts(nodes.length)}`, () => pasted.document, { select: pasted.ids });
}
