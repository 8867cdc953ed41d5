import { useState } from 'react';

import input from '../../../kit/input.module.css';
import { useDesigner } from '../use-designer.ts';
import styles from './number-line.module.css';
import { readNumber } from './read-number.ts';
import { SpecField } from './spec-field.tsx';

/** A whole number of the document, typed as text: half typed it is open, and what was typed stays to be finished. */
export function NumberLine({
  label,
  spec,
  path,
  value,
  unit,
  hint,
  onType,
}: {
  label: string;
  spec: string;
  path: string;
  value: number | null;
  unit: string;
  hint?: string;
  onType: (value: number | null) => void;
}) {
  const { store } = useDesigner();
  const [typed, setTyped] = useState('');
  // What undo brings back wins over what was typed.
  const shown = readNumber(typed) === value ? typed : String(value ?? '');
  return (
    <SpecField label={label} spec={spec} path={path} hint={hint}>
      {(tied) => (
        <span className={styles['number']}>
          <input
            {...tied}
            type="text"
            inputMode="numeric"
            className={input['input']}
            value={shown}
            autoComplete="off"
            onChange={({ target }) => {
              setTyped(target.value);
              onType(readNumber(target.value));
            }}
            onBlur={() => store.settle()}
          />
          <span className={styles['unit']}>{unit}</span>
        </span>
      )}
    </SpecField>
  );
}
