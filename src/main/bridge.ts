import { ipcMain, type IpcMainInvokeEvent } from 'electron';

/** What a window may ask of the shell. The preload script offers the same calls under the same names. */
export interface BridgeCalls {
  quit(): void;
}

/**
 * Answers the preload script's calls, for the main frame of the service's own page only.
 *
 * The page cannot leave its origin (window.ts); that the sender is checked here as well keeps one mistake there from
 * becoming two.
 */
export function serveBridge({ calls, origin }: { calls: BridgeCalls; origin: string }): void {
  ipcMain.handle('rotavox:quit', (event) => {
    refuseStrangers(event, origin);
    calls.quit();
  });
}

function refuseStrangers({ senderFrame }: IpcMainInvokeEvent, origin: string): void {
  if (senderFrame !== null && senderFrame.parent === null && senderFrame.origin === origin) return;
  throw new Error('This page may not ask the desktop app for anything.');
}
