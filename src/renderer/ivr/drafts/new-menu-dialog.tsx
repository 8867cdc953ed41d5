import { useRef } from 'react';
import type { IvrDocument, Place } from '../../../contract/ivr-draft.ts';
import { emptyDocument } from '../../../core/ivr/edit/edit-nodes.ts';
import { linesOf } from '../../../core/ivr/edit/lines.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog, DialogButtons } from '../../kit/dialog.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { Icon } from '../../kit/icon.tsx';
import {
  callerSize,
  endOf,
  handleOf,
  type Size,
  sizeOf,
  startsOf,
} from '../designer/canvas/card-geometry.ts';
import styles from './new-menu-dialog.module.css';
import { keepDraft, useBegin } from './open-in-designer.tsx';
import { templates } from './templates.ts';

/** What a new menu begins with: nothing, a template, or what somebody has made elsewhere. */
export function NewMenuDialog({ onImport, onClose }: { onImport: () => void; onClose: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const { begin, isBusy, refusal } = useBegin();
  return (
    <Dialog ref={dialogRef} title="New menu" mayClose={() => !isBusy} onClose={onClose}>
      <ul className={styles['ways']}>
        <li>
          <button
            type="button"
            className={styles['way']}
            onClick={() => begin(() => keepDraft(emptyDocument('New menu')))}
          >
            <TemplatePicture document={emptyDocument('New menu')} />
            <span className={styles['name']}>Empty</span>
            <span className={styles['words']}>A caller, and a canvas to draw on</span>
          </button>
        </li>
        {templates.map(({ name, words, document }) => (
          <li key={name}>
            <button type="button" className={styles['way']} onClick={() => begin(() => keepDraft(document))}>
              <TemplatePicture document={document} />
              <span className={styles['name']}>{document.name}</span>
              <span className={styles['words']}>{words}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" className={styles['way']} onClick={onImport}>
            <span className={styles['picture']}>
              <Icon name="outside" />
            </span>
            <span className={styles['name']}>Import …</span>
            <span className={styles['words']}>
              A JSON body, menus of the platform, or an exported drawing
            </span>
          </button>
        </li>
      </ul>
      <DialogButtons>
        <FormRefusal reason={refusal} />
        <Button onPress={() => dialogRef.current?.close()}>Cancel</Button>
      </DialogButtons>
    </Dialog>
  );
}

interface Card {
  readonly id: string;
  readonly place: Place;
  readonly size: Size;
}

/** So that a single card is not drawn larger than among others. */
const leastWidth = 900;

/** A drawing so small that only its shape is seen. */
function TemplatePicture({ document }: { document: IvrDocument }) {
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
      className={styles['templatePicture']}
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
      menu?.kind === 'menu'
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
