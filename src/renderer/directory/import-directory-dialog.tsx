import { useMemo, useRef, useState } from 'react';
import { type Change, problemText } from '../../text/window/connection.ts';
import { Text } from '../kit/text.tsx';
import type { DirectoryImported, WantedColumns } from '../../contract/menu/directory.ts';
import type { FieldError } from '../../contract/problems.ts';
import { previewColumns, type ColumnsPreview } from '../../core/directory-file/read-entries.ts';
import { importNotes, directoryImportText as text } from '../../text/menu/directory-text.ts';
import { ActionButton } from '../kit/button.tsx';
import { ChooseFile } from '../kit/choose-file.tsx';
import { Consequences, Dialog, DialogButtons } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import inputStyles from '../kit/input.module.css';
import type { PortalProblem } from '../kit/read-portal.ts';
import { readTextFile } from '../kit/read-text-file.ts';
import { RichText } from '../kit/rich-text.tsx';
import type { Directory } from './use-directory.ts';
import { Grid, Stack } from '../kit/layout.tsx';

/** Imports entries from CSV, after showing what that adds and changes. It never removes any. */
export function ImportDialog({ directory, onClose }: { directory: Directory; onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const { csv, columns, note, state, read, type, choose, run } = useImport(directory);
  const preview = useMemo(() => previewColumns(directory.kind, csv, columns), [directory, csv, columns]);
  const would = state.kind === 'preview' || state.kind === 'importing' ? state.would : null;
  const changes = would === null ? 0 : would.added.length + would.changed.length;

  return (
    <Dialog
      ref={ref}
      title={text.title(directory.text.many)}
      mayClose={() => state.kind !== 'importing'}
      onClose={onClose}
    >
      <Stack gap={4}>
        <Text tone="soft">
          <RichText text={text.lead} parts={{ heading: <code>{directory.csvHeading}</code> }} />
        </Text>
        <div>
          <ChooseFile
            label={text.choose}
            name={text.file}
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onFiles={([file]) => void read(file)}
          />
        </div>
        <Field label={text.paste}>
          {(tied) => (
            <textarea
              {...tied}
              className={inputStyles['input']}
              data-face="code"
              rows={5}
              value={csv}
              spellCheck={false}
              placeholder={directory.csvHeading}
              onChange={({ target }) => void type(target.value)}
            />
          )}
        </Field>
        {preview === null ? null : (
          <ColumnChoice
            preview={preview}
            isDisabled={state.kind === 'importing'}
            onChoose={(field, places) => void choose(field, places)}
          />
        )}
        <ImportPreview state={state} note={note} />
      </Stack>
      <DialogButtons
        cancel={text.cancel}
        refusal={state.kind === 'refused' && state.errors.length === 0 ? state.reason : undefined}
      >
        <ActionButton
          rank="main"
          isBusy={state.kind !== 'preview' || changes === 0}
          onPress={() => would !== null && void run(would).then((isDone) => isDone && ref.current?.close())}
        >
          {state.kind === 'importing' ? text.importing : text.import(changes)}
        </ActionButton>
      </DialogButtons>
    </Dialog>
  );
}

/** As many as are named; of more only the number is said. */
const named = 12;

/** What an import would do, by id; or what is wrong with it, line by line. */
function ImportPreview({ state, note }: { state: ImportState; note: string | null }) {
  return (
    <Text as="div" role="status" size="medium" breaks>
      {note === null ? null : <p>{note}</p>}
      <Words state={state} />
    </Text>
  );
}

function Words({ state }: { state: ImportState }) {
  switch (state.kind) {
    case 'nothing':
      return null;
    case 'looking':
      return <p>{text.reading}</p>;
    case 'refused':
      if (state.errors.length === 0) return null;
      return (
        <>
          <Text tone="bad" weight="strong">
            {text.errors}
          </Text>
          <Consequences
            of={state.errors.slice(0, named).map(({ field, message }) => text.row(field, message))}
          />
          <Rest count={state.errors.length - named} />
        </>
      );
    case 'preview':
    case 'importing': {
      const { added, changed, unchanged } = state.would;
      const notes = importNotes(state.would);
      return (
        <>
          <Ids what={text.adds(added.length)} ids={added} />
          <Ids what={text.changes(changed.length)} ids={changed} />
          {unchanged === 0 ? null : <p>{text.unchanged(unchanged)}</p>}
          {added.length + changed.length === 0 ? <p>{text.nothing}</p> : null}
          {notes.map((one) => (
            <p key={one}>{one}</p>
          ))}
        </>
      );
    }
  }
}

function Ids({ what, ids }: { what: string; ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <p>
      <strong>{what}</strong> {text.ids(ids.slice(0, named).join(', '), ids.length - named)}
    </p>
  );
}

function Rest({ count }: { count: number }) {
  return count > 0 ? <p>{text.more(count)}</p> : null;
}

/** What an import would do, or why it cannot. */
type ImportState =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'looking' }
  | { readonly kind: 'preview'; readonly would: DirectoryImported }
  | { readonly kind: 'importing'; readonly would: DirectoryImported }
  | { readonly kind: 'refused'; readonly reason: string; readonly errors: readonly FieldError[] };

