import type { EdgeProps } from '@xyflow/react';
import { memo } from 'react';

import type { LineEdge } from './flow-lines.ts';
import { pathNow } from './line-ways.ts';
import styles from './drawn-line.module.css';

/** A line from a port to a card, with its arrow. Wrong keys and silence are broken lines; the way of a call is a thick one. */
export const DrawnLine = memo(function DrawnLine(line: EdgeProps<LineEdge>) {
  const { sourceX, sourceY, targetX, targetY, data, selected = false } = line;
  if (data === undefined) return null;
  const path = pathNow(data.way, { x: sourceX, y: sourceY }, { x: targetX, y: targetY });
  const isWayOut = data.from.kind === 'invalid' || data.from.kind === 'timeout';
  return (
    <g className={styles['line']} data-way-out={isWayOut} data-lit={data.isLit} data-selected={selected}>
      <path d={path} className={styles['hit']} />
      <path d={path} className={styles['stroke']} />
      <path
        d={`M${targetX - 8} ${targetY - 4.5}L${targetX} ${targetY}L${targetX - 8} ${targetY + 4.5}z`}
        className={styles['arrow']}
      />
    </g>
  );
});
