import { type ReactFlowState, useNodeId, useStore } from '@xyflow/react';
import type { ReactNode } from 'react';

import styles from './cards.module.css';
import type { CardData } from './flow-nodes.ts';
import type { CardMarks } from './marks.ts';
import { sightAt } from './sight.ts';

/** What every card is: an edge that shows its state, what is in it, and from afar its name, large. */
export function CardFrame({
  kind,
  name,
  isSelected,
  lit,
  marks,
  isUnknown = false,
  children,
}: {
  kind: 'caller' | 'menu' | 'end';
  name: string;
  isSelected: boolean;
  lit: CardData['lit'];
  marks: CardMarks | undefined;
  isUnknown?: boolean;
  children: ReactNode;
}) {
  const id = useNodeId() ?? '';
  const isDetailed = useStore((state) => showsDetail(state, id));
  return (
    <div
      className={`${styles['card']} ${styles[kind]}`}
      data-name={name}
      data-selected={isSelected}
      data-lit={lit}
      data-unknown={isUnknown}
      data-severity={marks?.severity}
      data-detailed={isDetailed}
    >
      <div className={styles['inside']}>{children}</div>
    </div>
  );
}

/** How far out of sight a card begins to be drawn, in pixels of the screen: it is there when it comes in. */
const marginPixels = 120;

/** Whether the words on a card can be read where the drawing stands now. */
function showsDetail({ nodeLookup, transform, width, height }: ReactFlowState, id: string): boolean {
  const [x, y, zoom] = transform;
  const node = nodeLookup.get(id);
  if (node === undefined || sightAt(zoom) === 'far') return false;
  const left = node.internals.positionAbsolute.x * zoom + x;
  const top = node.internals.positionAbsolute.y * zoom + y;
  const right = left + (node.measured.width ?? 0) * zoom;
  const bottom = top + (node.measured.height ?? 0) * zoom;
  return (
    right > -marginPixels &&
    bottom > -marginPixels &&
    left < width + marginPixels &&
    top < height + marginPixels
  );
}
