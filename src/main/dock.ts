import { app } from 'electron';
import type { DesktopSwitch } from '../contract/window/bridge.ts';
import type { ShellMemory } from './shell-memory.ts';

/**
 * Leaves the Dock of macOS where a person wants that, as `LSUIElement` in Info.plist would for everybody. The app is in the menu bar, as ever.
 *
 * Its icon may be seen for a moment first (electron/electron#3498).
 */
export function useDock(memory: ShellMemory): void {
  if (memory.remembered.isOutOfDock === true) app.dock?.hide();
}

/** Whether the app is in the Dock. Other systems have none. */
export function readDock({ remembered }: ShellMemory): DesktopSwitch {
  return { isOn: remembered.isOutOfDock !== true, isPossible: app.dock !== undefined, note: null };
}

/** At once. */
export async function setDock(memory: ShellMemory, isOn: boolean): Promise<DesktopSwitch> {
  memory.keep({ isOutOfDock: !isOn });
  if (isOn) await app.dock?.show();
  else app.dock?.hide();
  return readDock(memory);
}
