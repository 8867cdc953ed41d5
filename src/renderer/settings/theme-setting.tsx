import { useState } from 'react';

import type { Theme } from '../../contract/settings.ts';
import { Choice } from '../kit/choice.tsx';
import { Setting } from './setting.tsx';
import { useSaving } from './use-saving.ts';
import type { SaveSettings } from './use-settings.ts';

const options = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const satisfies readonly { value: Theme; label: string }[];

/** How every window looks, here and in the desktop app. */
export function ThemeSetting({ theme, save }: { theme: Theme; save: SaveSettings }) {
  const { saving, submit } = useSaving(save);
  const [wished, setWished] = useState(theme);

  function change(wish: Theme): void {
    setWished(wish);
    void submit({ theme: wish });
  }
  return (
    <Setting title="Theme" hint="For every window, also those that are open now." saving={saving}>
      <Choice options={options} value={saving.kind === 'saving' ? wished : theme} onChange={change} />
    </Setting>
  );
}
