import { useEffect } from 'react';
import type { Theme } from '../../contract/service/settings.ts';
import { useLive } from '../kit/live/use-live.ts';
import { presentSettings } from './use-settings.ts';

/** Keeps the look of this window to the setting, whoever changes it. Shows nothing itself. */
export function FollowTheme() {
  const theme = useLive(presentSettings).known?.value.theme;
  useEffect(() => {
    if (theme !== undefined) applyTheme(theme);
  }, [theme]);
  return null;
}

const rememberedAs = 'rotavox.theme';

/** Has the page look as the owner chose; `theme.css` knows what that means. Remembered for the next page. */
function applyTheme(theme: Theme): void {
  show(theme);
  try {
    localStorage.setItem(rememberedAs, theme);
  } catch {
    // A browser may keep nothing; then the next page begins as the desktop looks, and learns it a moment later.
  }
}

/** What it was the last time, before the service has answered: so that nothing flashes. */
export function applyRememberedTheme(): void {
  try {
    show(localStorage.getItem(rememberedAs));
  } catch {
    // As above.
  }
}

function show(theme: string | null): void {
  const { dataset } = document.documentElement;
  if (theme === 'light' || theme === 'dark') dataset['theme'] = theme;
  else delete dataset['theme'];
}
