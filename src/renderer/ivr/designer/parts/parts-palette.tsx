import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type DragEvent, type KeyboardEvent, useMemo, useState } from 'react';
import type { IvrDocument, Place } from '../../../../contract/ivr-draft.ts';
import input from '../../../kit/input.module.css';
import { templates } from '../../drafts/templates.ts';
import { endSize, sizeOf } from '../canvas/card-geometry.ts';
import type { DesignerStore } from '../designer-store.ts';
import { Drawing } from '../drawing.tsx';
import { freePlace } from '../layout/free-place.ts';
import styles from '../palette/parts-palette.module.css';
import { useDesigner } from '../use-designer.ts';
import { matchParts, type OfferedPart, type PartGroup, partGroups, partType } from './part-groups.ts';
import { giveRecording, placeDrawing, placePart } from './place-part.ts';

/** What drawings are made of: to be dragged onto the canvas, or added by a press. */
export function PartsPalette() {
  const { referenceData } = useDesigner();
  const [text, setText] = useState('');
  const [told, setTold] = useState('');
  const add = useAddPart();
  const groups = useMemo(() => partGroups(referenceData), [referenceData]);
  const found = matchParts(groups, text);

  function press(event: KeyboardEvent): void {
    // Undo in a field is the field's own.
    if (event.ctrlKey || event.metaKey) event.stopPropagation();
  }

  return (
    <section className={styles['palette']} aria-label="Parts">
      <div className={styles['search']}>
        <input
          type="search"
          className={input['input']}
          aria-label="Search parts"
          placeholder="Search parts"
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={press}
          onChange={({ target }) => setText(target.value)}
        />
      </div>
      <div className={styles['groups']}>
        {found.map((group) => (
          <PaletteGroup
            key={group.title}
            group={group}
            isSearched={text.trim() !== ''}
            onAdd={(offered: OfferedPart) => setTold(add(offered))}
          />
        ))}
        {found.length === 0 ? <p className={styles['none']}>Nothing is called so.</p> : null}
      </div>
      <p className={styles['told']} role="status">
        {told}
      </p>
    </section>
  );
}

/** As many as a group shows; the search finds the others. */
const shownAtMost = 50;

/** One kind of part. Long lists are folded in until they are wanted, or searched. */
function PaletteGroup({
  group: { title, parts, empty },
  isSearched,
  onAdd,
}: {
  group: PartGroup;
  isSearched: boolean;
  onAdd: (offered: OfferedPart) => void;
}) {
  const [isOpen, setOpen] = useState(parts.length <= 12);
  const isShown = isOpen || isSearched;
  const shown = parts.slice(0, shownAtMost);
  return (
    <div>
      <button
        type="button"
        className={styles['title']}
        aria-expanded={isShown}
        onClick={() => setOpen(!isOpen)}
      >
        {title}
        <span className={styles['count']}>{parts.length}</span>
      </button>
      {isShown ? (
        <ul className={styles['parts']}>
          {shown.map((offered) => (
            <li key={`${offered.name} ${offered.detail}`}>
              <button
                type="button"
                className={styles['part']}
                draggable
                title={`${offered.name} — ${offered.detail}`}
                onDragStart={(event) => take(event, offered)}
                onClick={() => onAdd(offered)}
              >
                <Drawing name={offered.drawing} />
                <span className={styles['name']}>{offered.name}</span>
                {title === 'Extensions' ? <span className={styles['detail']}>{offered.detail}</span> : null}
              </button>
            </li>
          ))}
          {shown.length === 0 && empty !== '' ? <li className={styles['none']}>{empty}</li> : null}
          {parts.length > shown.length ? (
            <li className={styles['none']}>
              {(parts.length - shown.length).toLocaleString()} more: search for them.
            </li>
          ) : null}
        </ul>
      ) : null}
    </div>
  );
}

function take(event: DragEvent, { part }: OfferedPart): void {
  event.dataTransfer.setData(partType, JSON.stringify(part));
  event.dataTransfer.effectAllowed = 'copy';
}

/** Adds a part without dragging it: a card in the middle of what is in sight, a recording to the menus that are selected. Answers what was done. */
function useAddPart(): (offered: OfferedPart) => string {
  const { store } = useDesigner();
  const flow = useReactFlow();
  const canvas = useStoreApi();

  return ({ part, name }) => {
    const { document } = store.state();
    const middle = (): Place => {
      const { width, height } = canvas.getState();
      const { x, y, zoom } = flow.getViewport();
      return { x: (width / 2 - x) / zoom - endSize.width / 2, y: (height / 2 - y) / zoom - endSize.height };
    };
    switch (part.kind) {
      case 'recording':
        return giveToSelected(store, part.id, name);
      case 'sms-template':
        return `Drag ${name} onto a key, or choose it for a key in the inspector.`;
      case 'template': {
        const drawing = templates.find((template) => template.name === part.name)?.document;
        if (drawing === undefined) return '';
        const { document: placed, select } = placeDrawing(document, drawing, below(document));
        store.edit('add a template', () => placed, { select });
        return `${name} was added below the drawing.`;
      }
      case 'menu':
      case 'end': {
        const { document: placed, select } = placePart(document, part, freePlace(document, middle()));
        store.edit(part.kind === 'menu' ? 'add a menu' : 'add a destination', () => placed, { select });
        return `${name} was added.`;
      }
    }
  };
}

function giveToSelected(store: DesignerStore, recording: string, name: string): string {
  const { document, selection } = store.state();
  const menus = Object.values(document.nodes).filter(({ id, kind }) => kind === 'menu' && selection.has(id));
  if (menus.length === 0) return `Select a menu first: ${name} becomes its prompt.`;
  store.edit('choose a recording', (before) =>
    menus.reduce((changed, { id }) => giveRecording(changed, { kind: 'card', menu: id }, recording), before),
  );
  return `${name} is the prompt of what is selected.`;
}

function below({ nodes }: IvrDocument): Place {
  const bottoms = Object.values(nodes).map((node) => node.place.y + sizeOf(node).height);
  return { x: 272, y: bottoms.length === 0 ? -120 : Math.max(...bottoms) + 80 };
}
