import { useState } from 'react';
import { backupPassphraseHeader, backupPath } from '../../contract/address.ts';
import type { RestoreSummary } from '../../contract/service/backup.ts';
import { minPassphraseCharacters } from '../../contract/credential/vault-problem.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { ActionButton, Button } from '../kit/button.tsx';
import { desktop } from '../kit/desktop-bridge.ts';
import { ChooseFile } from '../kit/choose-file.tsx';
import { Consequences, Dialog, DialogButtons, QuestionDialog } from '../kit/dialog.tsx';
import { Row } from '../kit/layout.tsx';
import { Moment } from '../kit/moment.tsx';
import { readFile } from '../kit/read-portal.ts';
import { RichText } from '../kit/rich-text.tsx';
import { saveFile } from '../kit/save-file.ts';
import { Text } from '../kit/text.tsx';
import { TextField } from '../kit/text-field.tsx';
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
  const [passphrase, setPassphrase] = useState('');
  const [repeated, setRepeated] = useState('');
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const isTooShort = Array.from(passphrase).length < minPassphraseCharacters;
  const differs = repeated !== passphrase;

  function make(): ReturnType<typeof readFile> | null {
    setTried(true);
    return isTooShort || differs ? null : readFile(backupPath, { posted: { passphrase } });
  }
  if (isSaved)
    return (
      <DoneDialog title={text.title} onClose={onClose}>
        {text.saved}
      </DoneDialog>
    );
  return (
    <QuestionDialog
      title={text.question}
      cancel={text.cancel}
      verb={text.confirm}
      pending={text.making}
      staysOpen
      ask={make}
      onDone={({ content }) => {
        saveFile(text.fileName(new Date().toISOString().slice(0, 10)), content);
        setSaved(true);
      }}
      onClose={onClose}
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
    </QuestionDialog>
  );
}

/** Sends a backup, shows what it has, and then has it restored. */
function RestoreDialog({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [found, setFound] = useState<RestoreSummary | null>(null);
  const [isBegun, setBegun] = useState(false);

  if (isBegun)
    return (
      <DoneDialog title={restoreText.question} onClose={onClose}>
        {restoreText.begun}
      </DoneDialog>
    );
  const shared = { title: restoreText.question, cancel: text.cancel, staysOpen: true, onClose };
  if (found !== null)
    return (
      <QuestionDialog
        {...shared}
        verb={restoreText.confirm}
        pending={restoreText.beginning}
        ask={() => askPortal('beginRestore', {})}
        onDone={() => setBegun(true)}
      >
        <Text tone="soft">{restoreText.lead}</Text>
        <Found found={found} />
      </QuestionDialog>
    );
  const headers = { [backupPassphraseHeader]: base64url(passphrase) };
  return (
    <QuestionDialog
      {...shared}
      verb={restoreText.check}
      pending={restoreText.checking}
      isReady={file !== null && passphrase !== ''}
      ask={() => (file === null ? null : askPortal('stageRestore', { headers, body: file }))}
      onDone={setFound}
    >
      <Text tone="soft">{restoreText.lead}</Text>
      <Row gap={2}>
        <ChooseFile
          label={restoreText.choose}
          name={restoreText.file}
          onFiles={([chosen = null]) => setFile(chosen)}
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
    </QuestionDialog>
  );
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
      <Consequences of={restoreText.consequences} />
    </div>
  );
}

/** What was done, and what to do now. */
function DoneDialog({ title, onClose, children }: { title: string; onClose: () => void; children: string }) {
  const restart = children === restoreText.begun ? desktop?.restart : undefined;
  return (
    <Dialog title={title} mayClose={() => true} onClose={onClose}>
      <Text role="status">{children}</Text>
      <DialogButtons cancel={text.close}>
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
