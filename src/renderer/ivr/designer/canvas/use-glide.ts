import { useLayoutEffect, useRef, useState } from 'react';

import type { IvrDocument, Place } from '../../../../contract/ivr-draft.ts';

/** How long cards take to their new places, in milliseconds, and from how far away they glide at all, in pixels. */
const glideMs = 260;
const leastDistance = 24;

const nowhere: ReadonlyMap<string, Place> = new Map();

/**
 * Where cards are shown that are on their way: dragged by a person, or gliding to where the document has them now.
 *
 * After a layout, an undo or a change from elsewhere a person can follow what went where. A drag ends where the document
 * has the card, so there is nothing to glide then. Without motion (as the person wishes) cards are where they belong at once.
 */
export function useGlide(document: IvrDocument): {
  readonly moved: ReadonlyMap<string, Place>;
  readonly drag: (places: ReadonlyMap<string, Place>) => void;
  readonly drop: () => void;
} {
  const [moved, setMoved] = useState(nowhere);
  const shown = useRef<ReadonlyMap<string, Place>>(nowhere);
  const isDragging = useRef(false);

  useLayoutEffect(() => {
    const target = placesOf(document);
    const from = shown.current;
    shown.current = target;
    if (isDragging.current || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const gliding = [...target].filter(([id, to]) => isFar(from.get(id), to));
    if (gliding.length === 0) return;
    let frame = 0;
    let startedAt: number | undefined;
    const step = (atMs: number): void => {
      startedAt ??= atMs;
      const part = Math.min(1, (atMs - startedAt) / glideMs);
      if (part === 1) {
        setMoved(nowhere);
        return;
      }
      setMoved(new Map(gliding.map(([id, to]) => [id, between(from.get(id) ?? to, to, eased(part))])));
      frame = requestAnimationFrame(step);
    };
    setMoved(new Map(gliding.map(([id, to]) => [id, from.get(id) ?? to])));
    frame = requestAnimationFrame(step);
    return () => {
      cancelAnimationFrame(frame);
      setMoved(nowhere);
    };
  }, [document]);

  return {
    moved,
    drag: (places) => {
      isDragging.current = true;
      setMoved((before) => new Map([...before, ...places]));
    },
    drop: () => {
      shown.current = new Map([...shown.current, ...moved]);
      isDragging.current = false;
      setMoved(nowhere);
    },
  };
}

function placesOf({ caller, nodes }: IvrDocument): ReadonlyMap<string, Place> {
  return new Map<string, Place>([
    ['caller', caller.place],
    ...Object.values(nodes).map(({ id, place }) => [id as string, place] as const),
  ]);
}

function isFar(from: Place | undefined, to: Place): boolean {
  return from !== undefined && Math.hypot(from.x - to.x, from.y - to.y) >= leastDistance;
}

function between(from: Place, to: Place, part: number): Place {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

function eased(part: number): number {
  return 1 - (1 - part) ** 3;
}
