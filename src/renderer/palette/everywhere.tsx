import { lazy, type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useState } from 'react';
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
  const [early, setEarly] = useState('');
  const showPalette = useCallback(() => {
    setEarly('');
    setShown('palette');
  }, []);
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
          <Suspense
            fallback={
              shown === 'palette' ? <EarlyTyping onType={setEarly} onClose={() => setShown(null)} /> : null
            }
          >
            {shown === 'palette' ? (
              <Palette
                early={early}
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

/** Hears what is typed while the palette is loaded: it is meant for its field, and no shortcut of the page. */
function EarlyTyping({
  onType,
  onClose,
}: {
  onType: (change: (before: string) => string) => void;
  onClose: () => void;
}) {
  const hear = useEffectEvent((event: KeyboardEvent) => {
    // AltGr is told as Ctrl and Alt.
    const isCommand = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph');
    if (isCommand || event.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Backspace') onType((before) => before.slice(0, -1));
    else if (event.key.length === 1) onType((before) => before + event.key);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => hear(event);
    addEventListener('keydown', listen, { capture: true });
    return () => removeEventListener('keydown', listen, { capture: true });
  }, []);
  return null;
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
