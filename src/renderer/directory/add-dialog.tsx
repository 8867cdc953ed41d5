import { type SyntheticEvent, useRef, useState } from 'react';

import { Button, SubmitButton } from '../kit/button.tsx';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import inputStyles from '../kit/input.module.css';
import { TextField } from '../kit/text-field.tsx';
import styles from './add-dialog.module.css';
import type { Directory, Entry } from './directory.ts';
import { entryErrors } from './entry-draft.ts';
import { LengthWords } from './entry-form.tsx';
import { useDirectory } from './use-directory.ts';

/** Adds an entry. An id that is there already is said, not overwritten. */
export function AddDialog({
  directory,
  entries,
  onClose,
}: {
  directory: Directory;
  entries: readonly Entry[];
  onClose: () => void;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const { act, save } = useDirectory(directory);
  const [draft, setDraft] = useState<Entry>({ id: '', name: '', text: directory.hasText ? '' : null });
  const [isTried, setTried] = useState(false);
  const taken = entries.find(({ id }) => id === draft.id);
  const errors = isTried ? entryErrors(draft) : {};
  const idError =
    taken === undefined ? errors.id : `“${taken.name}” has this id already. Edit it in the list.`;

  async function submit(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (taken !== undefined || Object.keys(entryErrors(draft)).length > 0) return;
    if (await save({ ...draft, name: draft.name.trim() })) ref.current?.close();
  }
  return (
    <Dialog
      ref={ref}
      title={`Add an ${directory.one}`}
      mayClose={() => act.state.kind !== 'busy'}
      onClose={onClose}
    >
      <form className={styles['form']} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          label="Id"
          face="code"
          value={draft.id}
          hint={directory.idHint}
          error={idError}
          isRequired
          onChange={(id) => setDraft({ ...draft, id })}
        />
        <TextField
          label="Name"
          value={draft.name}
          error={errors.name}
          isRequired
          onChange={(name) => setDraft({ ...draft, name })}
        />
        {draft.text === null ? null : (
          <Field label="Text" error={errors.text} hint={<LengthWords text={draft.text} />}>
            {(tied) => (
              <textarea
                {...tied}
                className={inputStyles['input']}
                rows={4}
                maxLength={1600}
                value={draft.text ?? ''}
                onChange={({ target }) => setDraft({ ...draft, text: target.value })}
              />
            )}
          </Field>
        )}
        <DialogButtons>
          <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
          <Button onPress={() => ref.current?.close()}>Cancel</Button>
          <SubmitButton isBusy={act.state.kind === 'busy'}>Add</SubmitButton>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
