import type { IvrDocument, Place } from '../../../contract/menu/ivr-draft.ts';
import { linesOf } from '../../../core/ivr/edit/lines.ts';
import {
  callerSize,
  endOf,
  handleOf,
  type Size,
  sizeOf,
  startsOf,
} from '../designer/canvas/card-geometry.ts';
import styles from './drafts.module.css';

interface Card {
  readonly id: string;
  readonly place: Place;
  readonly size: Size;
}

/** A single card is not shown larger than in a picture of several. */
const leastWidth = 900;

/** The shape of a call flow, without words. */
export function TemplatePicture({ document }: { document: IvrDocument }) {
  const cards: Card[] = [
    { id: 'caller', place: document.caller.place, size: callerSize },
    ...Object.values(document.nodes).map((node) => ({ id: node.id, place: node.place, size: sizeOf(node) })),
  ];
  const left = Math.min(...cards.map(({ place }) => place.x));
  const top = Math.min(...cards.map(({ place }) => place.y));
  const right = Math.max(left + leastWidth, ...cards.map(({ place, size }) => place.x + size.width));
  const bottom = Math.max(...cards.map(({ place, size }) => place.y + size.height));
  return (
    <svg
      className={styles['picture']}
      viewBox={`${left - 20} ${top - 20} ${right - left + 40} ${bottom - top + 40}`}
      aria-hidden="true"
      focusable="false"
    >
      {linesFor(document).map((line) => (
        <path key={line} d={line} />
      ))}
      {cards.map(({ id, place, size }) => (
        <rect
          key={id}
          {...place}
          {...size}
          rx="24"
          data-kind={id === 'caller' ? 'caller' : document.nodes[id as keyof typeof document.nodes]?.kind}
        />
      ))}
    </svg>
  );
}

function linesFor(document: IvrDocument): string[] {
  return linesOf(document).flatMap(({ from, to }) => {
    const target = document.nodes[to];
    const menu = from.kind === 'caller' ? undefined : document.nodes[from.menu];
    if (target === undefined) return [];
    const card = menu?.place ?? document.caller.place;
    const spot =
      menu !== undefined && menu.kind !== 'end'
        ? (startsOf(menu).get(handleOf(from)) ?? { x: 0, y: 0 })
        : { x: callerSize.width, y: callerSize.height / 2 };
    const end = endOf(target);
    const start = { x: card.x + spot.x, y: card.y + spot.y };
    const stop = { x: target.place.x + end.x, y: target.place.y + end.y };
    const bend = Math.max(40, (stop.x - start.x) / 2);
    return [
      `M${start.x} ${start.y}C${start.x + bend} ${start.y} ${stop.x - bend} ${stop.y} ${stop.x} ${stop.y}`,
    ];
  });
}
