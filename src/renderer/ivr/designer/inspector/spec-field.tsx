import { type ReactNode, useId } from 'react';

import { FieldProblems, useProblemsAt } from './field-problems.tsx';
import styles from './spec-field.module.css';

/** What ties an input to the words around it and to its place in the document. */
export interface TiedToPath {
  readonly id: string;
  readonly 'data-path': string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean | undefined;
}

/**
 * A field of the drawing: its plain name, what the body calls it, the input, and what is wrong there.
 *
 * `path` is where it stands in the document; problems are found by it, and a press on a problem leads here.
 */
export function SpecField({
  label,
  spec,
  path,
  hint,
  children,
}: {
  label: string;
  /** The field's name in the body; null where it has none. */
  spec: string | null;
  path: string;
  hint?: ReactNode;
  children: (tied: TiedToPath) => ReactNode;
}) {
  const id = useId();
  const problems = useProblemsAt(path);
  const described = [
    spec === null ? '' : `${id}-spec`,
    problems.length === 0 ? '' : `${id}-problems`,
    hint === undefined ? '' : `${id}-hint`,
  ];
  return (
    <div className={styles['field']}>
      <div className={styles['head']}>
        <label className={styles['label']} htmlFor={id}>
          {label}
        </label>
        {spec === null ? null : (
          <code id={`${id}-spec`} className={styles['spec']}>
            {spec}
          </code>
        )}
      </div>
      {children({
        id,
        'data-path': path,
        'aria-describedby': described.filter((part) => part !== '').join(' ') || undefined,
        'aria-invalid': problems.some(({ severity }) => severity === 'error') || undefined,
      })}
      <FieldProblems id={`${id}-problems`} problems={problems} />
      {hint === undefined ? null : (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}
