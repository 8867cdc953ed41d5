import { Handle, Position } from '@xyflow/react';
import type { ReactNode } from 'react';

import { SeveritySign } from '../severity-sign.tsx';
import styles from './cards.module.css';
import type { WayWords } from './card-words.ts';
import type { CardMarks } from './marks.ts';

/** A way out of a menu: what takes it, where it leads, and the port that its line begins at. */
export function WayRow({
  words: { handle, spoken, to },
  badge,
  aside,
  marks,
  isLit,
}: {
  words: WayWords;
  badge: ReactNode;
  aside?: ReactNode;
  marks: CardMarks | undefined;
  isLit: boolean;
}) {
  const severity = marks?.parts[handle];
  return (
    <div className={styles['row']} data-handle={handle} data-lit={isLit}>
      {badge}
      <span className={styles['leads']} data-open={to === null}>
        {to ?? 'leads nowhere yet'}
      </span>
      {aside}
      {severity === undefined ? null : <SeveritySign severity={severity} />}
      <Handle
        type="source"
        position={Position.Right}
        id={handle}
        className={styles['port'] ?? ''}
        data-connected={to !== null}
        isConnectableEnd={false}
        title={`${spoken}: drag to where it leads`}
      />
    </div>
  );
}
