import { MiniMap } from '@xyflow/react';
import { canvasText } from '../../../../text/designer-canvas.ts';
import type { CardNode } from './flow-nodes.ts';
import styles from './overview-map.module.css';

const margin = 24;
const height = 120;

/** The whole call flow, small, and what of it is in sight. It is beside the canvas, so that it covers no card. */
export function OverviewMap({ width }: { width: number }) {
  return (
    <div className={styles['map']}>
      <MiniMap<CardNode>
        pannable
        zoomable
        ariaLabel={canvasText.map}
        style={{ width: width - margin, height }}
        nodeClassName={({ type }) => `map-${type}`}
      />
    </div>
  );
}
