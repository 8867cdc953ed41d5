import { type ReactNode, useId } from 'react';

import { FieldError } from '../kit/field-error.tsx';
import { Icon } from '../kit/icon.tsx';
import styles from './setting.module.css';
import type { Saving } from './use-saving.ts';

/** One setting: its name and what it does, its control beside, and whether the last change was saved. */
export function Setting({
  title,
  hint,
  saving,
  control,
  children,
}: {
  title: string;
  hint: ReactNode;
  saving: Saving;
  /** Beside the words; named and described by them. */
  control?: (ids: { labelledBy: string; describedBy: string }) => ReactNode;
  /** Below the words. */
  children?: ReactNode;
}) {
  const id = useId();
  const ids = { labelledBy: `${id}-title`, describedBy: `${id}-hint ${id}-error` };
  return (
    <div className={styles['setting']} role="group" aria-labelledby={ids.labelledBy}>
      <div className={styles['words']}>
        <p id={ids.labelledBy} className={styles['title']}>
          {title}
        </p>
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      </div>
      {control === undefined ? null : <div className={styles['control']}>{control(ids)}</div>}
      {children === undefined ? null : <div className={styles['more']}>{children}</div>}
      <div className={styles['state']}>
        <p role="status" className={styles['saved']} data-kind={saving.kind}>
          {saving.kind === 'saved' ? (
            <>
              <Icon name="tick" /> Saved
            </>
          ) : saving.kind === 'saving' ? (
            'Saving …'
          ) : null}
        </p>
        <FieldError id={`${id}-error`} error={saving.kind === 'refused' ? saving.reason : undefined} />
      </div>
    </div>
  );
}
