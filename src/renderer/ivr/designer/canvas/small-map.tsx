import { MiniMap, useStore } from '@xyflow/react';

import type { CardNode } from './flow-nodes.ts';
import { isWhollyInSight } from './screen-box.ts';

/** The whole drawing, small: there while a part of it is out of sight, for then it says where one is. */
export function SmallMap() {
  const isNeeded = useStore((view) =>
    view.nodes.some(({ position, measured }) => !isWhollyInSight(position, measured ?? {}, view)),
  );
  if (!isNeeded) return null;
  return (
    <MiniMap<CardNode>
      pannable
      zoomable
      position="bottom-right"
      nodeClassName={({ type }) => `map-${type}`}
    />
  );
}
