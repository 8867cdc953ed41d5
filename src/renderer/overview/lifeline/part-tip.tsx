import { type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { LifelineRow } from '../../../contract/window/lifeline.ts';
import { partSentence, partText } from '../../../text/window/lifeline-text.ts';
import { Text } from '../../kit/text.tsx';
import styles from './part-tip.module.css';
import { nextPart, partAt, placeOf, type RowPart } from './row-parts.ts';
import { msOf, type Scale, xOf } from './time-scale.ts';

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
  const { title, facts } = partText(row, part, nowMs);

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
      <Text size="small" weight="bold">
        {title}
      </Text>
      <Text as="dl" size="small" isTabular className={styles['facts']}>
        {facts.map(([name, text]) => (
          <div key={name} className={styles['fact']}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </Text>
    </div>
  );
}

/** The part that is pointed at, and by what: the mouse takes its words along, the keyboard leaves them standing. */
export interface PointedPart {
  /** The row's. */
  readonly id: string;
  readonly part: RowPart;
  readonly by: 'mouse' | 'keys';
  /** What is read out, once. */
  readonly said: string;
}

export interface Pointing {
  readonly pointed: PointedPart | null;
  /** Points at what lies below the mouse, if anything does. */
  readonly pointWithMouse: (event: PointerEvent) => void;
  /** The mouse points at nothing any more. */
  readonly leaveWithMouse: () => void;
  /** To the part before or after, of a row. */
  readonly step: (index: number, by: 1 | -1) => RowPart | null;
  readonly hide: () => void;
}

/** How near a mark has to be to be meant, in units of the drawings. */
const reach = 7;

/** What is pointed at in the picture. */
export function usePointedPart(
  boxRef: RefObject<HTMLElement | null>,
  {
    rows,
    scale,
    unit,
    namesPx,
    nowMs,
  }: {
    readonly rows: readonly LifelineRow[];
    readonly scale: Scale;
    readonly unit: number;
    readonly namesPx: number;
    readonly nowMs: number;
  },
): Pointing {
  const [pointed, setPointed] = useState<PointedPart | null>(null);
  const leaveWithMouse = (): void => setPointed((before) => (before?.by === 'mouse' ? null : before));

  return {
    pointed,
    leaveWithMouse,
    hide: () => setPointed(null),
    pointWithMouse({ target, clientX }) {
      const box = boxRef.current;
      const id = rowIdOf(target);
      const row = rows.find((one) => one.id === id);
      if (box === null || row === undefined) return leaveWithMouse();
      const x = clientX - box.getBoundingClientRect().left - namesPx;
      const seconds = msOf(scale, x + box.scrollLeft) / 1000;
      const part = x < 0 ? null : partAt(row, seconds, (reach * unit) / scale.pxPerMs / 1000);
      if (part === null) return leaveWithMouse();
      setPointed((before) =>
        isSame(before, row.id, part) ? before : { id: row.id, part, by: 'mouse', said: '' },
      );
    },
    step(index, by) {
      const row = rows[index];
      if (row === undefined) return null;
      const part = nextPart(row, pointed?.id === row.id ? pointed.part : null, by);
      setPointed({ id: row.id, part, by: 'keys', said: partSentence(row, part, nowMs) });
      return part;
    },
  };
}

function isSame(before: PointedPart | null, id: string, { kind, place }: RowPart): boolean {
  return before?.id === id && before.part.kind === kind && before.part.place === place;
}

/** The row that an element belongs to. */
export function rowIdOf(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-id]')?.dataset['id'] : undefined;
}
