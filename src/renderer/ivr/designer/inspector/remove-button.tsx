import { removeNodes } from '../../../../core/ivr/edit/edit-nodes.ts';
import { useDesigner } from '../use-designer.ts';
import { SmallButton } from './small-button.tsx';

/** Takes nodes out of the drawing, with every line to them; undo brings all of it back. */
export function RemoveButton({ ids, what }: { ids: ReadonlySet<string>; what: string }) {
  const { store } = useDesigner();
  return (
    <SmallButton
      name={`Remove ${what}`}
      icon="remove"
      onPress={() =>
        store.edit(`remove ${what}`, (document) => removeNodes(document, ids), { select: new Set() })
      }
    >
      Remove
    </SmallButton>
  );
}
