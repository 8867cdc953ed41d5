import { useEffect, useState } from 'react';

import type { OpenAtLogin } from '../../contract/bridge.ts';
import { settingsText } from '../../text/settings.ts';
import { type Desktop, desktopWords } from '../kit/desktop.ts';
import { Switch } from '../kit/switch.tsx';
import { Setting } from './setting.tsx';
import type { Saving } from './use-settings.ts';

const { openAtLogin: text } = settingsText;

/** Whether the desktop app opens, hidden, when the person logs in. The system keeps this, not the service. */
export function OpenAtLoginSetting({
  read,
  set,
}: {
  read: NonNullable<Desktop['readOpenAtLogin']>;
  set: NonNullable<Desktop['setOpenAtLogin']>;
}) {
  const [state, setState] = useState<OpenAtLogin>();
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
