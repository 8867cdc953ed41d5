/** Where a window can lead: the overview with its pages, or the designer of phone menus, which is a window of its own. */
export type Place =
  | { readonly window: 'overview'; readonly path: string }
  /** All menus, or a stored one. */
  | { readonly window: 'designer'; readonly ivrId: string | null }
  /** A drawing that is worked on. */
  | { readonly window: 'designer'; readonly draftId: string };

export type WindowKind = Place['window'];

/** The window as the person left it: nothing in particular is asked for. A new one opens on the overview. */
export const asItWas: Place = { window: 'overview', path: '' };
export const overview: Place = { window: 'overview', path: '/' };
export const tokens: Place = { window: 'overview', path: '/tokens' };
export const credentials: Place = { window: 'overview', path: '/credentials' };
export const issueDialog: Place = { window: 'overview', path: '/tokens/issue' };
export const settings: Place = { window: 'overview', path: '/settings' };
export const designer: Place = { window: 'designer', ivrId: null };

/** The page of a credential. */
export function credentialPlace(name: string): Place {
  return { window: 'overview', path: `/credentials/${encodeURIComponent(name)}` };
}

/** The page of a token family. */
export function familyPlace(id: string): Place {
  return { window: 'overview', path: `/tokens/family/${encodeURIComponent(id)}` };
}

/** The scheme of links from elsewhere into the app: `rotavox://ivr/<id>`. */
export const linkScheme = 'rotavox';

const idPattern = /^[A-Za-z0-9_-]{1,100}$/;

const pages = new Set([
  '/',
  '/tokens',
  '/tokens/issue',
  '/credentials',
  '/add-credential',
  '/history',
  '/settings',
  '/recordings',
  '/extensions',
  '/sms-templates',
]);
/** The pages of one thing: a token family, and a credential by its name (`contract/credential.ts`). */
const pageOfOne = /^\/(?:tokens\/family\/[A-Za-z0-9_-]{1,100}|credentials\/[A-Za-z0-9][A-Za-z0-9._-]{0,62})$/;

/** The path of a place below the service's address. */
export function pathOf(place: Place): string {
  if (place.window === 'overview') return place.path;
  if ('draftId' in place) return `/ivr/drafts/${place.draftId}`;
  return place.ivrId === null ? '/ivr' : `/ivr/${place.ivrId}`;
}

/** The place that a path of our own origin stands for, or nothing when no window shows it. */
export function placeOfPath(path: string): Place | undefined {
  if (pages.has(path) || pageOfOne.test(path)) return { window: 'overview', path };
  if (path === '/ivr') return { window: 'designer', ivrId: null };
  const [, drafts, id] = /^\/ivr\/(drafts\/)?([^/]+)$/.exec(path) ?? [];
  if (id === undefined || !idPattern.test(id)) return undefined;
  return drafts === undefined ? { window: 'designer', ivrId: id } : { window: 'designer', draftId: id };
}

const linkPattern = new RegExp(`^${linkScheme}://ivr(?:/([A-Za-z0-9_-]{1,100}))?/?$`, 'i');

/**
 * The place that a link from outside asks for, or nothing.
 *
 * Anybody can make such a link, so it can only open a window of ours, never do anything in it. Matched as it was written,
 * not as an address: reading one repairs it (`..`, line breaks, escapes), and nothing of that is worth understanding here.
 */
export function placeOfLink(link: string): Place | undefined {
  const found = linkPattern.exec(link);
  return found === null ? undefined : { window: 'designer', ivrId: found[1] ?? null };
}
