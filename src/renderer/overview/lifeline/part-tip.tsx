import { type RefObject, useLayoutEffect, useRef } from 'react';

import type { LifelineRow } from '../../../contract/lifeline.ts';
import styles from './part-tip.module.css';
import { partWords } from './part-words.ts';
import { placeOf, type RowPart } from './row-parts.ts';
import { type Scale, xOf } from './time-scale.ts';

/** How near to the edge of the picture it may come, in pixels. */
const marginPx = 8;

/**
 * What is known of the part that is pointed at, below it, or above it where there is no room.
 *
 * It touches its row, so that the mouse can go onto it, and it goes with Esc.
 */
export function PartTip({
  row,
  part,
  nowMs,
  scale,
  boxRef,
  rowTop,
  rowPx,
  namesPx,
}: {
  row: LifelineRow;
  part: RowPart;
  nowMs: number;
  scale: Scale;
  boxRef: RefObject<HTMLElement | null>;
  /** The top of its row inside the box, before scrolling. */
  rowTop: number;
  rowPx: number;
  namesPx: number;
}) {
  const ref = useRef<HTMLDivElement>(null);
  const { title, facts } = partWords(row, part, nowMs);

  // After each drawing and each scrolling: where the part is now, as far as it is in sight.
  useLayoutEffect(() => {
    const box = boxRef.current;
    if (box === null) return;
    const place = (): void => {
      const tip = ref.current;
      if (tip === null) return;
      const { from, until } = placeOf(row, part);
      const toX = (seconds: number): number => xOf(scale, seconds * 1000) - box.scrollLeft + namesPx;
      const middle = (Math.max(toX(from), namesPx) + Math.min(toX(until), box.clientWidth)) / 2;
      const left = Math.max(
        marginPx,
        Math.min(middle - tip.offsetWidth / 2, box.clientWidth - tip.offsetWidth - marginPx),
      );
      const top = rowTop - box.scrollTop;
      const below = top + rowPx - 6;
      const isRoomBelow = box.getBoundingClientRect().top + below + tip.offsetHeight < innerHeight;
      tip.style.transform = `translate(${left}px, ${isRoomBelow ? below : top + 6 - tip.offsetHeight}px)`;
    };
    place();
    box.addEventListener('scroll', place, { passive: true });
    return () => box.removeEventListener('scroll', place);
  });

  return (
    <div ref={ref} className={styles['tip']} role="tooltip">
      <p className={styles['title']}>{title}</p>
      <dl className={styles['facts']}>
        {facts.map(([name, words]) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
