import { type ReactNode, useRef } from 'react';
import { Text } from '../../kit/text.tsx';
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
import { createDraft, useOpenDraft } from './open-in-designer.tsx';
import { templates } from './templates.ts';
import { templateText } from '../../../text/designer-canvas.ts';
import { newMenuText } from '../../../text/stored-menus.ts';

/** What a new menu starts with: nothing, a template, or an import. */
export function NewMenuDialog({ onImport, onClose }: { onImport: () => void; onClose: () => void }) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const { open, isBusy, refusal } = useOpenDraft();
  const empty = emptyDocument(newMenuText.emptyName);
  return (
    <Dialog ref={dialogRef} title={newMenuText.title} mayClose={() => !isBusy} onClose={onClose}>
      <ul className={styles['ways']}>
        <Way {...newMenuText.empty} onPress={() => open(() => createDraft(empty))}>
          <TemplatePicture document={empty} />
        </Way>
        {templates.map(({ name, document }) => (
          <Way
            key={name}
            name={document.name}
            what={templateText[name]}
            onPress={() => open(() => createDraft(document))}
          >
            <TemplatePicture document={document} />
          </Way>
        ))}
        <Way {...newMenuText.import} onPress={onImport}>
          <span className={styles['picture']}>
            <Icon name="outside" />
          </span>
        </Way>
      </ul>
      <DialogButtons>
        <FormRefusal reason={refusal} />
        <Button onPress={() => dialogRef.current?.close()}>{newMenuText.cancel}</Button>
      </DialogButtons>
    </Dialog>
  );
}

function Way({
  name,
  what,
  onPress,
  children,
}: {
  name: string;
  what: string;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <li>
      <button type="button" className={styles['way']} onClick={onPress}>
        {children}
        <Text as="span" size="normal" weight="bold">
          {name}
        </Text>
        <Text as="span" tone="soft" size="small">
          {what}
        </Text>
      </button>
    </li>
  );
}

interface Card {
  readonly id: string;
  readonly place: Place;
  readonly size: Size;
}

/** A single card is not shown larger than in a picture of several. */
const leastWidth = 900;

/** The shape of a call flow, without words. */
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
