import { useReactFlow } from '@xyflow/react';
import { type DragEvent, useRef } from 'react';
import type { IvrDocument, NodeId, Place } from '../../../../contract/ivr-draft.ts';
import { templates } from '../../drafts/templates.ts';
import { type Part, partType, readPart } from '../parts/part-groups.ts';
import {
  giveRecording,
  giveSmsTemplate,
  type MenuSpot,
  placeAtLine,
  placeDrawing,
  placePart,
} from '../parts/place-part.ts';
import { useDesigner } from '../use-designer.ts';
import { endSize, headHeight, menuWidth, readHandle } from './card-geometry.ts';

/** Takes what is dragged from the palette: on empty ground it becomes a card, on a card it is given to it. */
export function useDropping() {
  const { store } = useDesigner();
  const { screenToFlowPosition } = useReactFlow();
  const marked = useRef<HTMLElement | null>(null);

  /** Written to the element itself: what is under the mouse is nobody's state. */
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
    if (dropped !== null)
      store.edit(
        dropped.words,
        () => dropped.document,
        dropped.select === undefined ? {} : { select: dropped.select },
      );
  }

  return { onDragOver, onDragLeave: () => mark(null), onDrop };
}

interface Dropped {
  readonly words: string;
  readonly document: IvrDocument;
  readonly select?: ReadonlySet<string>;
}

function drop(document: IvrDocument, part: Part, spot: MenuSpot | null, at: Place): Dropped | null {
  switch (part.kind) {
    case 'recording':
      return spot === null
        ? null
        : { words: 'choose a recording', document: giveRecording(document, spot, part.id) };
    case 'sms-template':
      return spot === null
        ? null
        : { words: 'choose an SMS template', document: giveSmsTemplate(document, spot, part.id) };
    case 'template': {
      const drawing = templates.find(({ name }) => name === part.name)?.document;
      return drawing === undefined
        ? null
        : { words: 'add a template', ...placeDrawing(document, drawing, at) };
    }
    case 'menu':
    case 'end': {
      const words = part.kind === 'menu' ? 'add a menu' : 'add a destination';
      if (spot === null || spot.kind === 'card')
        return {
          words,
          ...placePart(document, part, { x: at.x - endSize.width / 2, y: at.y - headHeight / 2 }),
        };
      return {
        words,
        ...placeAtLine(
          document,
          spot,
          part,
          besideMenu(document, spot.kind === 'caller' ? null : spot.menu, at),
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
