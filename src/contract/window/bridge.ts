/*
 * What a window may ask of the desktop app around it: few calls that only the desktop can answer.
 *
 * No schemas here: the preload script is made of this, and it is to stay a few lines.
 */

import type { TeamHostState } from '../service/team-host.ts';

/** The state of something that only the desktop app can turn on or off. */
export interface DesktopSwitch {
  readonly isOn: boolean;
  readonly isPossible: boolean;
  /** Why it is not possible, or what else there is to say about it. */
  readonly note: string | null;
}

/**
 * What those are: opening at login, starting again after something ended the app, being in the Dock (macOS), drawing with the graphics
 * processor.
 */
export const desktopSwitches = ['openAtLogin', 'startAgain', 'dock', 'graphics'] as const;
export type DesktopSwitchName = (typeof desktopSwitches)[number];

/** How the icon in the tray is drawn, for panels whose colour cannot be asked: for a dark panel, for a light one, or for any. */
export const trayDrawings = ['light', 'dark', 'coloured'] as const;
export type TrayDrawing = (typeof trayDrawings)[number];

export interface Bridge {
  /** Ends the desktop app and its service, once everything acknowledged is on disk. */
  quit(): Promise<void>;
  /** The same, and starts it again. */
  restart(): Promise<void>;
  readSwitch(name: DesktopSwitchName): Promise<DesktopSwitch>;
  setSwitch(name: DesktopSwitchName, isOn: boolean): Promise<DesktopSwitch>;
  /** `drawing` null: as the desktop is usually. `isPossible`: whether it can be chosen on this system. */
  readTrayDrawing(): Promise<{ readonly drawing: TrayDrawing | null; readonly isPossible: boolean }>;
  setTrayDrawing(drawing: TrayDrawing | null): Promise<void>;
  /** Shows the data folder in the system's file manager. */
  showDataFolder(): Promise<void>;
  /** Copies a secret; it is removed from the clipboard after 30 s. */
  copySecret(secret: string): Promise<void>;
  /** Checks for a new version now, and returns the result as a sentence. */
  checkForUpdates(): Promise<{ readonly words: string }>;
  /** The host for a team that the app shows too; null: none. */
  readTeamHost(): Promise<TeamHostState | null>;
  /** Checks an address and a key, stores the key in the keychain, and shows that host from now on; null uses the stored key. */
  connectTeamHost(url: string, key: string | null): Promise<{ readonly problem: string | null }>;
  /** Shows this computer alone again, and removes the key from the keychain. */
  disconnectTeamHost(): Promise<void>;
}

export type BridgeCall = keyof Bridge;

/** An argument of the process of a page that comes from another machine, which has no bridge. */
export const teamPageFlag = '--rotavox-team-page';

/** How the shell asks a page to navigate: a path of ours. The page may refuse. */
export const goChannel = 'rotavox:go';

/** The event of a window that passes this to its page; `detail` is the path. */
export const goEvent = 'rotavox:go';

/** The name of a call between the two processes. */
export function channelOf(call: BridgeCall): string {
  return `rotavox:${call}`;
}
