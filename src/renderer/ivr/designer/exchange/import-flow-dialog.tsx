import { type DragEvent, useId, useRef, useState } from 'react';
import { problemText } from '../../../../text/window/connection.ts';
import type { DraftId, IvrDocument } from '../../../../contract/menu/ivr-draft.ts';
import { readImport } from '../../../../core/ivr/import/read-import.ts';
import { Button, SubmitButton } from '../../../kit/button.tsx';
import { importErrors, importText as text, importWarnings } from '../../../../text/menu/flow-import.ts';
import { ChooseFile } from '../../../kit/choose-file.tsx';
import { Dialog, DialogButtons } from '../../../kit/dialog.tsx';
import { Field } from '../../../kit/field.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Text } from '../../../kit/text.tsx';
import { FormRefusal } from '../../../kit/form-refusal.tsx';
import { readTextFile } from '../../../kit/read-text-file.ts';
import { spreadOut } from '../layout/auto-layout.ts';
import panel from '../panel.module.css';
import styles from './exchange.module.css';
import { createDraft } from '../../drafts/open-in-designer.tsx';

/** The largest file that is read; its content has further limits. */
const largestMib = 4;

/** Creates a draft from JSON that is pasted, chosen or dropped; shows first what it contains and what is left out. */
export function ImportDialog({
  onClose,
  onImported,
}: {
  onClose: () => void;
  onImported: (draftId: DraftId) => void;
}) {
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const [json, setJson] = useState('');
  const [isOver, setOver] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [reason, setReason] = useState<string>();
  const [note, setNote] = useState<string | null>(null);
  const read = json.trim() === '' ? null : readImport(json);

  async function take(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const taken = await readTextFile(file, largestMib);
    setReason(taken.ok ? undefined : taken.reason);
    if (!taken.ok) return;
    setJson(taken.text);
    setNote(taken.note);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  }

  async function create(document: IvrDocument): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    const reply = await createDraft(spreadOut(document));
    setBusy(false);
    if (reply.kind === 'ok') onImported(reply.value);
    else setReason(problemText(reply, 'draft_created'));
  }

  return (
    <Dialog ref={ref} title={text.title} mayClose={() => !isBusy} onClose={onClose}>
      <form
        className={panel['column']}
        onSubmit={(event) => {
          event.preventDefault();
          if (read?.ok === true) void create(read.value.document);
        }}
      >
        <p className={panel['note']}>{text.what}</p>
        <Stack
          gap={3}
          className={styles['drop']}
          data-over={isOver}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <Row gap={3} align="center" wraps>
            <ChooseFile
              label={text.choose}
              name={text.file}
              accept=".json,.txt,.conf,.xml,application/json,text/plain,text/xml"
              onFiles={([file]) => void take(file)}
            />
            <Text size="small" tone="soft">
              {text.drop}
            </Text>
          </Row>
          <Field label={text.paste}>
            {(tied) => (
              <textarea
                {...tied}
                className={styles['text']}
                value={json}
                spellCheck={false}
                aria-describedby={`${id}-found`}
                onChange={({ target }) => {
                  setJson(target.value);
                  setNote(null);
                }}
              />
            )}
          </Field>
        </Stack>
        <div id={`${id}-found`} role="status">
          {note === null ? null : <p className={panel['note']}>{note}</p>}
          {read === null ? null : <ImportFindings read={read} />}
        </div>
        <DialogButtons>
          <FormRefusal reason={reason} />
          <Button
            onPress={() => {
              if (!isBusy) ref.current?.close();
            }}
          >
            {text.cancel}
          </Button>
          {read?.ok === true ? (
            <SubmitButton isBusy={isBusy}>{isBusy ? text.importing : text.import}</SubmitButton>
          ) : null}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

/** What the JSON contains and what is left out, or why it cannot be imported. */
function ImportFindings({ read }: { read: ReturnType<typeof readImport> }) {
  if (!read.ok) {
    return (
      <Text as="div" tone="bad" size="medium" breaks className={styles['found']}>
        <p>{text.refused}</p>
        <ul>
          {importErrors(read.refusal).map(({ field, message }, place) => (
            <li key={place}>
              {field === '' ? text.whole : <code>{field}</code>} {message}.
            </li>
          ))}
        </ul>
      </Text>
    );
  }
  const { document } = read.value;
  const warnings = importWarnings(read.value.warnings);
  return (
    <Text as="div" size="medium" breaks className={styles['found']}>
      <p>{foundText(document)}</p>
      {warnings.length === 0 ? null : (
        <>
          <p>{text.warnings(warnings.length)}</p>
          <ul>
            {warnings.map((warning, place) => (
              <li key={place}>{warning}</li>
            ))}
          </ul>
        </>
      )}
    </Text>
  );
}

function foundText({ name, nodes, scenarios }: IvrDocument): string {
  const all = Object.values(nodes);
  const menus = all.filter(({ kind }) => kind === 'menu').length;
  return text.found(name, {
    menus,
    destinations: all.length - menus,
    scenarios: Object.keys(scenarios).length,
  });
}
