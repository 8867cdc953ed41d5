import type { MenuNode } from '../../../../contract/ivr-draft.ts';
import { useDesigner } from '../use-designer.ts';
import { InspectorHead } from './inspector-head.tsx';
import { MenuFields } from './menu-fields.tsx';
import { nodeWords } from './node-words.ts';
import { RemoveButton } from './remove-button.tsx';

export function MenuInspector({ menu }: { menu: MenuNode }) {
  const { surroundings } = useDesigner();
  const name = nodeWords(menu, surroundings);
  return (
    <>
      <InspectorHead kind="Menu" title={name}>
        <RemoveButton ids={new Set([menu.id])} what={`“${name}”`} />
      </InspectorHead>
      <MenuFields menu={menu} />
    </>
  );
}
