import { useReactFlow, useStoreApi } from '@xyflow/react';

import type { IvrDocument, Place } from '../../../../contract/ivr-draft.ts';
import { templates } from '../../drafts/templates.ts';
import { endSize, sizeOf } from '../canvas/card-geometry.ts';
import type { DesignerStore } from '../designer-store.ts';
import { freePlace } from '../layout/free-place.ts';
import { giveRecording } from '../parts/give-part.ts';
import type { OfferedPart } from '../parts/part-groups.ts';
import { placeDrawing, placePart } from '../parts/place-part.ts';
import { useDesigner } from '../use-designer.ts';

/** Adds a part without dragging it: a card in the middle of what is in sight, a recording to the menus that are selected. Answers what was done. */
export function useAddPart(): (offered: OfferedPart) => string {
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
