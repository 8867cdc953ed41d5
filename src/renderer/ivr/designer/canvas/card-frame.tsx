import { type ReactFlowState, useNodeId, useStore } from '@xyflow/react';
import type { ReactNode } from 'react';

import styles from './cards.module.css';
import type { CardData } from './flow-nodes.ts';
import type { CardMarks } from './marks.ts';
import { isInSight } from './screen-box.ts';
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
function showsDetail(view: ReactFlowState, id: string): boolean {
  const node = view.nodeLookup.get(id);
  if (node === undefined || sightAt(view.transform[2]) === 'far') return false;
  return isInSight(node.internals.positionAbsolute, node.measured, view, marginPixels);
}
