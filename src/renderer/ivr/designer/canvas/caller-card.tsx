import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';

import { Drawing } from '../drawing.tsx';
import { CardFrame } from './card-frame.tsx';
import styles from './cards.module.css';
import type { CallerCardNode } from './flow-nodes.ts';
import { MarkLine } from './mark-line.tsx';

/** Where a call comes in. */
export const CallerCard = memo(function CallerCard({ data, selected }: NodeProps<CallerCardNode>) {
  return (
    <CardFrame kind="caller" name="Caller" isSelected={selected} lit={data.lit} marks={data.marks}>
      <span className={styles['sign']}>
        <Drawing name="caller" />
      </span>
      <span className={styles['words']}>
        <span className={styles['name']}>Caller</span>
        <span className={styles['kind']}>A call comes in</span>
      </span>
      <Handle
        type="source"
        position={Position.Right}
        id="caller"
        className={styles['port'] ?? ''}
        data-connected="true"
        isConnectableEnd={false}
        title="Drag to the menu that a call meets first"
      />
      <MarkLine marks={data.marks} />
    </CardFrame>
  );
});
