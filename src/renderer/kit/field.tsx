import { type ReactNode, useId } from 'react';
import { Text } from './text.tsx';
import styles from './field.module.css';
import { Icon } from './icon.tsx';
import { Row } from './layout.tsx';
import selectStyles from './select.module.css';

/** What ties an input to the words around it, for a screen reader too. */
export interface Tied {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/** An input with its name above, what it is for below, and what is wrong with it when something is. */
export function Field({
  label,
  hint,
  error,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: (tied: Tied) => ReactNode;
}) {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described.join(' ').trim() || undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      <FieldError id={`${id}-error`} error={error} />
      {hint === undefined ? null : (
        <Text id={`${id}-hint`} tone="soft" size="small">
          {hint}
        </Text>
      )}
    </div>
  );
}

/** Several inputs under one name, such as the choices of one question. */
export function FieldGroup({
  legend,
  hint,
  error,
  children,
}: {
  legend: string;
  hint?: ReactNode;
  error?: string | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <fieldset className={styles['field']} aria-describedby={hint === undefined ? undefined : `${id}-hint`}>
      <legend className={styles['label']}>{legend}</legend>
      {children}
      <FieldError id={`${id}-error`} error={error} />
      {hint === undefined ? null : (
        <Text id={`${id}-hint`} tone="soft" size="small">
          {hint}
        </Text>
      )}
    </fieldset>
  );
}

/** What is wrong with a field; read out when it appears. Its place is always there, or that could not be heard. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    <Text id={id} tone="bad" size="small" breaks aria-live="polite">
      {error === undefined ? null : (
        <>
          <Icon name="alert" /> <span>{error}</span>
        </>
      )}
    </Text>
  );
}

/** A day of the local calendar, such as 2026-01-31, with its label beside it; empty: none. */
export function DayField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Row as="label" gap={2} align="center">
      <Text as="span" size="small" tone="soft">
        {label}
      </Text>
      <input
        type="date"
        className={selectStyles['select']}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </Row>
  );
}
