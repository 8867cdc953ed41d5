import { nativeTheme } from 'electron';
import type { Theme } from '../contract/service/settings.ts';

/** Whether the system was dark when our windows last followed it. */
let wasSystemDark = false;

/** Applies the owner's theme to our windows, and to what Electron draws around them. */
export function setWindowTheme(theme: Theme): void {
  if (nativeTheme.themeSource === theme) return;
  if (nativeTheme.themeSource === 'system')
    wasSystemDark = nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
  nativeTheme.themeSource = theme;
}

/**
 * Whether the system's own surfaces are dark, independent of the theme of our windows.
 *
 * On Linux our own theme also changes what Electron reports about the system (seen with 42.0). There it is the last
 * known state; a system that changes meanwhile is noticed when the windows follow it again.
 */
export function isSystemDark(): boolean {
  return process.platform === 'linux' && nativeTheme.themeSource !== 'system'
    ? wasSystemDark
    : nativeTheme.shouldUseDarkColorsForSystemIntegratedUI;
}
