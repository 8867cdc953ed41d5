import { nativeTheme } from 'electron';
import type { Theme } from '../contract/settings.ts';

/** Whether the system was dark when our windows were last as it is. */
let wasSystemDark = false;

/** Has our windows, and what Electron draws around them, look as the owner chose. */
export function setWindowTheme(theme: Theme): void {
  if (nativeTheme.themeSource === theme) return;
  if (nativeTheme.themeSource === 'system')
    wasSystemDark = nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
  nativeTheme.themeSource = theme;
}

/**
 * Whether the system's own surfaces are dark, whatever our windows are.
 *
 * On Linux a theme of our own also changes what Electron says of the system (seen with 42.0). So there it is what it was
 * before; a system that changes meanwhile is noticed when the windows follow it again.
 */
export function isSystemDark(): boolean {
  return process.platform === 'linux' && nativeTheme.themeSource !== 'system'
    ? wasSystemDark
    : nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
}
