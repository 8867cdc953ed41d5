import { type EdgeProps, getBezierPath } from '@xyflow/react';
import { memo } from 'react';

import type { LineEdge } from './flow-lines.ts';
import { pathBack } from './line-path.ts';
import styles from './drawn-line.module.css';

/** A line from a port to a card, with its arrow. Wrong keys and silence are broken lines; the way of a call is a thick one. */
export const DrawnLine = memo(function DrawnLine(line: EdgeProps<LineEdge>) {
  const { sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition, data, selected = false } = line;
  const end = { x: targetX - 6, y: targetY };
  const path =
    targetX < sourceX + 16
      ? pathBack({ x: sourceX, y: sourceY }, end, { start: data?.belowStart ?? 0, end: data?.belowEnd ?? 0 })
      : getBezierPath({
          sourceX,
          sourceY,
          sourcePosition,
          targetX: end.x,
          targetY,
          targetPosition,
          curvature: 0.35,
        })[0];
  const isWayOut = data?.from.kind === 'invalid' || data?.from.kind === 'timeout';
  return (
    <g className={styles['line']} data-way-out={isWayOut} data-lit={data?.isLit} data-selected={selected}>
      <path d={path} className={styles['hit']} />
      <path d={path} className={styles['stroke']} />
      <path
        d={`M${targetX - 8} ${targetY - 4.5}L${targetX} ${targetY}L${targetX - 8} ${targetY + 4.5}z`}
        className={styles['arrow']}
      />
    </g>
  );
});
