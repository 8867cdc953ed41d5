import { type PointerEvent, type RefObject, useState } from 'react';

import type { LifelineRow } from '../../../contract/lifeline.ts';
import { partSentence } from './part-words.ts';
import { nextPart, partAt, type RowPart } from './row-parts.ts';
import { msOf, type Scale } from './time-scale.ts';

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
