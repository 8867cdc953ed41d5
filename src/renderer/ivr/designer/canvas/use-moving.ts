import type { NodeChange, OnNodesChange } from '@xyflow/react';
import { useLayoutEffect, useRef, useState } from 'react';
import type { IvrDocument, Place } from '../../../../contract/menu/ivr-draft.ts';
import { moveNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { useDesigner } from '../use-designer.ts';
import type { CardNode } from './flow-nodes.ts';
import { editText } from '../../../../text/menu/designer.ts';

/** Moves and selects cards for the canvas library. Places on the way are local state; the drop is one edit. */
export function useMoving(document: IvrDocument): {
  readonly moved: ReadonlyMap<string, Place>;
  readonly change: OnNodesChange<CardNode>;
  readonly arrive: (event: unknown, card: CardNode, cards: CardNode[]) => void;
} {
  const { store } = useDesigner();
  const { moved, drag, drop } = useAnimatedPlaces(document);

  function change(changes: NodeChange<CardNode>[]): void {
    const places = new Map<string, Place>();
    const selection = new Set(store.state().selection);
    for (const one of changes) {
      if (one.type === 'position' && one.position !== undefined && one.dragging === true)
        places.set(one.id, one.position);
      if (one.type !== 'select') continue;
      if (one.selected) selection.add(one.id);
      else selection.delete(one.id);
    }
    if (places.size > 0) drag(places);
    store.select(selection);
  }

  function arrive(_event: unknown, _card: CardNode, cards: CardNode[]): void {
    drop();
    const places = new Map(cards.map(({ id, position }) => [id, position]));
    // Selected on the drop, so that the inspector is not rendered during the drag.
    const { selection } = store.state();
    const select = cards.every(({ id }) => selection.has(id)) ? selection : new Set(places.keys());
    store.edit(editText.move(places.size), (before) => moveNodes(before, places), { select });
  }
  return { moved, change, arrive };
}

/** How long cards take to their new places, in milliseconds, and the shortest distance that is animated, in pixels. */
const moveMs = 260;
const leastDistance = 24;

const nowhere: ReadonlyMap<string, Place> = new Map();

/**
 * The places of cards that are dragged, or that move to a new place in the document.
 *
 * After a layout, an undo or a change from elsewhere a person can see what moved where. A drag ends where the document has
 * the card, so nothing is animated then, nor with reduced motion.
 */
function useAnimatedPlaces(document: IvrDocument): {
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
    const moving = [...target].filter(([id, to]) => isFar(from.get(id), to));
    if (moving.length === 0) return;
    let frame = 0;
    let startedAt: number | undefined;
    const step = (atMs: number): void => {
      startedAt ??= atMs;
      const part = Math.min(1, (atMs - startedAt) / moveMs);
      if (part === 1) {
        setMoved(nowhere);
        return;
      }
      setMoved(new Map(moving.map(([id, to]) => [id, between(from.get(id) ?? to, to, eased(part))])));
      frame = requestAnimationFrame(step);
    };
    setMoved(new Map(moving.map(([id, to]) => [id, from.get(id) ?? to])));
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
