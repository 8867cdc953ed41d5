import { matchParts, nodePartGroups, type PartGroup } from '../parts/part-groups.ts';
import type { NodePart } from '../parts/part.ts';
import { PartPicker } from '../parts/part-picker.tsx';
import { placeAtLine } from '../parts/place-part.ts';
import { useDesigner } from '../use-designer.ts';
import { endSize, headHeight } from './card-geometry.ts';
import styles from './loose-end.module.css';
import type { LooseLine } from './use-drawing-lines.ts';

/** Where a line was dropped on empty ground: asks what to put there, and leads the line to it. */
export function LooseEnd({ loose: { from, at, place }, onClose }: { loose: LooseLine; onClose: () => void }) {
  const { store, surroundings } = useDesigner();
  const groups = nodePartGroups(surroundings);

  function choose(part: NodePart): void {
    const top = part.kind === 'menu' ? headHeight / 2 : endSize.height / 2;
    const { document, select } = placeAtLine(store.state().document, from, part, {
      x: place.x,
      y: place.y - top,
    });
    const words = part.kind === 'menu' ? 'add a menu' : 'add a destination';
    store.edit(words, () => document, { select });
    onClose();
  }

  return (
    <div className={styles['box']} style={placeOnScreen(at)}>
      <PartPicker
        groupsFor={(text) => matchParts(from.kind === 'caller' ? menusOnly(groups) : groups, text)}
        onChoose={choose}
        onClose={onClose}
      />
    </div>
  );
}

/** What a caller can meet first. */
function menusOnly(groups: readonly PartGroup[]): readonly PartGroup[] {
  return groups
    .map((group) => ({ ...group, parts: group.parts.filter(({ part }) => part.kind === 'menu') }))
    .filter(({ parts }) => parts.length > 0);
}

/** Beside the place, and inside the window. */
function placeOnScreen({ x, y }: { x: number; y: number }): { left: number; top: number } {
  return {
    left: Math.max(8, Math.min(x + 8, innerWidth - 296)),
    top: Math.max(8, Math.min(y - 24, innerHeight - 376)),
  };
}
