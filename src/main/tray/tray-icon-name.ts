import type { TrayDrawing } from '../../contract/window/bridge.ts';

/**
 * What the icon shows: everything is fine, a rotation is due, one fails, or rotation is paused; `idle` without a
 * credential.
 */
export type TrayState = 'idle' | 'fine' | 'due' | 'failing' | 'paused';

/**
 * `template` for macOS, which colours it itself; `light` is a light drawing for a dark panel, `dark` one for a light panel, `coloured`
 * one that is seen on both.
 */
export type TrayTheme = 'template' | TrayDrawing;

export interface TrayIcon {
  readonly state: TrayState;
  /** The remaining lifetime of the most urgent credential, from 1 (just rotated) to 0 (expired). `idle` shows none. */
  readonly fullness: number;
}

/** How many parts the ring has: like the face of a clock, and as fine as 16 pixels can show. */
export const fullRing = 12;

/**
 * The name of the picture that shows this, of those that the build draws.
 *
 * A changed name is a changed picture, so a caller can leave the tray alone while the name stays. Windows wants `ico`: of
 * a PNG and its `@2x` twin Electron shows Windows the small one only, at every scaling. A template is always a PNG.
 */
export function trayIconName(icon: TrayIcon, theme: TrayTheme, format: 'png' | 'ico' = 'png'): string {
  const drawing =
    icon.state === 'idle' ? icon.state : `${icon.state}-${String(ringStep(icon.fullness)).padStart(2, '0')}`;
  // macOS and Electron recognise a template by the end of its name.
  return theme === 'template' ? `${drawing}Template.png` : `${drawing}-${theme}.${format}`;
}

/**
 * Parts of the ring to show, 0 to 12.
 *
 * Rounded up: an empty ring means that the token has expired. Values outside 0 to 1 are limited to it; NaN counts as 0.
 */
export function ringStep(fullness: number): number {
  if (Number.isNaN(fullness)) return 0;
  return Math.min(fullRing, Math.max(0, Math.ceil(fullness * fullRing)));
}

/** Linux desktops whose panel is light or dark like the windows. Elsewhere it is dark by default. */
const followingPanels = /\b(kde|mate|lxqt|deepin)\b/i;

/** Which variant contrasts with the panel. Linux has no way to ask for its colour, so this is an informed guess. */
export function panelTheme({
  platform,
  isDark,
  desktop,
  wanted,
}: {
  readonly platform: NodeJS.Platform;
  /** Whether the system's own surfaces are dark. */
  readonly isDark: boolean;
  /** `XDG_CURRENT_DESKTOP`. */
  readonly desktop: string | undefined;
  /** What the person has chosen; null: nothing. */
  readonly wanted: TrayDrawing | null;
}): TrayTheme {
  if (platform === 'darwin') return 'template';
  if (platform === 'linux' && wanted !== null) return wanted;
  const isPanelDark = isDark || (platform === 'linux' && !followingPanels.test(desktop ?? ''));
  return isPanelDark ? 'light' : 'dark';
}
