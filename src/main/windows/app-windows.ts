import { join } from 'node:path';

import { app, BrowserWindow, nativeTheme, session, shell, type Session, type WebContents } from 'electron';

import type { Host } from '../host/start-host.ts';

/** Addresses outside our origin that a link in a window may open in the person's browser. None yet. */
const linksToOpenOutside: ReadonlySet<string> = new Set();

/** A partition without the prefix `persist:` lives in memory: the window's cookie never reaches the disk. */
const partition = 'rotavox';

let mainWindow: BrowserWindow | undefined;

/**
 * The address a window loads: the service's own.
 *
 * In development electron-vite serves the page and passes calls on to the service; see electron.vite.config.ts.
 */
export function windowAddress(host: Host): string {
  return (app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']) ?? host.baseUrl;
}

/** Brings the window to the front, and makes it when it is not there. */
export function showWindow(host: Host): void {
  if (mainWindow === undefined) {
    void createWindow(host);
    return;
  }
  if (mainWindow.isMinimized()) mainWindow.restore();
  mainWindow.show();
  mainWindow.focus();
}

/**
 * Makes the window and loads the service's own address in it.
 *
 * The page is a web client like any other: sandboxed, isolated, without Node. Its session cookie is put there by us, so
 * no key ever stands in an address. It may go nowhere else, open nothing and ask for no permission.
 */
export async function createWindow(host: Host): Promise<void> {
  const address = windowAddress(host);
  const origin = new URL(address).origin;
  const windowSession = session.fromPartition(partition);
  denyPermissions(windowSession, origin);
  await windowSession.cookies.set({
    url: address,
    ...host.windowCookie(),
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
  });

  const window = new BrowserWindow({
    title: 'Rotavox',
    width: 1120,
    height: 800,
    minWidth: 360,
    minHeight: 480,
    show: false,
    autoHideMenuBar: true,
    icon: join(import.meta.dirname, '..', '..', 'resources', 'icon.png'),
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0f1117' : '#f6f7f9', // the page's own, so that nothing flashes
    webPreferences: {
      session: windowSession,
      preload: join(import.meta.dirname, '..', 'preload', 'index.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false, // its dictionaries would be fetched from the network
    },
  });
  mainWindow = window;
  keepAtHome(window.webContents, origin);
  reloadAfterCrash(window.webContents);
  window.once('ready-to-show', () => window.show());
  window.on('closed', () => (mainWindow = undefined));
  await window.loadURL(address);
}

/** Refuses every way for the page to lead elsewhere. */
function keepAtHome(contents: WebContents, origin: string): void {
  contents.on('will-frame-navigate', (event) => {
    if (!isFrom(event.url, origin)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isFrom(event.url, origin)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (linksToOpenOutside.has(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/**
 * Denies every permission but one: writing plain text to the clipboard, which every copy button needs and which
 * Chromium asks for even after a click. Reading the clipboard stays denied.
 */
function denyPermissions(windowSession: Session, origin: string): void {
  windowSession.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(permission === 'clipboard-sanitized-write' && isFrom(details.requestingUrl, origin));
  });
  windowSession.setPermissionCheckHandler((_contents, permission, requestingOrigin) => {
    return permission === 'clipboard-sanitized-write' && isFrom(requestingOrigin, origin);
  });
  windowSession.setDevicePermissionHandler(() => false);
}

/** Loads a crashed page again, unless it has just crashed: then a second load would only crash again. */
function reloadAfterCrash(contents: WebContents): void {
  const calmMs = 30_000;
  let lastCrashAt = 0;
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    process.stderr.write(`Rotavox: the window's process ended (${reason}); the service goes on.\n`);
    const now = Date.now();
    if (now - lastCrashAt > calmMs) contents.reload();
    lastCrashAt = now;
  });
}

function isFrom(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}
