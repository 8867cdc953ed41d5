import { useReactFlow } from '@xyflow/react';
import { type DragEvent, useRef } from 'react';
import type { IvrDocument, NodeId, Place } from '../../../../contract/menu/ivr-draft.ts';
import type { ScheduleView } from '../../../../contract/menu/schedule.ts';
import { templatePart } from '../../drafts/templates.ts';
import { type NodePart, type Part, partType, readPart } from '../parts/part-groups.ts';
import {
  addEdits,
  firstNeed,
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
  const { referenceData, store } = useDesigner();
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
    const dropped = drop(document, part, { spot, at, schedules: referenceData.schedules });
    if (dropped === null) return;
    const { select } = dropped;
    store.edit(dropped.edit, () => dropped.document, select === undefined ? {} : { select });
    const field = isNodePart(part) ? firstNeed(part) : null;
    const [added] = select ?? [];
    if (field !== null && added !== undefined) typeInto(`nodes.${added}.${field}`);
  }

  return { onDragOver, onDragLeave: () => mark(null), onDrop };
}

function isNodePart(part: Part): part is NodePart {
  return Object.hasOwn(addEdits, part.kind);
}

interface DropPlace {
  readonly spot: MenuSpot | null;
  readonly at: Place;
  /** What templates can ask; absent while they are not known. */
  readonly schedules: readonly ScheduleView[] | undefined;
}

interface Dropped {
  readonly edit: string;
  readonly document: IvrDocument;
  readonly select?: ReadonlySet<string>;
}

function drop(document: IvrDocument, part: Part, { spot, at, schedules }: DropPlace): Dropped | null {
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
      const template = templatePart(part.name, schedules);
      return template === null
        ? null
        : {
            edit: editText.addTemplate,
            ...placeTemplate(document, template, freePlace(document, at, templateSize(template))),
          };
    }
    case 'menu':
    case 'hours':
    case 'message':
    case 'end': {
      const edit = addEdits[part.kind];
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
    target.closest<HTMLElement>('[data-handle]') ??
    target.closest<HTMLElement>('.react-flow__node-menu, .react-flow__node-part')
  );
}

function spotOf(target: EventTarget): MenuSpot | null {
  const element = spotElement(target);
  const card = element?.closest<HTMLElement>('.react-flow__node')?.dataset['id'];
  if (element === null || card === undefined) return null;
  return readHandle(card, element.dataset['handle']) ?? { kind: 'card', menu: card as NodeId };
}
