import type { TrayTheme } from './tray-icon-name.ts';

/** Desktops of Linux whose panel is light or dark as the windows are. Elsewhere it is dark unless somebody changed that. */
const followingPanels = /\b(kde|mate|lxqt|deepin)\b/i;

/** Which drawing stands out from the panel. Nobody can be asked how that looks, so on Linux this is an informed guess. */
export function panelTheme({
  platform,
  isDark,
  desktop,
}: {
  readonly platform: NodeJS.Platform;
  /** Whether the system's own surfaces are dark. */
  readonly isDark: boolean;
  /** `XDG_CURRENT_DESKTOP`. */
  readonly desktop: string | undefined;
}): TrayTheme {
  if (platform === 'darwin') return 'template';
  const isPanelDark = isDark || (platform === 'linux' && !followingPanels.test(desktop ?? ''));
  return isPanelDark ? 'light' : 'dark';
}
