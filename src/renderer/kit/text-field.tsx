import type { ReactNode, Ref } from 'react';

import { Field } from './field.tsx';
import styles from './input.module.css';

interface TextFieldProps {
  label: string;
  value: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** `code`: for what a program reads, where each character counts. */
  face?: 'words' | 'code';
  placeholder?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
  isRequired?: boolean;
  /** What is typed is not shown, and no browser keeps it. */
  isSecret?: boolean;
  inputMode?: 'text' | 'numeric' | 'url' | undefined;
  onChange: (value: string) => void;
  onLeave?: () => void;
}

/** One line of text. */
export function TextField({
  label,
  value,
  hint,
  error,
  face = 'words',
  placeholder,
  ref,
  isRequired = false,
  isSecret = false,
  inputMode = 'text',
  onChange,
  onLeave,
}: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(tied) => (
        <input
          {...tied}
          ref={ref}
          type={isSecret ? 'password' : 'text'}
          className={styles['input']}
          data-face={face}
          value={value}
          placeholder={placeholder}
          inputMode={inputMode}
          aria-required={isRequired || undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={(event) => onChange(event.target.value)}
          onBlur={onLeave}
        />
      )}
    </Field>
  );
}