/** More than the service takes, which says so. */
const largestMib = 8;

/** Has the service say what a CSV text would change, and then has it changed. What is imported is decided there alone. */
function useImport({ importCsv }: Directory) {
  const [csv, setCsv] = useState('');
  const [columns, setColumns] = useState<WantedColumns>({});
  /** How the file was read. */
  const [note, setNote] = useState<string | null>(null);
  const [state, setState] = useState<ImportState>({ kind: 'nothing' });
  const last = useRef(0);

  function refuse(problem: PortalProblem, change?: Change): void {
    const errors = problem.kind === 'refused' ? (problem.errors ?? []) : [];
    setState({ kind: 'refused', reason: problemText(problem, change), errors });
  }
  async function look(text: string, wanted: WantedColumns): Promise<void> {
    const mine = (last.current += 1);
    setCsv(text);
    setColumns(wanted);
    if (text.trim() === '') {
      setState({ kind: 'nothing' });
      return;
    }
    setState({ kind: 'looking' });
    const reply = await importCsv({ csv: text, columns: wanted, dry_run: true });
    if (mine !== last.current) return; // something newer has been typed
    if (reply.kind === 'ok') setState({ kind: 'preview', would: reply.value });
    else refuse(reply);
  }
  /** Other headings are other columns. */
  async function type(typed: string): Promise<void> {
    setNote(null);
    await look(typed, headingLineOf(typed) === headingLineOf(csv) ? columns : {});
  }
  async function read(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    const mine = (last.current += 1);
    const taken = await readTextFile(file, largestMib);
    if (mine !== last.current) return;
    setNote(taken.ok ? taken.note : null);
    if (taken.ok) {
      await look(taken.text, {});
      return;
    }
    setCsv('');
    setState({ kind: 'refused', reason: taken.reason, errors: [] });
  }
  async function choose(field: keyof WantedColumns, places: number[]): Promise<void> {
    await look(csv, { ...columns, [field]: places });
  }
  /** Answers whether it was imported. */
  async function run(would: DirectoryImported): Promise<boolean> {
    last.current += 1;
    setState({ kind: 'importing', would });
    const reply = await importCsv({ csv, columns, dry_run: false });
    if (reply.kind !== 'ok') refuse(reply, 'entries_imported');
    return reply.kind === 'ok';
  }
  return { csv, columns, note, state, read, type, choose, run };
}

function headingLineOf(text: string): string {
  return /^(?:"?sep=[^\r\n]*\r?\n)?[^\r\n]*/i.exec(text)?.[0] ?? '';
}

/** Which column of a file is which field, with its first values below: as the headings tell, until a person says otherwise. */
function ColumnChoice({
  preview: { headings, fields },
  isDisabled,
  onChoose,
}: {
  preview: ColumnsPreview;
  isDisabled: boolean;
  onChoose: (field: keyof WantedColumns, columns: number[]) => void;
}) {
  return (
    <Grid min={12} gap={4} role="group" aria-label={text.columns}>
      {fields.map(({ field, places, samples }) => (
        <Field
          key={field}
          label={text.column(field)}
          hint={samples.length === 0 ? text.noSamples : text.samples(samples)}
        >
          {(tied) => (
            <select
              {...tied}
              className={inputStyles['input']}
              value={places.join()}
              disabled={isDisabled}
              onChange={({ target }) =>
                onChoose(
                  field as keyof WantedColumns,
                  target.value.split(',').map((at) => Number(at) + 1),
                )
              }
            >
              {places.length === 0 ? <option value="">{text.chooseColumn}</option> : null}
              {places.length > 1 ? (
                <option value={places.join()}>
                  {places.map((at) => text.columnName(headings[at] ?? '', at + 1)).join(' + ')}
                </option>
              ) : null}
              {headings.map((heading, at) => (
                <option key={at} value={at}>
                  {text.columnName(heading, at + 1)}
                </option>
              ))}
            </select>
          )}
        </Field>
      ))}
    </Grid>
  );
}
