import { type DragEvent, useId, useRef, useState } from 'react';
import type { DraftId, IvrDocument } from '../../../../contract/ivr-draft.ts';
import { readImport } from '../../../../core/ivr/import/read-import.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { Button, SubmitButton } from '../../../kit/button.tsx';
import { countWords } from '../../../../text/count.ts';
import { importErrors, importWarnings } from '../../../../text/flow-import.ts';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { Field } from '../../../kit/field.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { problemWords } from '../../../kit/problem-words.ts';
import styles from './exchange.module.css';

/** The largest file that is read at all, in bytes; what is in it is bounded by the reader. */
const largestFile = 4 * 1024 * 1024;

/** Makes a drawing of JSON from elsewhere: pasted, chosen, or dropped here. Says first what it is and what is left out. */
export function ImportDialog({
  onClose,
  onImported,
}: {
  onClose: () => void;
  onImported: (draftId: DraftId) => void;
}) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [isOver, setOver] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [reason, setReason] = useState<string>();
  const read = text.trim() === '' ? null : readImport(text);

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    if (file.size > largestFile) {
      setReason(`${file.name} is larger than 4 MiB. Import it in parts.`);
      return;
    }
    setText(await file.text());
    setReason(undefined);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  async function create(document: IvrDocument): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    const reply = await askPortal('createDraft', { body: { document } });
    setBusy(false);
    if (reply.kind === 'ok') onImported(reply.value.id);
    else setReason(problemWords(reply, 'the drawing was kept'));
  }

  return (
    <Dialog ref={ref} title="Import" mayClose={() => !isBusy} onClose={onClose}>
      <form
        className={styles['exchange']}
        onSubmit={(event) => {
          event.preventDefault();
          if (read?.ok === true) void create(read.value.document);
        }}
      >
        <p className={styles['note']}>
          A body of POST /v1/ivr or a list of them, menus as GET /v1/ivrs of the platform shows them, or a
          drawing that was exported here.
        </p>
        <div
          className={styles['drop']}
          data-over={isOver}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <Field label="JSON file" hint="Or drop it here.">
            {(tied) => (
              <input
                {...tied}
                type="file"
                className={styles['file']}
                accept=".json,application/json"
                onChange={({ target }) => void take(target.files?.[0])}
              />
            )}
          </Field>
          <Field label="Or paste it">
            {(tied) => (
              <textarea
                {...tied}
                className={styles['text']}
                value={text}
                spellCheck={false}
                aria-describedby={`${id}-found`}
                onChange={({ target }) => setText(target.value)}
              />
            )}
          </Field>
        </div>
        <div id={`${id}-found`} role="status" className={styles['said']}>
          {read === null ? null : <ImportFindings read={read} />}
        </div>
        <DialogButtons>
          <FormRefusal reason={reason} />
          <Button
            onPress={() => {
              if (!isBusy) ref.current?.close();
            }}
          >
            Cancel
          </Button>
          {read?.ok === true ? (
            <SubmitButton isBusy={isBusy}>{isBusy ? 'Importing …' : 'Import'}</SubmitButton>
          ) : null}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What a text is, and what is left out of it; or what is wrong with it and where. */
function ImportFindings({ read }: { read: ReturnType<typeof readImport> }) {
  if (!read.ok) {
    return (
      <div className={styles['found']} data-tone="bad">
        <p>This cannot be imported:</p>
        <ul>
          {importErrors(read.refusal).map(({ field, message }, place) => (
            <li key={place}>
              {field === '' ? 'The text' : <code>{field}</code>} {message}.
            </li>
          ))}
        </ul>
      </div>
    );
  }
  const { document } = read.value;
  const warnings = importWarnings(read.value.warnings);
  return (
    <div className={styles['found']}>
      <p>{wholeWords(document)}</p>
      {warnings.length === 0 ? null : (
        <>
          <p>{countWords(warnings.length, 'warning')}:</p>
          <ul>
            {warnings.map((warning, place) => (
              <li key={place}>{warning}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function wholeWords({ name, nodes, scenarios }: IvrDocument): string {
  const all = Object.values(nodes);
  const menus = all.filter(({ kind }) => kind === 'menu').length;
  const parts = [
    countWords(menus, 'menu'),
    countWords(all.length - menus, 'destination'),
    countWords(Object.keys(scenarios).length, 'scenario'),
  ];
  return `“${name}”: ${parts.join(', ')}.`;
}
