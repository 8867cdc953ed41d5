import { useEffect, useRef } from 'react';

import { Button } from '../kit/button.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import type { Directory } from './directory.ts';
import styles from './removed-note.module.css';
import type { DirectoryChanges } from './use-directory.ts';

/** What was removed last, with the way to put it back; and why the last change was refused. */
export function RemovedNote({
  directory: { afterRemoval },
  changes: { act, removed, undo },
}: {
  directory: Directory;
  changes: DirectoryChanges;
}) {
  const undoRef = useRef<HTMLButtonElement>(null);
  // The button that was pressed goes with its row, as soon as the change has come back.
  useEffect(() => {
    if (removed !== null) undoRef.current?.focus();
  }, [removed]);
  return (
    <div className={styles['notes']}>
      <div role="status">
        {removed === null ? null : (
          <div className={styles['removed']}>
            <p className={styles['words']}>
              “{removed.name}” ({removed.id}) was removed. {afterRemoval}
            </p>
            <Button ref={undoRef} onPress={() => void undo()}>
              Undo
            </Button>
          </div>
        )}
      </div>
      <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
    </div>
  );
}
