import type { Session, WebContents } from 'electron';

/** Refuses every way for the page to lead elsewhere. A link that asks for another window of ours is handed over. */
export function keepAtHome(contents: WebContents, origin: string, openOwn: (path: string) => void): void {
  contents.on('will-frame-navigate', (event) => {
    if (!isFrom(event.url, origin)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isFrom(event.url, origin)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isFrom(url, origin)) openOwn(new URL(url).pathname);
    return { action: 'deny' };
  });
}

/**
 * Denies every permission but one: writing plain text to the clipboard, which every copy button needs and which
 * Chromium asks for even after a click. Reading the clipboard stays denied.
 */
export function denyPermissions(windowSession: Session, origin: string): void {
  windowSession.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(permission === 'clipboard-sanitized-write' && isFrom(details.requestingUrl, origin));
  });
  windowSession.setPermissionCheckHandler((_contents, permission, requestingOrigin) => {
    return permission === 'clipboard-sanitized-write' && isFrom(requestingOrigin, origin);
  });
  windowSession.setDevicePermissionHandler(() => false);
}

/** A page that crashes again within this time is not loaded a third time, in milliseconds. */
const calmMs = 30_000;
/** How long a crashed page is left alone before it is loaded again, in milliseconds. */
const settleMs = 250;

/** Loads a crashed page again, unless it has just crashed: then a second load would only crash again. */
export function reloadAfterCrash(contents: WebContents): void {
  let lastCrashAt = 0;
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    process.stderr.write(`Rotavox: the window's process ended (${reason}); the service goes on.\n`);
    const now = Date.now();
    // Not at once: while the end of the process is still being told, a load may be taken for part of what ended.
    if (now - lastCrashAt > calmMs) setTimeout(() => reload(contents), settleMs);
    lastCrashAt = now;
  });
}

function reload(contents: WebContents): void {
  if (!contents.isDestroyed()) contents.reload();
}

function isFrom(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}
