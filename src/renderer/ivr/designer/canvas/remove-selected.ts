import { removeNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { connect } from '../../../../core/ivr/edit/lines.ts';
import { countedParts } from '../counted-parts.ts';
import type { DesignerStore } from '../designer-store.ts';
import { readHandle } from './port-handle.ts';

/** Takes away the line that is selected, or else the cards; the caller stays. */
export function removeSelected(store: DesignerStore, selectedLine: string | null): void {
  const [card = '', handle] = selectedLine?.split(':') ?? [];
  const from = readHandle(card, handle);
  if (from !== undefined && from.kind !== 'free-key') {
    store.edit('take a line away', (document) => connect(document, from, null));
    return;
  }
  const ids = new Set([...store.state().selection].filter((id) => id !== 'caller'));
  if (ids.size === 0) return;
  store.edit(`delete ${countedParts(ids.size)}`, (document) => removeNodes(document, ids), {
    select: new Set(),
  });
}
