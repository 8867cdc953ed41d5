import type { DraftNode, FlowPrompts, MenuNode } from '../../contract/menu/ivr-draft.ts';
import { flowPromptText, menuFieldText, menuGroupText } from './designer-inspector.ts';
import { type KnownNames, nodeTitle, quoted } from './phone-menu.ts';

/** Whether a draft is saved, and what to keep where two people have edited the same. */

/** Whether the draft is saved. */
export const savingText = {
  saved: 'Saved',
  cut: 'Saved; long text cut',
  upToDate: 'Changed elsewhere, up to date',
  saving: 'Saving …',
  failed: (reason: string) => `Not saved: ${reason}`,
  conflict: 'Not saved: changed elsewhere',
  gone: 'Not saved: deleted elsewhere',
  conflictNotice: {
    title: 'This draft was changed elsewhere while you edited it here.',
    text: 'Your changes are not saved yet, because some of them are in the same places. Compare both versions and choose, or keep yours as a separate draft.',
  },
  goneNotice: {
    title: 'This draft was deleted elsewhere.',
    text: 'What you see is no longer saved. Save it as a new draft to keep it.',
  },
  compare: 'Compare and choose',
  /** Where a draft cannot hold both. Undo brings mine back. */
  takeTheirs: 'Load the other version',
  keepMine: 'Keep mine as a copy',
  copying: 'Copying …',
  copyEnding: ' (copy)',
} as const;

/** Each place where two versions of a draft contradict each other. */
export const contradictionText = {
  title: 'Choose between two versions',
  text: 'You and somebody else have edited the same places. Choose what to keep in each. Everything else that either of you edited is kept.',
  changedAgain: 'The other version has changed while you were choosing. Choose again.',
  list: 'Places that both have edited',
  all: 'Everywhere',
  allOf: { mine: 'Keep all of mine', theirs: 'Take all of theirs' },
  of: { mine: 'Mine', theirs: 'The other version' },
  keep: { mine: 'Keep mine', theirs: 'Take theirs' },
  flow: {
    name: 'Name of the draft',
    start: 'Where calls begin',
    ...flowPromptText.labels,
  } satisfies Readonly<Record<'name' | 'start' | keyof FlowPrompts, string>>,
  scenario: (name: string) => `Scenario ${quoted(name)}`,
  /** A whole card, or a field of a menu. */
  card: (node: DraftNode, field: keyof MenuNode | null, known: KnownNames) => {
    const title = node.kind === 'menu' ? `Menu ${quoted(node.name)}` : nodeTitle(node, known);
    return field === null || !isNamed(field) ? title : `${title}: ${fieldTitles[field].toLowerCase()}`;
  },
  use: 'Use this',
  cancel: 'Cancel',
} as const;

const fieldTitles = { ...menuFieldText, keys: menuGroupText.keys } as const;

function isNamed(field: string): field is keyof typeof fieldTitles {
  return Object.hasOwn(fieldTitles, field);
}
