import { countWords } from '../count.ts';
import { namesText } from '../credential/credentials.ts';
import { quotedName } from '../names.ts';

/** The window of the phone menus: the drafts, the stored menus, and one of them. */

export const menusText = {
  windowTitle: 'Phone menus — Rotavox',
  heading: 'Phone menus',
  all: 'All phone menus',
  stored: 'Stored menus',
  /** Beside what a call can begin with. */
  flow: { hours: 'Call flow', message: 'Message of a call flow' },
  keys: 'Keys ',
  /** `when` is a moment. */
  version: (version: number) => `Version ${version}, {when}` as const,
} as const;

/** How to store a menu while there is none. */
export const firstMenuText = {
  title: 'Create your first phone menu',
  lead: 'A phone menu greets callers, waits for a key and leads them on. Start with a template, try it with a simulated call, and publish it.',
  api: 'Create one through the API',
  apiLead:
    'A menu is one JSON body that says what the caller hears, where each key leads, and what happens after a wrong key and after a timeout.',
  save: 'Save this as {file}, and enter your own recordings and extensions:',
  copyBody: 'the body of a menu',
  store: 'Store it. This window shows it at once.',
  copyCommand: 'the command that stores a menu',
  app: 'An app does the same with its token:',
  copyCall: 'the call that stores a menu',
  /** The menu that is stored. */
  example: { name: 'Reception', description: 'Where every call begins' },
} as const;

export const draftsText = {
  title: 'Drafts',
  new: 'New menu',
  none: 'No drafts yet. Design a phone menu as a draft, test it with simulated calls, and publish it.',
  import: 'Import…',
  menus: (count: number) => countWords(count, 'menu'),
  changed: 'Changed {when}',
} as const;

export const newMenuText = {
  title: 'New menu',
  emptyName: 'New menu',
  empty: { name: 'Empty', what: 'A caller and an empty canvas' },
  /** What is spoken in a new menu until something else is chosen. */
  spoken: {
    wrongKey: 'Sorry, that is not one of the choices.',
    timeout: 'Sorry, no key was pressed.',
  },
  cancel: 'Cancel',
  usesHours: (names: readonly string[]) => `Uses your opening hours ${namesText(names)}.`,
  addsHours: (names: readonly string[]) =>
    `Adds the opening hours ${namesText(names)}, which you can change.`,
} as const;

export const openDraftText = {
  open: 'Open in the designer',
  opening: 'Opening …',
  hasDraft: (draft: string) =>
    `Opens its draft ${quotedName(draft)} with all changes made so far. Publishing the draft here replaces this menu.`,
} as const;

/** What is kept of the drafts of a menu that is deleted; null while they are not known. */
function keptDrafts(drafts: readonly string[] | null): string[] {
  if (drafts === null) return ['Drafts that were published to it are kept.'];
  if (drafts.length === 0) return [];
  return [
    `It was published from ${namesText(drafts)}. The draft is kept; publishing it again stores a new menu.`,
  ];
}

/** Deleting a stored menu. */
export const deleteMenuText = {
  open: 'Delete menu…',
  question: (name: string) => `Delete ${quotedName(name)}?`,
  /** What it means; `drafts` is null while they are not known. */
  consequences: ({
    drafts,
    menus,
    isPart,
  }: {
    readonly drafts: readonly string[] | null;
    readonly menus: readonly string[];
    /** Opening hours or a message of a call flow, and no menu. */
    readonly isPart: boolean;
  }): string[] => [
    isPart
      ? 'Calls that a telephone system hands over to it go to the fallback. The menus of the call flow stay stored; delete them on their own pages.'
      : 'Apps that ask for this menu get 404. A telephone system that reads it has no menu for callers who reach it.',
    ...(menus.length === 0
      ? []
      : [`Callers of ${namesText(menus)} who are sent to it reach nothing: change those menus first.`]),
    ...keptDrafts(drafts),
    'Its versions and its history are kept.',
  ],
  cancel: 'Cancel',
  confirm: 'Delete menu',
  /** Of opening hours and messages. */
  part: { open: 'Delete from this service…', confirm: 'Delete' },
  deleting: 'Deleting …',
} as const;

/** Opening hours or a message of a published call flow. */
export const flowPartText = {
  title: { hours: 'Opening hours of a call flow', message: 'Message of a call flow' },
  hours: 'Opening hours',
  hoursGone: 'Not stored any more: callers meet closed hours.',
  now: 'Now',
  open: 'While open',
  closed: 'While closed',
  holiday: 'On holidays',
  asClosed: 'as while closed',
  plays: 'Callers hear',
  then: 'Then',
  draft: 'Published from',
  noDraft: 'a draft that was deleted',
} as const;

/** One stored menu. */
export const storedMenuText = {
  heading: 'Phone menu',
  unknown: {
    title: 'Nothing is stored with this id.',
    text: 'No menu, opening hours or message of a call flow has the id {name}. It was deleted with its call flow, or the link is mistyped or comes from another machine.',
  },
  deleted: {
    title: 'This phone menu was deleted.',
    text: 'Apps get 404 for it. Its versions and its history are kept.',
  },
  copyId: "the menu's id",
  stored: (version: number) => `Version ${version}, stored {when}` as const,
  older: (version: number, newest: number) => `This is version ${version}; the newest is ${newest}.`,
  showNewest: 'Show the newest',
  body: 'JSON body',
  copyBody: 'the JSON body',
  caller: 'What the caller hears',
  ways: { first: 'At first', wrongKey: 'After a wrong key', timeout: 'After a timeout' },
  noWrongKey: 'There are no wrong keys: the menu uses every telephone key.',
  wait: (seconds: number) => `${seconds} s for a key`,
  again: (times: number) => `Repeats the menu ${times === 1 ? 'once' : `up to ${times} times`}`,
  keys: 'Keys',
  keysInUse: (count: number) => `${count} in use`,
  unused: 'not used',
  dials: (numbers: 'directory' | readonly string[]) =>
    `Callers can dial ${numbers === 'directory' ? 'the extensions of the directory' : numbers.join(', ')}.`,
  smsTemplate: (id: string) => `SMS template ${id}`,
  versions: 'Versions',
  version: (version: number) => `Version ${version}`,
  created: 'created',
  unchanged: 'stored again, unchanged',
  changed: (fields: readonly string[]) => fields.join(', '),
} as const;
