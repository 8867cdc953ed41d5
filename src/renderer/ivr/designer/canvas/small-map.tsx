import { MiniMap, useStore } from '@xyflow/react';

import type { CardNode } from './flow-nodes.ts';

/** The whole drawing, small: there while a part of it is out of sight, for then it says where one is. */
export function SmallMap() {
  const isNeeded = useStore(({ nodes, transform: [x, y, zoom], width, height }) =>
    nodes.some(({ position, measured }) => {
      const left = position.x * zoom + x;
      const top = position.y * zoom + y;
      const right = left + (measured?.width ?? 0) * zoom;
      const bottom = top + (measured?.height ?? 0) * zoom;
      return left < 0 || top < 0 || right > width || bottom > height;
    }),
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
