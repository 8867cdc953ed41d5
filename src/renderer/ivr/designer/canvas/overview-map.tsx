import { MiniMap } from '@xyflow/react';
import { canvasText } from '../../../../text/menu/designer-canvas.ts';
import type { CardNode } from './flow-nodes.ts';
import styles from './overview-map.module.css';

const size = { width: 176, height: 112 };

/** The whole call flow, small, and what of it is in sight. */
export function OverviewMap() {
  return (
    <MiniMap<CardNode>
      pannable
      zoomable
      position="bottom-right"
      className={styles['map'] ?? ''}
      ariaLabel={canvasText.map}
      style={size}
      nodeClassName={({ type }) => `map-${type}`}
    />
  );
}
