import { loopbackNames, pageCodeFragment, pageKeyHeader } from '../../contract/address.ts';
import type * as BrowserKey from './browser-key.ts';

const storedAs = 'rotavox.page-key';

/**
 * Has every `fetch` of this page to `/portal` carry the page key, without which a browser's cookie opens nothing, and
 * signs this browser in again when its session has ended with an earlier process of Rotavox.
 *
 * For all of them at once, so that none is forgotten. What cannot send a header asks for nothing of the portal: links to
 * files, audio elements and `EventSource` have what they need fetched first (`save-file.ts`, `live/change-stream.ts`,
 * `recordings/use-player.ts`). Windows of the desktop app have no page key and need none.
 */
// see decisions/a-browser-needs-a-page-key.md
export function sendPageKey(): void {
  const isNew = takePageCode();
  const send = globalThis.fetch;
  globalThis.fetch = async (address, init) => {
    const { origin, pathname } = new URL(address instanceof Request ? address.url : address, location.href);
    if (origin !== location.origin || !pathname.startsWith('/portal/')) return send(address, init);
    const pageKey = readPageKey();
    const response = await send(withPageKey(address, init, pageKey));
    if (response.status !== 401 || !(await renewSession(send, pageKey))) return response;
    return send(withPageKey(address, init, readPageKey()));
  };
  if (isNew) void withBrowserKey(({ rememberBrowser }) => rememberBrowser());
}

/** Begins the session of a page code that an answer brought. False in a browser that stores nothing. */
export async function beginSession(pageCode: string): Promise<boolean> {
  if (!storePageKey(pageCode)) return false;
  await withBrowserKey(({ rememberBrowser }) => rememberBrowser());
  return true;
}

/** Whether this page was loaded from the computer where the service runs, by a name of that computer itself. */
export function isOnLoopback(): boolean {
  return loopbackNames.includes(location.hostname.replace(/^\[|\]$/g, ''));
}

/** Leaves a session that has ended: this page and every other tab begin anew, without what they knew. */
export async function leaveSignedOut(): Promise<void> {
  await withBrowserKey(({ forgetBrowser }) => forgetBrowser());
  localStorage.removeItem(storedAs);
  location.replace('/');
}

/** Follows what another tab of this browser does: signing out, and signing in again. */
export function followSignIn(onSignedIn: () => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    if (key !== storedAs) return;
    if (newValue === null) location.reload();
    else onSignedIn();
  });
}

/**
 * Makes a page key of the page code that a sign-in link leaves in the address, and takes it out of there.
 *
 * At once and without asking the service: a page that is left a moment later is signed in all the same.
 */
function takePageCode(): boolean {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(pageCodeFragment)) return false;
  history.replaceState(history.state, '', pathname + search);
  return storePageKey(hash.slice(pageCodeFragment.length));
}

/** False in a browser that stores nothing: it keeps no cookie either, and the window says that it is not signed in. */
function storePageKey(pageCode: string): boolean {
  try {
    localStorage.setItem(storedAs, `${pageCode}.${crypto.randomUUID()}`);
    return true;
  } catch {
    return false;
  }
}

function readPageKey(): string | null {
  try {
    return localStorage.getItem(storedAs);
  } catch {
    return null; // as above
  }
}

function withPageKey(
  address: RequestInfo | URL,
  init: RequestInit | undefined,
  pageKey: string | null,
): Request {
  const request = new Request(address, init);
  if (pageKey !== null) request.headers.set(pageKeyHeader, pageKey);
  return request;
}

/** Whether there is a new session. One tab of this browser asks for it, once for all calls that were refused. */
async function renewSession(send: typeof fetch, refused: string | null): Promise<boolean> {
  const isRenewed = await withBrowserKey(({ signInAgain }) =>
    navigator.locks.request(storedAs, async () => {
      const pageKey = readPageKey();
      if (pageKey !== refused) return pageKey !== null;
      const pageCode = await signInAgain(send);
      return pageCode !== null && storePageKey(pageCode);
    }),
  );
  return isRenewed === true;
}

/** Nothing when it fails, as in a browser without IndexedDB: then a person has to use a sign-in link after a restart. */
async function withBrowserKey<T>(act: (module: typeof BrowserKey) => Promise<T>): Promise<T | undefined> {
  try {
    return await act(await import('./browser-key.ts'));
  } catch {
    return undefined;
  }
}
