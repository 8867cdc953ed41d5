import { useEffect, useState } from 'react';

import type { DesktopSwitch } from '../../contract/bridge.ts';
import { desktopWords } from '../kit/desktop.ts';
import { Switch } from '../kit/switch.tsx';
import { Setting } from './setting.tsx';
import type { Saving } from './use-settings.ts';

/** Something that the desktop app or the system turns on or off, and keeps; not the service. */
export function DesktopSwitchSetting({
  text,
  read,
  set,
}: {
  text: { readonly title: string; readonly hint: string; readonly refused: string };
  read: () => Promise<DesktopSwitch>;
  set: (isOn: boolean) => Promise<DesktopSwitch>;
}) {
  const [state, setState] = useState<DesktopSwitch>();
  const [saving, setSaving] = useState<Saving>({ kind: 'idle' });

  // Also when the window is come back to: the tray's menu and the system's own settings change it too.
  useEffect(() => {
    const readAgain = (): void => {
      read().then(setState, (error: unknown) => setSaving({ kind: 'refused', reason: desktopWords(error) }));
    };
    readAgain();
    addEventListener('focus', readAgain);
    return () => removeEventListener('focus', readAgain);
  }, [read]);

  function change(wanted: boolean): void {
    setSaving({ kind: 'saving' });
    set(wanted).then(
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
