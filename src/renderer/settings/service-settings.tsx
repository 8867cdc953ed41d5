/* The settings of the service itself: its port, its updates, where tokens are stored, and how long calls are recorded. */

import { defaultPort } from '../../contract/address.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { Text } from '../kit/text.tsx';
import styles from './settings.module.css';
import { ChosenSetting, Setting, TypedSetting } from './setting.tsx';
import type { SaveSettings } from './use-settings.ts';
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
import { portalStatus } from '../kit/live/resource.ts';
import { CallerKept } from '../../contract/calls/call.ts';
import { Settings, type SettingsChange } from '../../contract/service/settings.ts';
import { callSettingsText } from '../../text/calls/calls-window.ts';

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
  const { title, hint, label, invalid } = settingsText.port;
  return (
    <TypedSetting
      title={title}
      hint={hint(defaultPort)}
      label={label}
      example={String(defaultPort)}
      width="port"
      inputMode="numeric"
      present={String(port ?? '')}
      save={save}
      read={(typed) => checked('port', typed === '' ? null : countIn(typed)) ?? invalid}
    >
      <div className={styles['wide']}>
        <Text role="status" tone="soft" size="small" breaks>
          {nextStart(port ?? defaultPort, baseUrl)}
        </Text>
      </div>
    </TypedSetting>
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
  const { title, on, off, label, example } = settingsText.updates;
  return (
    <TypedSetting
      title={title}
      hint={feed === null ? off : on}
      label={label}
      example={example}
      inputMode="url"
      present={feed ?? ''}
      save={save}
      read={(typed) => ({ update_feed: typed === '' ? null : typed })}
    >
      {desktop?.checkForUpdates === undefined || feed === null ? null : (
        <LookForUpdates ask={desktop.checkForUpdates} />
      )}
    </TypedSetting>
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

const { days, caller, outside, perHour } = callSettingsText;

const kinds = CallerKept.options.map((value) => ({ value, label: caller.kept[value] }));

/** How long records of calls are kept, and how much of a number is kept in them. */
export function CallRecordSettings({ settings, save }: { settings: Settings; save: SaveSettings }) {
  return (
    <>
      <TypedSetting
        {...days}
        width="time"
        inputMode="numeric"
        present={String(settings.call_records_days)}
        save={save}
        read={(typed) => checked('call_records_days', countIn(typed)) ?? days.invalid}
      />
      <ChosenSetting
        {...caller}
        options={kinds}
        present={settings.call_records_caller}
        save={save}
        read={(call_records_caller) => ({ call_records_caller })}
      />
    </>
  );
}

/** Which outside numbers menus may call, and how often. */
export function OutsideSettings({ settings, save }: { settings: Settings; save: SaveSettings }) {
  const { outside_countries: codes, outside_calls_per_hour: calls } = settings;
  return (
    <>
      <TypedSetting
        {...outside}
        about={codes.length === 0 ? outside.none : outside.names(codes)}
        width="content"
        present={codes.join(', ')}
        save={save}
        read={(typed) =>
          checked(
            'outside_countries',
            typed.split(/[\s,;]+/).filter((code) => code !== ''),
          ) ?? outside.invalid
        }
      />
      <TypedSetting
        {...perHour}
        width="time"
        inputMode="numeric"
        present={String(calls)}
        save={save}
        read={(typed) => checked('outside_calls_per_hour', countIn(typed)) ?? perHour.invalid}
      />
    </>
  );
}

/** The change of a setting, checked by its schema; null for what that refuses. */
function checked(name: keyof Settings, value: unknown): SettingsChange | null {
  const read = Settings.shape[name].safeParse(value);
  return read.success ? { [name]: read.data } : null;
}

/** A whole number that was typed; anything else stays as it is, which the schema of a number refuses. */
function countIn(typed: string): number | string {
  return /^\d{1,5}$/.test(typed) ? Number(typed) : typed;
}
