import { type ReactNode, useRef, useState } from 'react';
import { backupPassphraseHeader, backupPath } from '../../contract/address.ts';
import type { RestoreSummary } from '../../contract/service/backup.ts';
import { minPassphraseCharacters } from '../../contract/credential/vault-problem.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button, SubmitButton } from '../kit/button.tsx';
import { desktop } from '../kit/desktop-bridge.ts';
import { Dialog, DialogButtons } from '../kit/dialog.tsx';
import { FormRefusal } from '../kit/form-refusal.tsx';
import { Row } from '../kit/layout.tsx';
import { Moment } from '../kit/moment.tsx';
import pageStyles from '../kit/page.module.css';
import { readFile } from '../kit/read-portal.ts';
import { RichText } from '../kit/rich-text.tsx';
import { saveFile } from '../kit/save-file.ts';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
import { type Act, isBusyWith, useAct } from '../kit/use-act.ts';
import { Setting } from './setting.tsx';

const { backup: text, restore: restoreText } = settingsText;

/** Everything as one encrypted file, and back. */
export function BackupSetting() {
  const [dialog, setDialog] = useState<'backup' | 'restore' | null>(null);
  const close = (): void => setDialog(null);
  return (
    <Setting title={text.title} hint={text.hint} saving={{ kind: 'idle' }}>
      <Row gap={2}>
        <Button onPress={() => setDialog('backup')}>{text.back}</Button>
        <Button onPress={() => setDialog('restore')}>{text.restore}</Button>
      </Row>
      {dialog === 'backup' ? <BackupDialog onClose={close} /> : null}
      {dialog === 'restore' ? <RestoreDialog onClose={close} /> : null}
    </Setting>
  );
}

/** Asks for a passphrase twice, and offers the file for saving. */
function BackupDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const act = useAct();
  const [passphrase, setPassphrase] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const isTooShort = Array.from(passphrase).length < minPassphraseCharacters;
  const differs = repeated !== passphrase;

  async function make(): Promise<void> {
    setTried(true);
    if (isTooShort || differs) return;
    const made = await act.run('make', () => readFile(backupPath, { passphrase }));
    if (made === null) return;
    const day = new Date().toISOString().slice(0, 10);
    saveFile(text.fileName(day), made.value.content);
    setSaved(true);
  }
  if (isSaved)
    return (
      <DoneDialog title={text.title} onClose={onClose}>
        {text.saved}
      </DoneDialog>
    );
  return (
    <Dialog ref={ref} title={text.question} mayClose={() => !isBusyWith(act, 'make')} onClose={onClose}>
      <form
        className={pageStyles['stack']}
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Text tone="soft">{text.lead}</Text>
        <TextField
          label={text.passphrase}
          value={passphrase}
          isSecret
          isRequired
          error={isTried && isTooShort ? text.tooShort : undefined}
          onChange={setPassphrase}
        />
        <TextField
          label={text.repeat}
          value={repeated}
          isSecret
          isRequired
          error={isTried && !isTooShort && differs ? text.differs : undefined}
          onChange={setRepeated}
        />
        <Buttons act={act} onCancel={() => ref.current?.close()}>
          <SubmitButton isBusy={isBusyWith(act, 'make')}>
            {isBusyWith(act, 'make') ? text.making : text.confirm}
          </SubmitButton>
        </Buttons>
      </form>
    </Dialog>
  );
}

/** Sends a backup, shows what it has, and then has it restored. */
function RestoreDialog({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const fileRef = useRef<HTMLInputElement>(null);
  const act = useAct();
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [found, setFound] = useState<RestoreSummary | null>(null);
  const [isBegun, setBegun] = useState(false);

  async function check(): Promise<void> {
    if (file === null || passphrase === '') return;
    const headers = { [backupPassphraseHeader]: base64url(passphrase) };
    const staged = await act.run('check', () => askPortal('stageRestore', { headers, body: file }));
    if (staged !== null) setFound(staged.value);
  }

  async function begin(): Promise<void> {
    if ((await act.run('begin', () => askPortal('beginRestore', {}))) !== null) setBegun(true);
  }
  if (isBegun)
    return (
      <DoneDialog title={restoreText.question} onClose={onClose}>
        {restoreText.begun}
      </DoneDialog>
    );
  const isBusy = act.state.kind === 'busy';
  return (
    <Dialog ref={ref} title={restoreText.question} mayClose={() => !isBusy} onClose={onClose}>
      <form
        className={pageStyles['stack']}
        onSubmit={(event) => {
          event.preventDefault();
          void (found === null ? check() : begin());
        }}
      >
        <Text tone="soft">{restoreText.lead}</Text>
        {found === null ? (
          <>
            <Row gap={2}>
              <Button onPress={() => fileRef.current?.click()}>{restoreText.choose}</Button>
              <input
                ref={fileRef}
                type="file"
                hidden
                aria-label={restoreText.file}
                onChange={({ currentTarget }) => {
                  setFile(currentTarget.files?.[0] ?? null);
                  act.clear();
                }}
              />
              {file === null ? null : <Text breaks>{file.name}</Text>}
            </Row>
            <TextField
              label={restoreText.passphrase}
              value={passphrase}
              isSecret
              isRequired
              onChange={setPassphrase}
            />
          </>
        ) : (
          <Found found={found} />
        )}
        <Buttons act={act} onCancel={() => ref.current?.close()}>
          <SubmitButton isBusy={isBusy || (found === null && (file === null || passphrase === ''))}>
            {submitText(found !== null, isBusy)}
          </SubmitButton>
        </Buttons>
      </form>
    </Dialog>
  );
}

function submitText(isChecked: boolean, isBusy: boolean): string {
  if (isChecked) return isBusy ? restoreText.beginning : restoreText.confirm;
  return isBusy ? restoreText.checking : restoreText.check;
}

/** What a backup has, and what follows from restoring it. */
function Found({ found }: { found: RestoreSummary }) {
  const { made_at: at, machine, version } = found;
  return (
    <div role="status">
      <Text>
        <RichText text={restoreText.madeAt} parts={{ at: <Moment at={at} />, machine, version }} />{' '}
        {restoreText.holds(found)}
      </Text>
      <ul className={pageStyles['consequences']}>
        {restoreText.consequences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

function Buttons({ act, onCancel, children }: { act: Act; onCancel: () => void; children: ReactNode }) {
  return (
    <DialogButtons>
      <FormRefusal reason={act.state.kind === 'refused' ? act.state.reason : undefined} />
      <Button onPress={onCancel}>{text.cancel}</Button>
      {children}
    </DialogButtons>
  );
}

/** What was done, and what to do now. */
function DoneDialog({ title, onClose, children }: { title: string; onClose: () => void; children: string }) {
  const ref = useRef<HTMLDialogElement>(null);
  const restart = children === restoreText.begun ? desktop?.restart : undefined;
  return (
    <Dialog ref={ref} title={title} mayClose={() => true} onClose={onClose}>
      <Text role="status">{children}</Text>
      <DialogButtons>
        <Button onPress={() => ref.current?.close()}>{text.close}</Button>
        {restart === undefined ? null : (
          <ActionButton rank="main" onPress={() => void restart()}>
            {restoreText.restart}
          </ActionButton>
        )}
      </DialogButtons>
    </Dialog>
  );
}

function base64url(words: string): string {
  const bytes = Array.from(new TextEncoder().encode(words), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
