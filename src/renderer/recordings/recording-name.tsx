import { type SyntheticEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';

import type { RecordingView } from '../../contract/recording.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Button, SubmitButton } from '../kit/button.tsx';
import { FieldError } from '../kit/field-error.tsx';
import inputStyles from '../kit/input.module.css';
import { useAct } from '../kit/use-act.ts';
import styles from './recording-name.module.css';

const longest = 100;

/** The name of a recording, which can be changed where it stands: Enter saves it, Esc leaves it as it was. */
export function RecordingName({
  recording,
  isEdited,
  onEdit,
}: {
  recording: RecordingView;
  isEdited: boolean;
  onEdit: (isEdited: boolean) => void;
}) {
  if (isEdited) return <NameForm recording={recording} onDone={() => onEdit(false)} />;
  return (
    <h2 className={styles['name']} title={recording.name}>
      {recording.name}
    </h2>
  );
}

function NameForm({ recording: { id, name }, onDone }: { recording: RecordingView; onDone: () => void }) {
  const act = useAct();
  const [typed, setTyped] = useState(name);
  const fieldRef = useRef<HTMLInputElement>(null);
  const before = useRef<Element | null>(null);
  const errorId = `name-error-${id}`;
  const isEmpty = typed.trim() === '';

  useEffect(() => {
    before.current = document.activeElement;
    fieldRef.current?.select();
  }, []);

  function leave(): void {
    onDone();
    if (before.current instanceof HTMLElement) before.current.focus();
  }
  async function save(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    if (isEmpty) return;
    if (typed.trim() === name) return leave();
    const saved = await act.run(
      'rename',
      () => askPortal('renameRecording', { params: { id }, body: { name: typed } }),
      'it was renamed',
    );
    if (saved !== null) leave();
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    leave();
  }

  return (
    <form className={styles['form']} onSubmit={(event) => void save(event)} onKeyDown={press}>
      <input
        ref={fieldRef}
        type="text"
        className={inputStyles['input']}
        aria-label={`New name of ${name}`}
        aria-invalid={isEmpty || act.state.kind === 'refused' || undefined}
        aria-describedby={errorId}
        value={typed}
        maxLength={longest}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      <FieldError
        id={errorId}
        error={
          isEmpty
            ? 'Give it a name of at least one letter.'
            : act.state.kind === 'refused'
              ? act.state.reason
              : undefined
        }
      />
      <div className={styles['buttons']}>
        <SubmitButton isBusy={act.state.kind === 'busy'}>Save</SubmitButton>
        <Button onPress={leave}>Cancel</Button>
      </div>
    </form>
  );
}
