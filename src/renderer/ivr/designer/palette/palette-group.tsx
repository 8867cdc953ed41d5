import { type DragEvent, useState } from 'react';

import { Drawing } from '../drawing.tsx';
import type { OfferedPart, PartGroup } from '../parts/part-groups.ts';
import { partType } from '../parts/part.ts';
import styles from './parts-palette.module.css';

/** As many as a group shows; the search finds the others. */
const shownAtMost = 50;

/** One kind of part. Long lists are folded in until they are wanted, or searched. */
export function PaletteGroup({
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
