import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { windowTitle } from '../../text/window/window.ts';
import { Row } from '../kit/layout.tsx';
import { Text } from '../kit/text.tsx';
import { directoryText as text, smsTemplatesText } from '../../text/menu/directory-text.ts';
import { Button } from '../kit/button.tsx';
import { QuestionDialog } from '../kit/dialog.tsx';
import { Field } from '../kit/field.tsx';
import { Empty } from '../kit/empty.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import inputStyles from '../kit/input.module.css';
import { useLive } from '../kit/live/use-live.ts';
import type { PortalReply } from '../kit/read-portal.ts';
import { RichText } from '../kit/rich-text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { Link, WayBack } from '../kit/link.tsx';
import { WindowFrame } from '../kit/window-frame.tsx';
import { WindowNav } from '../kit/window-nav.tsx';
import { presentSettings } from '../settings/use-settings.ts';
import {
  type Directory,
  type DirectoryChanges,
  type Entry,
  extensions,
  smsTemplates,
  useDirectory,
} from './use-directory.ts';
import { entryErrors, LengthWords } from './entry-form.tsx';
import { FoundEntries } from './found-entries.tsx';
import { ImportDialog } from './import-directory-dialog.tsx';
import { Box } from '../kit/box.tsx';

/** The extensions that this service knows. */
export function ExtensionsWindow() {
  return <DirectoryWindow directory={extensions} />;
}

/** The SMS templates that this service knows, and whether menus send any. */
export function SmsTemplatesWindow() {
  const settings = useLive(presentSettings).known?.value;
  return (
    <DirectoryWindow
      directory={smsTemplates}
      hint={settings?.sms_templates_enabled === false ? <SmsOffHint /> : null}
    />
  );
}

/** Says that templates have no effect now, and where that is changed. */
function SmsOffHint() {
  return (
    <Box as="p" tone="warn">
      <RichText
        text={smsTemplatesText.off}
        parts={{
          link: <Link to="/settings#menus">{smsTemplatesText.switchOn}</Link>,
        }}
      />
    </Box>
  );
}

/** A directory: searched, edited in its rows, imported and exported as CSV. */
function DirectoryWindow({ directory, hint }: { directory: Directory; hint?: ReactNode }) {
  const live = useLive(directory.live);
  const known = live.known?.value;
  const changes = useDirectory(directory);
  const [open, setOpen] = useState<'none' | 'add' | 'import'>('none');
  const add = (): void => setOpen('add');
  const importCsv = (): void => setOpen('import');
  const close = (): void => setOpen('none');

  return (
    <WindowFrame
      title={windowTitle(directory.text.title)}
      heading={directory.text.title}
      above={<WayBack to="/settings">{text.back}</WayBack>}
      below={<Text tone="soft">{directory.text.lead}</Text>}
      live={live}
      nav={<WindowNav current="settings" />}
    >
      {hint}
      <RemovedNote directory={directory} changes={changes} />
      {known === undefined ? null : (
        <Entries directory={directory} entries={known} changes={changes} onAdd={add} onImport={importCsv} />
      )}
      {open === 'add' ? <AddDialog directory={directory} entries={known ?? []} onClose={close} /> : null}
      {open === 'import' ? <ImportDialog directory={directory} onClose={close} /> : null}
    </WindowFrame>
  );
}

function Entries(props: ComponentProps<typeof FoundEntries>) {
  const { directory, entries, onAdd, onImport } = props;
  if (entries.length === 0) return <FirstEntry directory={directory} onAdd={onAdd} onImport={onImport} />;
  return <FoundEntries {...props} />;
}

/** Adds an entry. An existing id is reported, not overwritten. */
function AddDialog({
  directory,
  entries,
  onClose,
}: {
  directory: Directory;
  entries: readonly Entry[];
  onClose: () => void;
}) {
  const [draft, setDraft] = useState<Entry>({ id: '', name: '', text: directory.hasText ? '' : null });
  const [isTried, setTried] = useState(false);
  const taken = entries.find(({ id }) => id === draft.id);
  const errors = isTried ? entryErrors(draft) : {};
  const idError = taken === undefined ? errors.id : text.taken(taken.name);

  function add(): Promise<PortalReply<unknown>> | null {
    setTried(true);
    if (taken !== undefined || Object.keys(entryErrors(draft)).length > 0) return null;
    return directory.change({ set: [{ ...draft, name: draft.name.trim() }] });
  }
  return (
    <QuestionDialog
      title={directory.text.addTitle}
      cancel={text.cancel}
      verb={text.addButton}
      ask={add}
      change="entry_saved"
      onClose={onClose}
    >
      <TextField
        label={text.id.label}
        face="code"
        value={draft.id}
        hint={directory.text.idHint}
        error={idError}
        isRequired
        onChange={(id) => setDraft({ ...draft, id })}
      />
      <TextField
        label={text.name.label}
        value={draft.name}
        error={errors.name}
        isRequired
        onChange={(name) => setDraft({ ...draft, name })}
      />
      {draft.text === null ? null : (
        <Field label={text.text.label} error={errors.text} hint={<LengthWords text={draft.text} />}>
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
    </QuestionDialog>
  );
}

/** What to do while a directory is empty. */
function FirstEntry({
  directory,
  onAdd,
  onImport,
}: {
  directory: Directory;
  onAdd: () => void;
  onImport: () => void;
}) {
  return (
    <Empty
      title={directory.text.first}
      text={directory.text.empty}
      aside={
        <Text tone="soft" size="small">
          <RichText text={text.csvHeading} parts={{ heading: <code>{directory.csvHeading}</code> }} />
        </Text>
      }
    >
      <Button rank="main" onPress={onAdd}>
        {text.add}
      </Button>
      <Button onPress={onImport}>{text.import}</Button>
    </Empty>
  );
}

/** What was removed last, with the way to put it back; and why the last change was refused. */
function RemovedNote({
  directory,
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
    <>
      <div role="status">
        {removed === null ? null : (
          <Row gap={4} wraps align="center" justify="between">
            <Text breaks>
              {text.removed(removed.name, removed.id)} {directory.text.afterRemoval}
            </Text>
            <Button ref={undoRef} onPress={() => void undo()}>
              {text.undo}
            </Button>
          </Row>
        )}
      </div>
      <FormRefusal reason={act.refusal} />
    </>
  );
}
