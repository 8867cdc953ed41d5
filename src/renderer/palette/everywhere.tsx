import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { windowText } from '../../text/window/window.ts';
import { goTo, useAddress } from '../kit/navigation.ts';
import { PartFailure } from '../kit/part-failure.tsx';
import { useShortcut } from '../kit/keys/use-shortcut.ts';
import { windowPages } from '../kit/window-nav.tsx';
import { ShowPalette } from '../kit/keys/palette-button.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutSheet = lazy(async () => ({
  default: (await import('./shortcut-sheet.tsx')).ShortcutSheet,
}));

/** What every window offers wherever the person is: the palette, the shortcuts and their sheet. */
export function Everywhere({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<'palette' | 'sheet' | null>(null);
  const showPalette = useCallback(() => setShown('palette'), []);
  const showShortcuts = useCallback(() => setShown('sheet'), []);
  // A letter in the designer is typed for a part: it never leaves the window.
  const mayLeave = useAddress().page !== 'draft';
  useShortcut('Mod+K', windowText.shortcuts.palette, showPalette);
  useShortcut('?', windowText.shortcuts.sheet, showShortcuts);

  return (
    <ShowPalette value={showPalette}>
      {children}
      {mayLeave ? <LeavingShortcuts /> : null}
      {shown === null ? null : (
        <PartFailure>
          <Suspense>
            {shown === 'palette' ? (
              <Palette
                onShortcuts={showShortcuts}
                onClose={() => setShown((now) => (now === 'palette' ? null : now))}
              />
            ) : (
              <ShortcutSheet onClose={() => setShown((now) => (now === 'sheet' ? null : now))} />
            )}
          </Suspense>
        </PartFailure>
      )}
    </ShowPalette>
  );
}

/** The keys that lead to another page. */
function LeavingShortcuts() {
  useShortcut('n', windowText.shortcuts.issue, () => goTo('/tokens/issue'));
  useShortcut('k', windowText.shortcuts.add, () => goTo('/add-credential'));
  return windowPages.map(({ keys, name, to }) => <PageShortcut key={to} keys={keys} name={name} to={to} />);
}

function PageShortcut({ keys, name, to }: { keys: string; name: string; to: string }) {
  useShortcut(keys, name, () => goTo(to));
  return null;
}
