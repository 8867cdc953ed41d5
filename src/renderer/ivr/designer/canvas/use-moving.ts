import type { NodeChange, OnNodesChange } from '@xyflow/react';

import type { IvrDocument, Place } from '../../../../contract/ivr-draft.ts';
import { moveNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { countedParts } from '../counted-parts.ts';
import { useDesigner } from '../use-designer.ts';
import type { CardNode } from './flow-nodes.ts';
import { useGlide } from './use-glide.ts';

/** Moves and selects cards as the canvas library tells: on their way they are the canvas's, and one edit when they arrive. */
export function useMoving(document: IvrDocument): {
  readonly moved: ReadonlyMap<string, Place>;
  readonly change: OnNodesChange<CardNode>;
  readonly arrive: (event: unknown, card: CardNode, cards: CardNode[]) => void;
} {
  const { store } = useDesigner();
  const { moved, drag, drop } = useGlide(document);

  function change(changes: NodeChange<CardNode>[]): void {
    const places = new Map<string, Place>();
    const selection = new Set(store.state().selection);
    for (const one of changes) {
      if (one.type === 'position' && one.position !== undefined && one.dragging === true)
        places.set(one.id, one.position);
      if (one.type !== 'select') continue;
      if (one.selected) selection.add(one.id);
      else selection.delete(one.id);
    }
    if (places.size > 0) drag(places);
    store.select(selection);
  }

  function arrive(_event: unknown, _card: CardNode, cards: CardNode[]): void {
    drop();
    const places = new Map(cards.map(({ id, position }) => [id, position]));
    // Selected when it arrives: the inspector is not drawn while the card is on its way.
    const { selection } = store.state();
    const select = cards.every(({ id }) => selection.has(id)) ? selection : new Set(places.keys());
    store.edit(`move ${countedParts(places.size)}`, (before) => moveNodes(before, places), { select });
  }
  return { moved, change, arrive };
}
