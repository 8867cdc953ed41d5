import { useReactFlow } from '@xyflow/react';
import { type DragEvent, useRef } from 'react';
import type { IvrDocument, NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import { templates } from '../../drafts/templates.ts';
import { type Part, partType, readPart } from '../parts/part-groups.ts';
import {
  giveRecording,
  giveSmsTemplate,
  type MenuSpot,
  placeAtLine,
  placeTemplate,
  placePart,
  templateSize,
} from '../parts/place-part.ts';
import { freePlace, newSizes } from '../layout/free-place.ts';
import { useDesigner } from '../use-designer.ts';
import { useTypeInto } from './card-field.tsx';
import { endSize, headHeight, menuWidth, readHandle } from './card-geometry.ts';
import { editText } from '../../../../text/menu/designer.ts';

/** Accepts parts dragged from the palette: on empty canvas they become a card, on a card they are added to it. */
export function useDropping() {
  const { store } = useDesigner();
  const { screenToFlowPosition } = useReactFlow();
  const typeInto = useTypeInto();
  const marked = useRef<HTMLElement | null>(null);

  /** Written to the element directly, so that a drag renders nothing. */
  function mark(element: HTMLElement | null): void {
    if (marked.current === element) return;
    marked.current?.removeAttribute('data-drop');
    element?.setAttribute('data-drop', 'true');
    marked.current = element;
  }

  function onDragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes(partType)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    mark(spotElement(event.target));
  }

  function onDrop(event: DragEvent): void {
    const part = readPart(event.dataTransfer.getData(partType));
    mark(null);
    if (part === null) return;
    event.preventDefault();
    const at = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const spot = spotOf(event.target);
    const document = store.state().document;
    const dropped = drop(document, part, spot, at);
    if (dropped === null) return;
    const { select } = dropped;
    store.edit(dropped.edit, () => dropped.document, select === undefined ? {} : { select });
    const field = valueField(part);
    const [added] = select ?? [];
    if (field !== null && added !== undefined) typeInto(`nodes.${added}.${field}`);
  }

  return { onDragOver, onDragLeave: () => mark(null), onDrop };
}

/** What a part that was dropped needs first: a menu its name, a destination its id. */
function valueField(part: Part): 'name' | 'ref' | null {
  if (part.kind === 'menu') return 'name';
  return part.kind === 'end' && part.type !== 'hangup' && part.ref === '' ? 'ref' : null;
}

interface Dropped {
  readonly edit: string;
  readonly document: IvrDocument;
  readonly select?: ReadonlySet<string>;
}

function drop(document: IvrDocument, part: Part, spot: MenuSpot | null, at: Place): Dropped | null {
  switch (part.kind) {
    case 'recording':
      return spot === null
        ? null
        : { edit: editText.chooseRecording, document: giveRecording(document, spot, part.id) };
    case 'sms-template':
      return spot === null
        ? null
        : { edit: editText.chooseSmsTemplate, document: giveSmsTemplate(document, spot, part.id) };
    case 'template': {
      const template = templates.find(({ name }) => name === part.name)?.document;
      return template === undefined
        ? null
        : {
            edit: editText.addTemplate,
            ...placeTemplate(document, template, freePlace(document, at, templateSize(template))),
          };
    }
    case 'menu':
    case 'end': {
      const edit = part.kind === 'menu' ? editText.addMenu : editText.addDestination;
      if (spot === null || spot.kind === 'card')
        return {
          edit,
          ...placePart(
            document,
            part,
            freePlace(
              document,
              { x: at.x - endSize.width / 2, y: at.y - headHeight / 2 },
              newSizes[part.kind],
            ),
          ),
        };
      return {
        edit,
        ...placeAtLine(
          document,
          spot,
          part,
          freePlace(
            document,
            besideMenu(document, spot.kind === 'caller' ? null : spot.menu, at),
            newSizes[part.kind],
          ),
        ),
      };
    }
  }
}

/** To the right of the menu, level with what it was dropped on. */
function besideMenu(document: IvrDocument, menu: NodeId | null, at: Place): Place {
  const node = menu === null ? undefined : document.nodes[menu];
  return { x: (node?.place.x ?? at.x) + menuWidth + 112, y: at.y - endSize.height / 2 };
}

function spotElement(target: EventTarget): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  return (
    target.closest<HTMLElement>('[data-handle]') ?? target.closest<HTMLElement>('.react-flow__node-menu')
  );
}

function spotOf(target: EventTarget): MenuSpot | null {
  const element = spotElement(target);
  const card = element?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
  if (element === null || card === undefined) return null;
  return readHandle(card, element.dataset['handle']) ?? { kind: 'card', menu: card as NodeId };
}
