import { type ReactNode, useState } from 'react';

import { Switch } from '../kit/switch.tsx';
import { Setting } from './setting.tsx';
import { useSaving } from './use-saving.ts';
import type { SaveSettings } from './use-settings.ts';

/** A setting that is on or off. It shows what was wished while that is saved, and what is when it was refused. */
export function SwitchSetting({
  title,
  hint,
  name,
  isOn,
  save,
}: {
  title: string;
  hint: ReactNode;
  name: 'notifications_enabled' | 'sms_templates_enabled';
  isOn: boolean;
  save: SaveSettings;
}) {
  const { saving, submit } = useSaving(save);
  const [wished, setWished] = useState(isOn);

  function change(wish: boolean): void {
    setWished(wish);
    void submit({ [name]: wish });
  }
  return (
    <Setting
      title={title}
      hint={hint}
      saving={saving}
      control={(ids) => <Switch {...ids} isOn={saving.kind === 'saving' ? wished : isOn} onChange={change} />}
    />
  );
}
