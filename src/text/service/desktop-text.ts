/** What the desktop app says about itself: how it starts and ends, in dialogs, in notifications and on stderr. */

/** How the line begins that says why the app could not start; `rotavox app` looks for it. */
export const notStartedBegin = 'Rotavox could not start: ';

/** How the line begins that says that the app shows no windows; `rotavox app` looks for it. */
export const noWindowsBegin = 'Rotavox: no window can be shown, because the process that';

/** A line on stderr. */
export const desktopLine = {
  alreadyRunning: 'Rotavox is already running with this data folder.',
  windowShown: 'Rotavox is already running with this data folder; its window was brought to the front.',
  /** Of `--quit`. */
  notRunning: 'Rotavox is not running with this data folder.',
  hasQuit: 'Rotavox has quit.',
  hasNotQuit: (seconds: number) =>
    `Rotavox was asked to quit and is still running after ${seconds} seconds. Quit it from its menu, or end its process.`,
  helperEnded: (type: string, reason: string) =>
    `Rotavox: a helper process (${type}) ended (${reason}); the service continues.`,
  graphicsOff:
    'Rotavox: the graphics process ended three times within a minute; Rotavox restarts without it.',
  noWindows: `${noWindowsBegin} draws them ends again and again. Rotavox restarts without windows: its pages open in a browser, and tokens are rotated.`,
  windowEnded: (reason: string) =>
    `Rotavox: the process of the window ended (${reason}); the service continues.`,
  pageNotLoaded: (path: string, code: string) => `Rotavox: the window could not load ${path} (${code}).`,
  /** The first line of a log. */
  begins: (version: string, electron: string) => `Rotavox ${version} with Electron ${electron} begins.`,
  logEnds: 'This log ends here, so that it fills no disk.',
  /** Of the service within the app. */
  said: (message: string) => `rotavox: ${message}`,
  notStarted: (reason: string) => `${notStartedBegin}${reason}`,
  startedWhileEnding: 'Rotavox was started again while it was quitting; please start it again.',
  restartsAfterEnding: 'Rotavox was started again while it was quitting, and restarts now.',
  restarting: 'Rotavox restarts.',
  startedAfterKill: 'Rotavox was ended by something else, and runs again.',
  endedTooOften:
    'Rotavox was ended by something else five times within ten minutes. It runs again, and would not start again once more.',
  notGuarded: (reason: string) => `Rotavox would not start again if something ended it (${reason}).`,
  notRestarted: (reason: string) => `Rotavox could not restart (${reason}).`,
  failedWhileEnding: (reason: string) => `Rotavox: an error occurred while it was quitting: ${reason}`,
  unexpected: (stack: string) =>
    `Rotavox has to quit because of an unexpected error. This is a bug; please report it with these lines:\n${stack}`,
  failed: (task: string, reason: string) => `Rotavox: ${task} failed (${reason}).`,
  incomplete: (problem: string, reason: string) => `Rotavox: ${problem} (${reason}).`,
  notRemembered: (file: string, reason: string) =>
    `Rotavox: ${file} could not be written (${reason}); the positions of windows will not be remembered.`,
  noTeamHost: (text: string) =>
    `Rotavox: “${text}” is not the address of a host, such as https://team.example.com; nothing was changed.`,
  notShown: (title: string, body: string, reason: string) =>
    `Rotavox: ${title}. ${body} (This notification could not be shown: ${reason}.)`,
} as const;

/** What failed, in `desktopLine.failed`. */
export const desktopTask = {
  clearClipboard: 'clearing the clipboard',
  openWindow: 'opening a window',
  openBrowser: 'opening a browser',
  openTeam: 'showing the host for a team',
  menuAction: 'the action of the menu',
  showError: 'showing why Rotavox could not start',
} as const;

/** What was not done while the app quit, in `desktopLine.incomplete`. */
export const desktopProblem = {
  windows: 'the windows did not close cleanly',
  service: 'the service did not close cleanly',
  update: 'an update was not installed',
  restart: 'it could not be restarted',
  timeout: (seconds: number) => `not within ${seconds} s`,
} as const;

/** The dialog that says why the app could not start. */
export const notStartedText = {
  title: 'Rotavox could not start',
  quit: 'Quit',
  /** Where the port is taken. The next start tries the usual port again. */
  otherPort: 'Use another port this time',
  /** The same where nobody is asked. */
  atOtherPort: 'Rotavox uses another port this time',
} as const;

export const unexpectedError = {
  title: 'Rotavox had to quit',
  text: (stack: string) =>
    `An unexpected error occurred. No saved data is lost. Start Rotavox again, so that it continues to rotate your tokens.\n\n${stack}`,
} as const;

/** The notification on a desktop without tray icons. */
export const noTrayNotice = {
  title: 'Rotavox runs in a window',
  body: 'This desktop shows no tray icons. Closing the window minimises it, and tokens are still rotated.',
} as const;

/** The title of a window that shows another host; that of the page is its start. */
export function teamWindowTitle(title: string, host: string): string {
  return `${title} · ${host}`;
}

export const noNotifications = 'this desktop shows no notifications';

/** A note about starting again. */
export const startAgainText = {
  notHere: 'Only an installed app on Linux and macOS can start itself again.',
} as const;

/** Notes about the graphics processor. */
export const graphicsText = {
  failed: 'Off, because it failed several times in this version. The windows are drawn without it.',
  nextStart: 'This counts from the next start on.',
} as const;

/** The message when a page cannot be loaded again and again. */
export const pageFailedText = {
  title: 'A window of Rotavox cannot be shown',
  text: (code: string) =>
    `Its page could not be loaded (${code}). Tokens are still rotated. Run rotavox open in a terminal to see the same pages in a browser.`,
} as const;

/** Notes about opening at login. */
export const loginText = {
  unsupported: 'Opening at login is not supported on this system.',
  notInstalled: 'Only the installed app can open at login.',
  needsApproval: 'To take effect, allow it in System Settings, under Login Items.',
  notChanged: (file: string, code: string) => `${file} could not be changed (${code}).`,
} as const;

/** What the program is, in the entry that starts it at login. */
export const programComment = 'Rotates API tokens and designs phone menus';

/** Why a call of a page was refused; only a developer sees these. */
export const bridgeRefusal = {
  invalid: (call: string) => `The desktop app cannot do “${call}” with these arguments.`,
  sender: 'This page may not call the desktop app.',
} as const;

/** A vault in the environment that is none. */
export function invalidVaultText(vault: string): string {
  return `ROTAVOX_VAULT is "${vault}". Use keychain or file.`;
}

/** A port in the environment that is none. */
export function invalidPortText(port: string): string {
  return `ROTAVOX_PORT is "${port}", which is not a port. Use a number from 0 (any free port) to 65535.`;
}
