import { type KeyboardEvent, useMemo, useState } from 'react';

import input from '../../../kit/input.module.css';
import { matchParts, type OfferedPart, partGroups } from '../parts/part-groups.ts';
import { useDesigner } from '../use-designer.ts';
import { PaletteGroup } from './palette-group.tsx';
import styles from './parts-palette.module.css';
import { useAddPart } from './use-add-part.ts';

/** What drawings are made of: to be dragged onto the canvas, or added by a press. */
export function PartsPalette() {
  const { surroundings } = useDesigner();
  const [text, setText] = useState('');
  const [told, setTold] = useState('');
  const add = useAddPart();
  const groups = useMemo(() => partGroups(surroundings), [surroundings]);
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
