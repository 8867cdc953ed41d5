/* What the desktop app keeps itself, not the service: its switches, its icon, and the host for a team beside it. */

import { useCallback, useEffect, useState } from 'react';
import {
  type DesktopSwitch,
  desktopSwitches,
  type DesktopSwitchName,
  type TrayDrawing,
  trayDrawings,
} from '../../contract/window/bridge.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { type Desktop, desktopWords } from '../kit/desktop-bridge.ts';
import { Setting } from './setting.tsx';
import type { Saving } from './use-settings.ts';
import { Choice, Switch } from '../kit/choice.tsx';
import type { TeamHostState } from '../../contract/service/team-host.ts';
import { teamHostSettingText as text } from '../../text/service/team-host-text.ts';
import { SecretField } from '../credentials/token-fields.tsx';
import { Button, SubmitButton } from '../kit/button.tsx';
import { Form, FormText, useCheckedForm } from '../kit/form.tsx';
import { Row } from '../kit/layout.tsx';
import styles from './settings.module.css';

/** What the desktop app or the system turns on or off, and keeps; not the service. Nothing in a browser. */
export function DesktopSwitchSettings({ desktop }: { desktop: Desktop | undefined }) {
  const { readSwitch, setSwitch } = desktop ?? {};
  if (readSwitch === undefined || setSwitch === undefined) return null;
  return desktopSwitches
    .filter((name) => name !== 'dock' || isMac)
    .map((name) => <DesktopSwitchSetting key={name} name={name} read={readSwitch} set={setSwitch} />);
}

const isMac = navigator.userAgent.includes('Mac');

function DesktopSwitchSetting({
  name,
  read,
  set,
}: {
  name: DesktopSwitchName;
  read: NonNullable<Desktop['readSwitch']>;
  set: NonNullable<Desktop['setSwitch']>;
}) {
  const text = settingsText.desktopSwitches[name];
  const [state, setState] = useState<DesktopSwitch>();
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });

  // Also when the window is come back to: the tray's menu and the system's own settings change it too.
  useEffect(() => {
    const readAgain = (): void => {
      read(name).then(setState, (error: unknown) =>
        setSaving({ kind: 'refused', reason: desktopWords(error) }),
      );
    };
    readAgain();
    addEventListener('focus', readAgain);
    return () => removeEventListener('focus', readAgain);
  }, [name, read]);

  function change(wanted: boolean): void {
    setSaving({ kind: 'saving' });
    set(name, wanted).then(
      (now) => {
        setState(now);
        setSaving(
          now.isOn === wanted ? { kind: 'saved' } : { kind: 'refused', reason: now.note ?? text.refused },
        );
      },
      (error: unknown) => setSaving({ kind: 'refused', reason: desktopWords(error) }),
    );
  }
  return (
    <Setting
      title={text.title}
      hint={(saving.kind === 'refused' ? null : state?.note) ?? text.hint}
      saving={saving}
      control={(ids) => (
        <Switch
          {...ids}
          isOn={state?.isOn ?? false}
          isPossible={state?.isPossible ?? false}
          onChange={change}
        />
      )}
    />
  );
}

const usual = 'usual';
const drawings = [usual, ...trayDrawings].map((value) => ({
  value: value as TrayDrawing | typeof usual,
  label: settingsText.trayDrawing.drawings[value as TrayDrawing | typeof usual],
}));

/** How the icon in the panel is drawn; nothing in a browser, and where the system says what its panel looks like. */
export function TrayDrawingSetting({ desktop }: { desktop: Desktop | undefined }) {
  const { readTrayDrawing: read, setTrayDrawing: set } = desktop ?? {};
  const [drawing, setDrawing] = useState<TrayDrawing | null>();
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });

  useEffect(() => {
    read?.().then(
      (found) => setDrawing(found.isPossible ? found.drawing : undefined),
      () => setDrawing(undefined), // an older app
    );
  }, [read]);

  if (drawing === undefined || set === undefined) return null;
  function change(value: TrayDrawing | typeof usual): void {
    const wanted = value === usual ? null : value;
    setSaving({ kind: 'saving' });
    set?.(wanted).then(
      () => {
        setDrawing(wanted);
        setSaving({ kind: 'saved' });
      },
      (error: unknown) => setSaving({ kind: 'refused', reason: desktopWords(error) }),
    );
  }
  return (
    <Setting title={settingsText.trayDrawing.title} hint={settingsText.trayDrawing.hint} saving={saving}>
      <Choice options={drawings} value={drawing ?? usual} onChange={change} />
    </Setting>
  );
}

type Call<C extends keyof Desktop> = NonNullable<Desktop[C]>;

/** The host for a team that the desktop app shows beside this computer. The app keeps this, not the service. */
export function TeamHostSetting({
  read,
  connect,
  disconnect,
}: {
  read: Call<'readTeamHost'>;
  connect: Call<'connectTeamHost'>;
  disconnect: Call<'disconnectTeamHost'>;
}) {
  const [state, setState] = useState<TeamHostState | null>();
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });
  const refuse = (error: unknown): void => setSaving({ kind: 'refused', reason: desktopWords(error) });

  const readAgain = useCallback(() => {
    read().then(setState, refuse);
  }, [read]);
  // Also when the window is come back to: the command line changes it too, and a host may have answered meanwhile.
  useEffect(() => {
    readAgain();
    addEventListener('focus', readAgain);
    return () => removeEventListener('focus', readAgain);
  }, [readAgain]);

  function leave(): void {
    setSaving({ kind: 'idle' });
    disconnect().then(readAgain, refuse);
  }
  if (state === undefined) return null;
  return (
    <Setting
      title={text.title}
      hint={state === null ? text.none : (state.problem ?? text.connected(state.url))}
      saving={saving}
    >
      {state === null || state.needsKey ? (
        <ConnectForm
          key={state?.url ?? ''}
          url={state?.url ?? ''}
          connect={connect}
          onConnected={readAgain}
          onFailed={refuse}
          onLeave={state === null ? null : leave}
        />
      ) : (
        <Button onPress={leave}>{text.disconnect}</Button>
      )}
    </Setting>
  );
}

interface Typed {
  url: string;
  key: string;
}

function ConnectForm({
  url,
  connect,
  onConnected,
  onFailed,
  onLeave,
}: {
  url: string;
  connect: Call<'connectTeamHost'>;
  onConnected: () => void;
  onFailed: (error: unknown) => void;
  /** Null where none is chosen. */
  onLeave: (() => void) | null;
}) {
  const form = useCheckedForm<Typed, Typed>((values) => ({ values, errors: {} }), { url, key: '' });

  async function send(typed: Typed): Promise<void> {
    const outcome = await connect(typed.url, typed.key).catch((error: unknown) => {
      onFailed(error);
      return null;
    });
    if (outcome === null) return;
    if (outcome.problem === null) onConnected();
    else form.setError('key', { type: 'sentence', message: outcome.problem });
  }
  return (
    <div className={styles['wide']}>
      <Form form={form} onSend={send}>
        <FormText name="url" text={text.address} face="code" inputMode="url" isRequired />
        <SecretField {...text.key} name="key" />
        <Row gap={2}>
          <SubmitButton isBusy={form.formState.isSubmitting}>{text.connect}</SubmitButton>
          {onLeave === null ? null : <Button onPress={onLeave}>{text.disconnect}</Button>}
        </Row>
      </Form>
    </div>
  );
}
