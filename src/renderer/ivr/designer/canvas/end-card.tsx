import { Handle, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';

import { Drawing } from '../drawing.tsx';
import { CardFrame } from './card-frame.tsx';
import styles from './cards.module.css';
import type { EndCardNode } from './flow-nodes.ts';
import { MarkLine } from './mark-line.tsx';

/** Where a call leaves the drawing. What is in no directory is drawn with a broken edge, and says so. */
export const EndCard = memo(function EndCard({ data, selected }: NodeProps<EndCardNode>) {
  const { end, words, marks, lit } = data;
  return (
    <CardFrame
      kind="end"
      name={words.name}
      isSelected={selected}
      lit={lit}
      marks={marks}
      isUnknown={words.isUnknown}
    >
      <Handle
        type="target"
        position={Position.Left}
        id="in"
        className={styles['in'] ?? ''}
        isConnectableStart={false}
      />
      <span className={styles['sign']} data-type={end.type}>
        <Drawing name={end.type} />
      </span>
      <span className={styles['words']}>
        <span className={styles['name']} title={words.name}>
          {words.name}
        </span>
        <span className={styles['kind']}>{words.kind}</span>
      </span>
      {words.isUnknown ? null : <MarkLine marks={marks} />}
    </CardFrame>
  );
});
