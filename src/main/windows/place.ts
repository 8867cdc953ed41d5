import { pagePath, readPagePath, rotatePath, type WindowPage } from '../../contract/window/window-page.ts';

/** Where a window can lead: the overview with its pages, or the designer of phone menus. The tray opens that in a window of its own. */
export interface Place {
  readonly window: 'overview' | 'designer';
  /** Below the service's address; empty for the window as the person left it. */
  readonly path: string;
}

export type WindowKind = Place['window'];

/** The window as the person left it. A new one opens on the overview. */
export const asItWas: Place = { window: 'overview', path: '' };
export const overview = placeOfPage('overview');
export const tokens = placeOfPage('tokens');
export const credentials = placeOfPage('credentials');
export const issueDialog = placeOfPage('issue');
export const settings = placeOfPage('settings');
export const openingHours = placeOfPage('opening-hours');
export const designer = placeOfPage('menus');
/** Where the host for a team is chosen and its key entered. */
export const teamHostSetting: Place = { window: 'overview', path: `${settings.path}#computer` };

export function credentialPlace(name: string): Place {
  return placeOfPage('credential', name);
}

/** The question whether to rotate a credential now. */
export function rotatePlace(name: string): Place {
  return { window: 'overview', path: rotatePath(name) };
}

/** The page of a token family. */
export function familyPlace(id: string): Place {
  return placeOfPage('family', id);
}

function placeOfPage(page: WindowPage, id?: string): Place {
  const isDesigner = page === 'menus' || page === 'menu' || page === 'draft';
  return { window: isDesigner ? 'designer' : 'overview', path: pagePath(page, id) };
}

/** The scheme of links from elsewhere into the app: `rotavox://ivr/<id>`. */
export const linkScheme = 'rotavox';

const idPattern = /^[A-Za-z0-9_-]{1,100}$/;
/** The same as `CredentialName` in the contract, which the shell does not load before it has shown itself. */
const credentialNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;

/** The place of a path of our own origin, or undefined if no window shows it. */
export function placeOfPath(path: string): Place | undefined {
  const address = readPagePath(path);
  if (address === undefined) return undefined;
  const { page, id } = address;
  const place = placeOfPage(page, id);
  // Only in the form that is written here: no escapes.
  if (place.path !== path) return undefined;
  return id === '' || (page === 'credential' ? credentialNamePattern : idPattern).test(id)
    ? place
    : undefined;
}

const linkPattern = new RegExp(`^${linkScheme}://ivr(?:/([A-Za-z0-9_-]{1,100}))?/?$`, 'i');

/**
 * The place that a link from outside asks for, or nothing.
 *
 * Such a link can come from any program, so it can only open a window, never change anything. It is matched as text,
 * not as an address: parsing would repair it (`..`, line breaks, escapes), and such links are not supported.
 */
export function placeOfLink(link: string): Place | undefined {
  const found = linkPattern.exec(link);
  if (found === null) return undefined;
  return found[1] === undefined ? designer : placeOfPage('menu', found[1]);
}
