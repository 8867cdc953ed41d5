import { Handle, Position } from '@xyflow/react';

import { freeKeys } from './card-geometry.ts';
import styles from './cards.module.css';
import { keyWord } from './key-word.ts';
import type { MenuNode } from '../../../../contract/ivr-draft.ts';

/** The keys that a menu does not use: a line drawn from one of them adds it. */
export function FreeKeys({ menu }: { menu: MenuNode }) {
  const free = freeKeys(menu);
  if (free.length === 0) return null;
  return (
    <div className={styles['strip']}>
      {free.map((key) => (
        <Handle
          key={key}
          type="source"
          position={Position.Right}
          id={`free-${key}`}
          className={styles['free'] ?? ''}
          data-handle={`free-${key}`}
          isConnectableEnd={false}
          title={`${keyWord(key)} is not used: drag to where it shall lead`}
        >
          {key}
        </Handle>
      ))}
    </div>
  );
}
