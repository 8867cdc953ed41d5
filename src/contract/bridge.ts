/*
 * What a window may ask of the desktop app around it: at most six calls that only the desktop can answer.
 *
 * No schemas here: the preload script is made of this, and it is to stay a few lines.
 */

/** How opening at login stands. */
export interface OpenAtLogin {
  readonly isOn: boolean;
  readonly isPossible: boolean;
  /** Why it is not possible, or what the system says of it. */
  readonly note: string | null;
}

export interface Bridge {
  /** Ends the desktop app, and the service with it, once everything acknowledged is safe. */
  quit(): Promise<void>;
  readOpenAtLogin(): Promise<OpenAtLogin>;
  setOpenAtLogin(isOn: boolean): Promise<OpenAtLogin>;
  /** Shows the data folder in the system's file manager. */
  showDataFolder(): Promise<void>;
  /** Copies a secret; the clipboard clears itself of it after 30 s. */
  copySecret(secret: string): Promise<void>;
  /** Looks for a new version now, and says in a sentence how that stands. */
  checkForUpdates(): Promise<{ readonly words: string }>;
}

export type BridgeCall = keyof Bridge;

/** How the shell asks a page to go somewhere: a path of ours. The page may have a reason to stay. */
export const goChannel = 'rotavox:go';

/** The event of a window by which its page hears of that; `detail` is the path. */
export const goEvent = 'rotavox:go';

/** The name of a call between the two processes. */
export function channelOf(call: BridgeCall): string {
  return `rotavox:${call}`;
}
