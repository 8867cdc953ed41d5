/** What a window shows, as its address says it. The service answers each of these (`service/windows-routes.ts`). */
export type Address =
  | { readonly page: 'overview' }
  | { readonly page: 'tokens' }
  /** The issue dialog, over the page that it was opened from. */
  | { readonly page: 'issue'; readonly over: 'overview' | 'tokens' }
  | { readonly page: 'family'; readonly id: string }
  | { readonly page: 'credentials' }
  /** The credentials with the dialog that adds one. */
  | { readonly page: 'add-credential' }
  | { readonly page: 'credential'; readonly name: string }
  | { readonly page: 'history' }
  | { readonly page: 'settings' }
  | { readonly page: 'recordings' }
  | { readonly page: 'extensions' }
  | { readonly page: 'sms-templates' }
  | { readonly page: 'menus' }
  | { readonly page: 'menu'; readonly id: string }
  /** The designer on a draft. */
  | { readonly page: 'draft'; readonly id: string };

/** The pages that have no name or id in their address. */
const places: Readonly<Record<string, Address>> = {
  '/': { page: 'overview' },
  '/tokens': { page: 'tokens' },
  '/credentials': { page: 'credentials' },
  '/add-credential': { page: 'add-credential' },
  '/history': { page: 'history' },
  '/settings': { page: 'settings' },
  '/recordings': { page: 'recordings' },
  '/extensions': { page: 'extensions' },
  '/sms-templates': { page: 'sms-templates' },
  '/ivr': { page: 'menus' },
};

/**
 * Reads a path of ours. What is none is the overview, which has a way to everything else.
 *
 * `before` is the path that led there, where one did.
 */
export function readAddress(path: string, before?: string): Address {
  if (path === '/tokens/issue') return { page: 'issue', over: before === '/tokens' ? 'tokens' : 'overview' };
  const place = places[path];
  if (place !== undefined) return place;
  const [, start = '', part] =
    /^(\/tokens\/family|\/credentials|\/ivr\/drafts|\/ivr)\/([^/]+)$/.exec(path) ?? [];
  if (part === undefined) return { page: 'overview' };
  switch (start) {
    case '/tokens/family':
      return { page: 'family', id: decoded(part) };
    case '/credentials':
      return { page: 'credential', name: decoded(part) };
    case '/ivr/drafts':
      return { page: 'draft', id: decoded(part) };
    default:
      return { page: 'menu', id: decoded(part) };
  }
}

/** Where a phone menu is shown. */
export function menuPath(id: string): string {
  return `/ivr/${encodeURIComponent(id)}`;
}

/** Where a draft of phone menus is designed. */
export function draftPath(id: string): string {
  return `/ivr/drafts/${encodeURIComponent(id)}`;
}

/** Where a token family is shown. */
export function familyPath(id: string): string {
  return `/tokens/family/${encodeURIComponent(id)}`;
}

/** Where a credential is shown. */
export function credentialPath(name: string): string {
  return `/credentials/${encodeURIComponent(name)}`;
}

/** Where the history of one family, credential or menu is shown. */
export function historyPath(subject: string): string {
  return `/history?subject=${encodeURIComponent(subject)}`;
}

/** The service refuses broken escapes before we see them, but an address can also be made inside the page. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // shown as it is written, as an id that nothing has
  }
}
