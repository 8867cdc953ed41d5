import type { Session, WebContents } from 'electron';
import { extensionsCsvPath, historyExportPath, smsTemplatesCsvPath } from '../../contract/address.ts';
import { placeOfPath } from './place.ts';

/** Refuses every way for the page to lead elsewhere. A link that asks for another window of ours is handed over. */
export function keepAtHome(contents: WebContents, origin: string, openOwn: (path: string) => void): void {
  contents.on('will-frame-navigate', (event) => {
    if (!isPageOfOurs(event.url, origin)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isPageOfOurs(event.url, origin)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isHttpFrom(url, origin)) openOwn(new URL(url).pathname);
    return { action: 'deny' };
  });
}

/** Denies every permission but those in the list below. */
export function denyPermissions(windowSession: Session, origin: string): void {
  windowSession.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const { requestingUrl, isMainFrame } = details;
    const media = 'mediaTypes' in details ? details.mediaTypes : undefined;
    answer(isMainFrame && isHttpFrom(requestingUrl, origin) && isPermitted(permission, media));
  });
  windowSession.setPermissionCheckHandler((_contents, permission, requestingOrigin, { mediaType }) => {
    return isHttpFrom(requestingOrigin, origin) && isPermitted(permission, mediaType && [mediaType]);
  });
  windowSession.setDevicePermissionHandler(() => false);
}

/** Denies every download but files of our own. The system's dialog asks where each goes. */
export function denyDownloads(windowSession: Session, origin: string): void {
  windowSession.on('will-download', (event, item) => {
    if (item.getURLChain().every((url) => isFileOfOurs(url, origin))) return;
    event.preventDefault();
  });
}

/** A page that crashes again within this time is not loaded a third time, in milliseconds. */
const calmMs = 30_000;
/** How long a crashed page is left alone before it is loaded again, in milliseconds. */
const settleMs = 250;

/** Loads a crashed page again, unless it has just crashed: then a second load would only crash again, and `giveUp` hears. */
export function reloadAfterCrash(contents: WebContents, giveUp: () => void): void {
  let lastCrashAt = 0;
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    process.stderr.write(`Rotavox: the window's process ended (${reason}); the service goes on.\n`);
    const now = Date.now();
    // Not at once: while the end of the process is still being told, a load may be taken for part of what ended.
    if (now - lastCrashAt > calmMs) setTimeout(() => reload(contents), settleMs);
    else giveUp();
    lastCrashAt = now;
  });
}

function reload(contents: WebContents): void {
  if (!contents.isDestroyed()) contents.reload();
}

/** One of the addresses that our windows have. Not all of our origin: the reference page brings a viewer of others. */
export function isPageOfOurs(url: string, origin: string): boolean {
  return isHttpFrom(url, origin) && placeOfPath(new URL(url).pathname) !== undefined;
}

/** What the service makes files of. Compared whole: a path that only begins so is another. */
const exportPaths = new Set<string>([historyExportPath, extensionsCsvPath, smsTemplatesCsvPath]);

/**
 * Whether an address is that of a file of our own: an export of the service, or what one of our pages has made.
 *
 * Only a page of our origin can make a `blob:` of our origin, and no script but ours runs there.
 */
export function isFileOfOurs(url: string, origin: string): boolean {
  if (isHttpFrom(url, origin)) return exportPaths.has(new URL(url).pathname);
  return URL.canParse(url) && new URL(url).protocol === 'blob:' && new URL(url).origin === origin;
}

/** Not `blob:` or another scheme that borrows an origin. */
function isHttpFrom(url: string, origin: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, origin: from } = new URL(url);
  return (protocol === 'http:' || protocol === 'https:') && from === origin;
}

/**
 * What a page of ours may do that Chromium asks about.
 *
 * Two things. Writing plain text to the clipboard, which every copy button needs and which is asked for even after a
 * click; reading it stays denied. And the microphone, to record a prompt: audio alone, for a request that names a camera
 * too is one for a camera. Who asks is looked at by the caller.
 */
export function isPermitted(permission: string, media: readonly string[] | undefined): boolean {
  if (permission === 'clipboard-sanitized-write') return true;
  return permission === 'media' && media?.length === 1 && media[0] === 'audio';
}
