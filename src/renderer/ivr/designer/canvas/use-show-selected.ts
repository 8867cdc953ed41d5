import { useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';

import type { NodeId } from '../../../../contract/ivr-draft.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { callerSize, sizeOf } from './card-geometry.ts';
import { isInSight } from './screen-box.ts';

/** Brings a card into sight that was selected elsewhere: in the list of problems, in the outline, by an undo. */
export function useShowSelected(): void {
  const { store } = useDesigner();
  const selection = useDesignerState((state) => state.selection);
  const flow = useReactFlow();
  const canvas = useStoreApi();

  useEffect(() => {
    const [only] = selection;
    if (only === undefined || selection.size > 1) return;
    const { document } = store.state();
    const node = document.nodes[only as NodeId];
    const place = node?.place ?? document.caller.place;
    const size = node === undefined ? callerSize : sizeOf(node);
    const view = canvas.getState();
    if (view.width === 0 || isInSight(place, size, view)) return;
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    void flow.setCenter(place.x + size.width / 2, place.y + size.height / 2, {
      zoom: view.transform[2],
      duration: isStill ? 0 : 200,
    });
  }, [selection, store, flow, canvas]);
}
