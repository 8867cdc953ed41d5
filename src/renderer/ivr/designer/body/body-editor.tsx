import { useEffect, useId, useRef, useState } from 'react';

import type { MenuNode } from '../../../../contract/ivr-draft.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { Button } from '../../../kit/button.tsx';
import { useDesigner } from '../use-designer.ts';
import { applyBody } from './apply-body.ts';
import styles from './body-view.module.css';
import { placeOfField, readBody } from './read-body.ts';

/** A menu's body as text: what is written counts when it is applied, and only when the service would take it. */
export function BodyEditor({
  menu,
  name,
  text,
  onClose,
}: {
  menu: MenuNode;
  name: string;
  text: string;
  onClose: () => void;
}) {
  const id = useId();
  const { store } = useDesigner();
  const textRef = useRef<HTMLTextAreaElement>(null);
  const [written, setWritten] = useState(text);
  const [errors, setErrors] = useState<readonly FieldError[]>([]);
  const [leftOut, setLeftOut] = useState('');

  useEffect(() => textRef.current?.focus(), []);

  function apply(): void {
    const read = readBody(written);
    if (!read.ok) {
      setErrors(read.refusal);
      return;
    }
    const { body, warnings } = read.value;
    store.edit('edit a menu as JSON', (document) => applyBody(document, menu.id, body));
    if (warnings.length === 0) {
      onClose();
      return;
    }
    setErrors([]);
    setLeftOut(warnings.map(({ field, message }) => `${field} ${message}.`).join(' '));
  }

  function show(field: string): void {
    const place = placeOfField(written, field);
    textRef.current?.focus();
    if (place !== null) textRef.current?.setSelectionRange(place.start, place.end);
  }

  return (
    <>
      <h3 className={styles['what']}>
        <label htmlFor={id}>
          JSON body of <strong>{name}</strong>
        </label>
      </h3>
      <textarea
        ref={textRef}
        id={id}
        className={styles['text']}
        value={written}
        spellCheck={false}
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={`${id}-errors`}
        onChange={({ target }) => setWritten(target.value)}
      />
      <div id={`${id}-errors`} role="alert" className={styles['errors']}>
        {errors.map(({ field, message }) => (
          <button
            key={`${field} ${message}`}
            type="button"
            className={styles['error']}
            onClick={() => show(field)}
          >
            {field === '' ? null : <code>{field}</code>} {message}
          </button>
        ))}
        {leftOut === '' ? null : <p className={styles['note']}>Applied. {leftOut}</p>}
      </div>
      <div className={styles['buttons']}>
        <Button rank="main" onPress={apply}>
          Apply
        </Button>
        <Button onPress={onClose}>{leftOut === '' ? 'Cancel' : 'Close'}</Button>
      </div>
    </>
  );
}
