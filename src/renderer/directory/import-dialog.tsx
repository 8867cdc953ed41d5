import { useRef } from 'react';

import { ActionButton } from '../kit/action-button.tsx';
import { Button } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import inputStyles from '../kit/input.module.css';
import type { Directory } from './directory.ts';
import styles from './import-dialog.module.css';
import { ImportPreview } from './import-preview.tsx';
import { useImport } from './use-import.ts';

/** Brings entries in from CSV, after showing what that adds and changes. Nothing is ever taken away by it. */
export function ImportDialog({ directory, onClose }: { directory: Directory; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const fileRef = useRef<HTMLInputElement>(null);
  const { csv, state, look, bring } = useImport(directory);
  const would = state.kind === 'preview' || state.kind === 'importing' ? state.would : null;
  const changes = would === null ? 0 : would.added.length + would.changed.length;

  async function read(file: File | undefined): Promise<void> {
    if (file !== undefined) await look(await file.text());
  }
  return (
    <Dialog
      ref={ref}
      title={`Import ${directory.many}`}
      mayClose={() => state.kind !== 'importing'}
      onClose={onClose}
    >
      <div className={styles['import']}>
        <p className={styles['lead']}>
          The first line is <code>{directory.csvHeading}</code>. An id that is known is changed, any other is
          added; nothing is removed.
        </p>
        <div>
          <Button onPress={() => fileRef.current?.click()}>Choose a file…</Button>
          <input
            ref={fileRef}
            type="file"
            hidden
            accept=".csv,text/csv,text/plain"
            aria-label="CSV file"
            onChange={({ currentTarget }) => {
              void read(currentTarget.files?.[0]);
              currentTarget.value = ''; // the same file can be chosen again, after it was mended
            }}
          />
        </div>
        <Field label="Or paste it here">
          {(tied) => (
            <textarea
              {...tied}
              className={inputStyles['input']}
              data-face="code"
              rows={5}
              value={csv}
              spellCheck={false}
              placeholder={directory.csvHeading}
              onChange={({ target }) => void look(target.value)}
            />
          )}
        </Field>
        <ImportPreview state={state} />
      </div>
      <DialogButtons>
        <FormRefusal
          reason={state.kind === 'refused' && state.errors.length === 0 ? state.reason : undefined}
        />
        <Button onPress={() => ref.current?.close()}>Cancel</Button>
        <ActionButton
          rank="main"
          isBusy={state.kind !== 'preview' || changes === 0}
          onPress={() => would !== null && void bring(would).then((isDone) => isDone && ref.current?.close())}
        >
          {state.kind === 'importing'
            ? 'Importing …'
            : changes === 0
              ? 'Import'
              : `Import ${changes.toLocaleString()}`}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}
