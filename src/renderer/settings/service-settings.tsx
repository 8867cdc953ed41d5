/* The settings of the service itself: its port, its updates, where tokens are stored, and how long calls are recorded. */

import { defaultPort } from '../../contract/address.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { TextField } from '../kit/text-field.tsx';
import { Text } from '../kit/text.tsx';
import styles from './settings.module.css';
import { Setting } from './setting.tsx';
import { type SaveSettings, useSaving } from './use-settings.ts';
import { useTyped } from './use-typed.ts';
import { useState } from 'react';
import { Button } from '../kit/button.tsx';
import { desktop, desktopWords } from '../kit/desktop-bridge.ts';
import { Row } from '../kit/layout.tsx';
import type { VaultKind } from '../../contract/credential/credential-view.ts';
import { whereTokensAre } from '../../text/credential/vault-text.ts';
import { vault as vaultOfCredentials } from '../credentials/read-credentials.ts';
import { askPortal } from '../kit/ask-portal.ts';
import { Consequences, QuestionDialog } from '../kit/dialog.tsx';
import { changeKnown, windowCache } from '../kit/live/window-cache.ts';
import { portalStatus } from '../kit/live/window-status.ts';
import { CallerKept } from '../../contract/calls/call.ts';
import type { Settings } from '../../contract/service/settings.ts';
import { callSettingsText } from '../../text/calls/calls-window.ts';
import { Choice } from '../kit/choice.tsx';

/** The port from the next start on; empty is the usual one. Saved when the field is left. */
export function PortSetting({
  port,
  baseUrl,
  save,
}: {
  port: number | null;
  /** Where the service listens now. */
  baseUrl: string;
  save: SaveSettings;
}) {
  const { saving, field, send } = useTyped(String(port ?? ''), save, (typed) =>
    /^\d*$/.test(typed) ? { port: typed === '' ? null : Number(typed) } : settingsText.port.invalid,
  );

  return (
    <Setting title={settingsText.port.title} hint={settingsText.port.hint(defaultPort)} saving={saving}>
      <form className={styles['port']} noValidate onSubmit={send}>
        <TextField
          label={settingsText.port.label}
          face="code"
          placeholder={String(defaultPort)}
          inputMode="numeric"
          {...field}
        />
      </form>
      <div className={styles['wide']}>
        <Text role="status" tone="soft" size="small" breaks>
          {nextStart(port ?? defaultPort, baseUrl)}
        </Text>
      </div>
    </Setting>
  );
}

/** What changes with the next start; nothing when it stays as it is. */
function nextStart(port: number, baseUrl: string): string {
  const next = new URL(baseUrl);
  next.port = String(port);
  if (next.origin === new URL(baseUrl).origin) return '';
  return settingsText.port.next(next.origin, baseUrl);
}

/** Where new versions are looked for: nowhere, unless an address is given. Saved when the field is left. */
export function UpdateFeedSetting({ feed, save }: { feed: string | null; save: SaveSettings }) {
  const { saving, field, send } = useTyped(feed ?? '', save, (typed) => ({
    update_feed: typed === '' ? null : typed,
  }));

  return (
    <Setting
      title={settingsText.updates.title}
      hint={feed === null ? settingsText.updates.off : settingsText.updates.on}
      saving={saving}
    >
      <form className={styles['wide']} noValidate onSubmit={send}>
        <TextField
          label={settingsText.updates.label}
          face="code"
          placeholder={settingsText.updates.example}
          inputMode="url"
          {...field}
        />
      </form>
      {desktop?.checkForUpdates === undefined || feed === null ? null : (
        <LookForUpdates ask={desktop.checkForUpdates} />
      )}
    </Setting>
  );
}

function LookForUpdates({ ask }: { ask: () => Promise<{ readonly words: string }> }) {
  const [words, setWords] = useState('');

  function look(): void {
    setWords(settingsText.updates.checking);
    ask().then(
      (answer) => setWords(answer.words),
      (error: unknown) => setWords(desktopWords(error)),
    );
  }
  return (
    <Row gap={4} wraps align="center">
      <Button onPress={look}>{settingsText.updates.check}</Button>
      <Text role="status" size="small">
        {words}
      </Text>
    </Row>
  );
}

/** Where the tokens of credentials are and what protects them there, and the way to the other place on this machine. */
export function VaultSetting({ vault }: { vault: VaultKind }) {
  const [isAsking, setAsking] = useState(false);
  const { kind } = vault;
  return (
    <Setting title={settingsText.vault.title} hint={whereTokensAre(vault)} saving={{ kind: 'idle' }}>
      {kind !== 'keychain' && kind !== 'file' ? null : (
        <Button onPress={() => setAsking(true)}>{settingsText.vault.move[kind]}</Button>
      )}
      {isAsking && (kind === 'keychain' || kind === 'file') ? (
        <MoveVaultDialog from={kind} onClose={() => setAsking(false)} />
      ) : null}
    </Setting>
  );
}

/** What the move does, before it is made. */
function MoveVaultDialog({ from, onClose }: { from: 'keychain' | 'file'; onClose: () => void }) {
  const to = from === 'file' ? 'keychain' : 'file';
  return (
    <QuestionDialog
      title={settingsText.vault.question[from]}
      cancel={settingsText.vault.cancel}
      verb={settingsText.vault.confirm}
      pending={settingsText.vault.moving}
      ask={() => askPortal('moveVault', { body: { to } })}
      change="tokens_moved"
      onDone={({ vault }) => {
        changeKnown(windowCache, portalStatus, (known) => ({ ...known, vault }));
        void windowCache.invalidateQueries({ queryKey: vaultOfCredentials.key });
      }}
      onClose={onClose}
    >
      <Consequences of={settingsText.vault.consequences[from]} />
    </QuestionDialog>
  );
}

const kinds = CallerKept.options.map((value) => ({
  value,
  label: callSettingsText.caller.kept[value],
}));

/** How long records of calls are kept, and how much of a number is kept in them. */
export function CallRecordSettings({ settings, save }: { settings: Settings; save: SaveSettings }) {
  const { call_records_days: days, call_records_caller: kept } = settings;
  return (
    <>
      <DaysSetting days={days} save={save} />
      <CallerSetting kept={kept} save={save} />
    </>
  );
}

function DaysSetting({ days, save }: { days: number; save: SaveSettings }) {
  const { days: text } = callSettingsText;
  const { saving, field, send } = useTyped(String(days), save, (typed) => {
    const count = /^\d{1,4}$/.test(typed) ? Number(typed) : 0;
    return count >= 1 && count <= 3650 ? { call_records_days: count } : text.invalid;
  });
  return (
    <Setting title={text.title} hint={text.hint} saving={saving}>
      <form className={styles['time']} noValidate onSubmit={send}>
        <TextField label={text.label} face="code" inputMode="numeric" {...field} />
      </form>
    </Setting>
  );
}

function CallerSetting({ kept, save }: { kept: CallerKept; save: SaveSettings }) {
  const { caller: text } = callSettingsText;
  const { saving, submit } = useSaving(save);
  const [chosen, setChosen] = useState(kept);

  function change(wanted: CallerKept): void {
    setChosen(wanted);
    void submit({ call_records_caller: wanted });
  }
  return (
    <Setting title={text.title} hint={text.hint} saving={saving}>
      <Choice
        label={text.title}
        options={kinds}
        value={saving.kind === 'saving' ? chosen : kept}
        onChange={change}
      />
    </Setting>
  );
}
