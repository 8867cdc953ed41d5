import type { Session, WebContents } from 'electron';
import { exportPaths } from '../../contract/address.ts';
import { desktopLine } from '../../text/service/desktop-text.ts';
import { printLine } from '../print-line.ts';
import { placeOfPath } from './place.ts';

/** The origin of our pages; null before the service listens, when no page is ours. */
export type OwnOrigin = () => string | null;

/** Prevents navigation to other pages. A link to another window of ours calls `openOwn`. */
export function restrictNavigation(
  contents: WebContents,
  origin: OwnOrigin,
  openOwn: (path: string) => void,
): void {
  contents.on('will-frame-navigate', (event) => {
    if (!isPageOfOurs(event.url, origin())) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isPageOfOurs(event.url, origin())) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isHttpFrom(url, origin())) openOwn(new URL(url).pathname);
    return { action: 'deny' };
  });
}

/** Denies every permission but those in the list below. `mayListen` is asked before a page gets the microphone. */
export function denyPermissions(
  windowSession: Session,
  origin: OwnOrigin,
  mayListen: () => Promise<boolean>,
): void {
  windowSession.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const { requestingUrl, isMainFrame } = details;
    const media = 'mediaTypes' in details ? details.mediaTypes : undefined;
    const isAllowed = isMainFrame && isHttpFrom(requestingUrl, origin()) && isPermitted(permission, media);
    if (isAllowed && permission === 'media') void mayListen().then(answer, () => answer(false));
    else answer(isAllowed);
  });
  windowSession.setPermissionCheckHandler((_contents, permission, requestingOrigin, { mediaType }) => {
    return isHttpFrom(requestingOrigin, origin()) && isPermitted(permission, mediaType && [mediaType]);
  });
  windowSession.setDevicePermissionHandler(() => false);
}

/** Denies every download but files of our own. The system's dialog asks where each goes. */
export function denyDownloads(windowSession: Session, origin: OwnOrigin): void {
  windowSession.on('will-download', (event, item) => {
    if (item.getURLChain().every((url) => isFileOfOurs(url, origin()))) return;
    event.preventDefault();
  });
}

/** A page that crashes again within this time is not loaded again, in milliseconds. */
const crashIntervalMs = 30_000;
/** The delay before a crashed page is loaded again, in milliseconds. */
const settleMs = 250;

/** Loads a crashed page again, unless it crashed shortly before: then `giveUp` is called. */
export function reloadAfterCrash(contents: WebContents, giveUp: (reason: string) => void): void {
  let lastCrashAt = 0;
  contents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    printLine(desktopLine.windowEnded(reason));
    const now = Date.now();
    // Not immediately: while the end of the process is still being processed, a new load may be cancelled with it.
    if (now - lastCrashAt > crashIntervalMs) setTimeout(() => reload(contents), settleMs);
    else giveUp(reason);
    lastCrashAt = now;
  });
}

function reload(contents: WebContents): void {
  if (!contents.isDestroyed()) contents.reload();
}

/** Whether it is an address of one of our windows; not of the reference page, whose viewer is third-party code. */
export function isPageOfOurs(url: string, origin: string | null): boolean {
  return isHttpFrom(url, origin) && placeOfPath(new URL(url).pathname) !== undefined;
}

/**
 * Whether an address is that of a file of our own: an export of the service, or what one of our pages has made.
 *
 * Only a page of our origin can make a `blob:` of our origin, and no script but ours runs there.
 */
export function isFileOfOurs(url: string, origin: string | null): boolean {
  if (isHttpFrom(url, origin)) return exportPaths.includes(new URL(url).pathname);
  return URL.canParse(url) && new URL(url).protocol === 'blob:' && new URL(url).origin === origin;
}

/** Not `blob:` or another scheme that borrows an origin. */
function isHttpFrom(url: string, origin: string | null): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, origin: from } = new URL(url);
  return (protocol === 'http:' || protocol === 'https:') && from === origin;
}

/**
 * Whether a page of ours has a permission.
 *
 * Writing plain text to the clipboard, which every copy button needs; reading it is denied. And the microphone, to record a
 * prompt, but not together with a camera. The caller checks who asks.
 */
export function isPermitted(permission: string, media: readonly string[] | undefined): boolean {
  if (permission === 'clipboard-sanitized-write') return true;
  return permission === 'media' && media?.length === 1 && media[0] === 'audio';
}
