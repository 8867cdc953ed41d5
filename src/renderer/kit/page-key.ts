import { pageCodeFragment, pageKeyHeader } from '../../contract/address.ts';

const storedAs = 'rotavox.page-key';

/**
 * Has every `fetch` of this page to `/portal` carry the page key, without which a browser's cookie opens nothing.
 *
 * For all of them at once, so that none is forgotten. What cannot send a header asks for nothing of the portal: links to
 * files, audio elements and `EventSource` have what they need fetched first (`save-file.ts`, `live/change-stream.ts`,
 * `recordings/use-player.ts`). Windows of the desktop app have no page key and need none.
 */
// see decisions/a-browser-needs-a-page-key.md
export function sendPageKey(): void {
  takePageCode();
  const send = globalThis.fetch;
  globalThis.fetch = (address, init) => {
    const request = new Request(address, init);
    const { origin, pathname } = new URL(request.url);
    const pageKey = readPageKey();
    if (pageKey !== null && origin === location.origin && pathname.startsWith('/portal/'))
      request.headers.set(pageKeyHeader, pageKey);
    return send(request);
  };
}

/** Leaves a session that has ended: this page and every other tab begin anew, without what they knew. */
export function leaveSignedOut(): void {
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
function takePageCode(): void {
  const { hash, pathname, search } = location;
  if (!hash.startsWith(pageCodeFragment)) return;
  history.replaceState(history.state, '', pathname + search);
  try {
    localStorage.setItem(storedAs, `${hash.slice(pageCodeFragment.length)}.${crypto.randomUUID()}`);
  } catch {
    // A browser that stores nothing keeps no cookie either, and the window says that it is not signed in.
  }
}

function readPageKey(): string | null {
  try {
    return localStorage.getItem(storedAs);
  } catch {
    return null; // as above
  }
}
