import { useSyncExternalStore } from 'react';

/** What the address names after its `#`: a part of the page. */
export function useHash(): string {
  return useSyncExternalStore(follow, () => decodedHash(location.hash));
}

function follow(onChange: () => void): () => void {
  addEventListener('hashchange', onChange);
  addEventListener('popstate', onChange);
  return () => {
    removeEventListener('hashchange', onChange);
    removeEventListener('popstate', onChange);
  };
}

function decodedHash(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1); // shown as it is written, as an id that nothing has
  }
}
