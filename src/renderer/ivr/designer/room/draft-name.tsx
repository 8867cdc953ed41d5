import { useState } from 'react';

import { useDesigner, useDesignerState } from '../use-designer.ts';
import styles from './draft-name.module.css';

/** The name of the draft, to be typed over. It cannot be empty: until something is typed the one before stays. */
export function DraftName() {
  const { store } = useDesigner();
  const name = useDesignerState(({ document }) => document.name);
  const [isEmpty, setEmpty] = useState(false);

  function change(text: string): void {
    setEmpty(text === '');
    if (text !== '')
      store.edit('rename the draft', (document) => ({ ...document, name: text }), { merge: 'draft-name' });
  }

  return (
    <h1 className={styles['heading']}>
      <input
        className={styles['name']}
        aria-label="Name of the draft"
        value={isEmpty ? '' : name}
        placeholder={name}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => change(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur();
        }}
        onBlur={() => {
          setEmpty(false);
          store.settle();
        }}
      />
    </h1>
  );
}
