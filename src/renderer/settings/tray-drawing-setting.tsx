import { useEffect, useState } from 'react';

import { type TrayDrawing, trayDrawings } from '../../contract/window/bridge.ts';
import { settingsText } from '../../text/service/settings-text.ts';
import { Choice } from '../kit/choice.tsx';
import { type Desktop, desktopWords } from '../kit/desktop-bridge.ts';
import { Setting } from './setting.tsx';
import type { Saving } from './use-settings.ts';

const { trayDrawing: text } = settingsText;
const usual = 'usual';
const options = [usual, ...trayDrawings].map((value) => ({
  value: value as TrayDrawing | typeof usual,
  label: text.drawings[value as TrayDrawing | typeof usual],
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
    <Setting title={text.title} hint={text.hint} saving={saving}>
      <Choice options={options} value={drawing ?? usual} onChange={change} />
    </Setting>
  );
}
