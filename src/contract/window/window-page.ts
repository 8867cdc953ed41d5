/*
 * The pages of the windows and their paths: the service answers them, a window reads its own address with them, and the
 * app opens only these.
 */

/** The path of each page; `:id` is a placeholder for the id or the name of what it shows. */
export const pagePaths = {
  overview: '/',
  tokens: '/tokens',
  issue: '/tokens/issue',
  family: '/tokens/family/:id',
  credentials: '/credentials',
  credential: '/credentials/:id',
  'add-credential': '/add-credential',
  history: '/history',
  settings: '/settings',
  recordings: '/recordings',
  extensions: '/extensions',
  'sms-templates': '/sms-templates',
  'opening-hours': '/opening-hours',
  schedule: '/opening-hours/:id',
  calls: '/calls',
  call: '/calls/:id',
  'telephone-systems': '/telephone-systems',
  'telephone-system': '/telephone-systems/:id',
  'add-telephone-system': '/add-telephone-system',
  menus: '/ivr',
  menu: '/ivr/:id',
  draft: '/ivr/drafts/:id',
} as const;
export type WindowPage = keyof typeof pagePaths;

export interface PageAddress {
  readonly page: WindowPage;
  /** The id or the name of what is shown; empty for a page of many. */
  readonly id: string;
}

/** The path of a page, of one thing where the page shows one. */
export function pagePath(page: WindowPage, id = ''): string {
  return pagePaths[page].replace(':id', encodeURIComponent(id));
}

/** The path at which a person is asked whether to rotate a credential now. */
export function rotatePath(name: string): string {
  return `${pagePath('credential', name)}?rotate=1`;
}

/** The page of a credential, with the question for another address of its service. */
export function addressPath(name: string): string {
  return `${pagePath('credential', name)}?address=1`;
}

const pages = Object.entries(pagePaths) as [WindowPage, string][];

/** The page that a path names, or undefined. */
export function readPagePath(path: string): PageAddress | undefined {
  const slash = path.lastIndexOf('/') + 1;
  const [start, last] = [path.slice(0, slash), path.slice(slash)];
  for (const [page, pattern] of pages) {
    if (pattern === path) return { page, id: '' };
    if (last !== '' && pattern === `${start}:id`) return { page, id: decoded(last) };
  }
  return undefined;
}

/** The service refuses broken escapes, but an address can also be made inside a page. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // shown as it is written, as an id that nothing has
  }
}
