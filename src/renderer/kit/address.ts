/** What a window shows, as its address says it. The service answers each of these (`service/windows-routes.ts`). */
export type Address =
  | { readonly page: 'overview' }
  /** The overview with the issue dialog open. */
  | { readonly page: 'issue' }
  | { readonly page: 'settings' }
  | { readonly page: 'menus' }
  | { readonly page: 'menu'; readonly id: string };

/** Reads a path of ours. What is none is the overview, which has a way to everything else. */
export function readAddress(path: string): Address {
  if (path === '/tokens/issue') return { page: 'issue' };
  if (path === '/settings') return { page: 'settings' };
  if (path === '/ivr') return { page: 'menus' };
  const id = /^\/ivr\/([^/]+)$/.exec(path)?.[1];
  if (id !== undefined) return { page: 'menu', id: decoded(id) };
  return { page: 'overview' };
}

/** Where a phone menu is shown. */
export function menuPath(id: string): string {
  return `/ivr/${encodeURIComponent(id)}`;
}

/** The service refuses broken escapes before we see them, but an address can also be made inside the page. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // shown as it is written, as an id that nothing has
  }
}
