import { useState } from 'react';
import input from '../../../kit/input.module.css';
import { useDesigner } from '../use-designer.ts';
import panel from '../panel.module.css';
import styles from './inspector.module.css';
import { limitText } from '../../../../text/menu/flow-findings.ts';
import { SpecField, tooLong } from './spec-field.tsx';

/** A whole number of the document. Until it is complete the document has none, and the typed text stays in the field. */
export function NumberLine({
  label,
  path,
  value,
  unit,
  bounds,
  hint,
  onChange,
}: {
  label: string;
  path: string;
  value: number | null;
  unit: string;
  bounds: { readonly min: number; readonly max: number };
  hint?: string;
  onChange: (value: number | null) => void;
}) {
  const { store } = useDesigner();
  const [typed, setTyped] = useState('');
  // After an undo the value of the document is shown.
  const shown = readNumber(typed) === value ? typed : String(value ?? '');
  const isOutside = shown.trim() !== '' && (value === null || value < bounds.min || value > bounds.max);
  return (
    <SpecField label={label} path={path} hint={hint} error={isOutside ? limitText.number(bounds) : undefined}>
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
              onChange(readNumber(target.value));
            }}
            onBlur={() => store.settle()}
          />
          <span className={panel['note']}>{unit}</span>
        </span>
      )}
    </SpecField>
  );
}

/** The whole number in a text; null while it is not one, such as half typed. */
export function readNumber(text: string): number | null {
  const trimmed = text.trim();
  return /^-?\d{1,6}$/.test(trimmed) ? Number(trimmed) : null;
}

/** A text of the document. What is typed until the field is left is one step to undo. */
export function TextLine({
  label,
  path,
  value,
  most,
  mostSaved,
  hint,
  isLong = false,
  onChange,
}: {
  label: string;
  path: string;
  value: string;
  /** How many characters it may have, and how many a draft keeps. More stays in the field while the window is open. */
  most: number;
  mostSaved?: number;
  hint?: string;
  isLong?: boolean;
  onChange: (text: string) => void;
}) {
  const { store } = useDesigner();
  return (
    <SpecField label={label} path={path} hint={hint} error={tooLong(value, most, mostSaved)}>
      {(tied) =>
        isLong ? (
          <textarea
            {...tied}
            className={input['input']}
            rows={2}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            onBlur={() => store.settle()}
          />
        ) : (
          <input
            {...tied}
            type="text"
            className={input['input']}
            value={value}
            autoComplete="off"
            onChange={({ target }) => onChange(target.value)}
            onBlur={() => store.settle()}
          />
        )
      }
    </SpecField>
  );
}
