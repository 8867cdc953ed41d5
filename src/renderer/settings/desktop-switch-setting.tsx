import { useEffect, useState } from 'react';

import { type DesktopSwitch, type DesktopSwitchName, desktopSwitches } from '../../contract/window/bridge.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { type Desktop, desktopWords } from '../kit/desktop-bridge.ts';
import { Switch } from '../kit/switch.tsx';
import { Setting } from './setting.tsx';
import type { Saving } from './use-settings.ts';

/** What the desktop app or the system turns on or off, and keeps; not the service. Nothing in a browser. */
export function DesktopSwitchSettings({ desktop }: { desktop: Desktop | undefined }) {
  const { readSwitch, setSwitch } = desktop ?? {};
  if (readSwitch === undefined || setSwitch === undefined) return null;
  return desktopSwitches.map((name) => (
    <DesktopSwitchSetting key={name} name={name} read={readSwitch} set={setSwitch} />
  ));
}

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
