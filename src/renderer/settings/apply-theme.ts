import type { Theme } from '../../contract/settings.ts';

const rememberedAs = 'rotavox.theme';

/** Has the page look as the owner wishes; `theme.css` knows what that means. Remembered for the next page. */
export function applyTheme(theme: Theme): void {
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
