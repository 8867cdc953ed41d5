import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type DragEvent, type KeyboardEvent, useMemo, useState } from 'react';
import { Text } from '../../../kit/text.tsx';
import type { IvrDocument, Place } from '../../../../contract/menu/ivr-draft.ts';
import input from '../../../kit/input.module.css';
import { templatePart } from '../../drafts/templates.ts';
import { endSize, sizeOf } from '../canvas/card-geometry.ts';
import type { DesignerStore } from '../designer-store.ts';
import { PartIcon } from '../part-icon.tsx';
import { SmallButton } from '../small-button.tsx';
import { freePlace, newSizes } from '../layout/free-place.ts';
import styles from './parts-palette.module.css';
import { useDesigner } from '../use-designer.ts';
import { matchParts, type OfferedPart, type PartGroup, partGroups, partType } from './part-groups.ts';
import { addEdits, giveRecording, placeTemplate, placePart } from './place-part.ts';
import { editText } from '../../../../text/menu/designer.ts';
import { partsText } from '../../../../text/menu/designer-canvas.ts';

/** What call flows are made of: dragged onto the canvas, or added by a press. */
export function PartsPalette({ onClose }: { onClose?: (() => void) | undefined }) {
  const { referenceData } = useDesigner();
  const [text, setText] = useState('');
  const [message, setMessage] = useState('');
  const add = useAddPart();
  const groups = useMemo(() => partGroups(referenceData), [referenceData]);
  const found = matchParts(groups, text);

  function press(event: KeyboardEvent): void {
    // Undo in a text field belongs to the field.
    if (event.ctrlKey || event.metaKey) event.stopPropagation();
  }

  return (
    <section className={styles['palette']} aria-label={partsText.title}>
      <div className={styles['search']}>
        <input
          type="search"
          className={input['input']}
          aria-label={partsText.search}
          placeholder={partsText.search}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onKeyDown={press}
          onChange={({ target }) => setText(target.value)}
        />
        {onClose === undefined ? null : (
          <SmallButton icon="remove" name={partsText.close} keys="a" onPress={onClose} />
        )}
      </div>
      <div className={styles['groups']}>
        {found.map((group) => (
          <PaletteGroup
            key={group.title}
            group={group}
            isSearched={text.trim() !== ''}
            onAdd={(offered: OfferedPart) => setMessage(add(offered))}
          />
        ))}
        {found.length === 0 ? (
          <Text tone="soft" size="tiny" className={styles['none']}>
            {partsText.noMatches}
          </Text>
        ) : null}
      </div>
      <Text tone="soft" size="tiny" className={styles['message']} role="status">
        {message}
      </Text>
    </section>
  );
}

/** How many a group shows; the search finds the others. */
const shownAtMost = 50;

/** One kind of part. Long lists are collapsed until they are opened or searched. */
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
        <Text as="span" weight="regular" isTabular>
          {parts.length}
        </Text>
      </button>
      {isShown ? (
        <ul>
          {shown.map((offered) => (
            <li key={`${offered.name} ${offered.detail}`}>
              <button
                type="button"
                className={styles['part']}
                draggable
                title={partsText.tooltip(offered.name, offered.detail)}
                onDragStart={(event) => take(event, offered)}
                onClick={() => onAdd(offered)}
              >
                <PartIcon name={offered.icon} />
                <Text as="span" size="small" isCut className={styles['name']}>
                  {offered.name}
                </Text>
                {title === partsText.groups.extensions ? (
                  <Text as="span" tone="soft" size="tiny" isOneLine>
                    {offered.detail}
                  </Text>
                ) : null}
              </button>
            </li>
          ))}
          {shown.length === 0 && empty !== '' ? (
            <Text as="li" tone="soft" size="tiny" className={styles['none']}>
              {empty}
            </Text>
          ) : null}
          {parts.length > shown.length ? (
            <Text as="li" tone="soft" size="tiny" className={styles['none']}>
              {partsText.more(parts.length - shown.length)}
            </Text>
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

/** Adds a part without dragging it: a card in the middle of the canvas, a recording to the selected menus. Returns a message. */
function useAddPart(): (offered: OfferedPart) => string {
  const { referenceData, store } = useDesigner();
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
        return partsText.dragSmsTemplate(name);
      case 'template': {
        const template = templatePart(part.name, referenceData.schedules);
        if (template === null) return '';
        const { document: placed, select } = placeTemplate(document, template, below(document));
        store.edit(editText.addTemplate, () => placed, { select });
        return partsText.templateAdded(name);
      }
      case 'menu':
      case 'hours':
      case 'message':
      case 'end': {
        const { document: placed, select } = placePart(
          document,
          part,
          freePlace(document, middle(), newSizes[part.kind]),
        );
        store.edit(addEdits[part.kind], () => placed, { select });
        return partsText.added(name);
      }
    }
  };
}

function giveToSelected(store: DesignerStore, recording: string, name: string): string {
  const { document, selection } = store.state();
  const menus = Object.values(document.nodes).filter(
    ({ id, kind }) => (kind === 'menu' || kind === 'message') && selection.has(id),
  );
  if (menus.length === 0) return partsText.selectMenu(name);
  store.edit(editText.chooseRecording, (before) =>
    menus.reduce((changed, { id }) => giveRecording(changed, { kind: 'card', menu: id }, recording), before),
  );
  return partsText.isPrompt(name);
}

function below({ nodes }: IvrDocument): Place {
  const bottoms = Object.values(nodes).map((node) => node.place.y + sizeOf(node).height);
  return { x: 272, y: bottoms.length === 0 ? -120 : Math.max(...bottoms) + 80 };
}
