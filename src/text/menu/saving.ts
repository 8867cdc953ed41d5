import type { DraftNode, DraftRefusalReason, FlowPrompts } from '../../contract/menu/ivr-draft.ts';
import { flowPromptText, flowSpeechText, menuFieldText, menuGroupText } from './designer-inspector.ts';
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
    speech: flowSpeechText.title,
    ...flowPromptText.labels,
  } satisfies Readonly<Record<'name' | 'start' | 'speech' | keyof FlowPrompts, string>>,
  scenario: (name: string) => `Scenario ${quoted(name)}`,
  /** A whole card, or a field of a menu. */
  card: (node: DraftNode, field: string | null, known: KnownNames) => {
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

/** Why an action on a draft was refused. */
export function draftRefusalText(reason: DraftRefusalReason): string {
  switch (reason.code) {
    case 'draft_unknown':
      return 'There is no draft with this id. It may have been deleted; menus published from it stay.';
    case 'draft_never_existed':
      return 'There never was a draft with this id.';
    case 'saved_since':
      return (
        `This draft was saved since, as revision ${reason.current} (${reason.saved_at}), by another window or program; ` +
        `this is revision ${reason.revision}. Nothing was changed and nothing is lost: read the current revision, or ` +
        'keep this one as a separate draft.'
      );
    case 'revision_unknown':
      return (
        `The current revision of this draft is ${reason.current}; there is no revision ${reason.revision} yet. Nothing was ` +
        'changed and nothing is lost: read the draft again.'
      );
    case 'published_since':
      return (
        `Menu ${quoted(reason.menu)} was published since, as version ${reason.version} (${reason.published_at}), from draft ` +
        `“${reason.draft.name}” (${reason.draft.id}). This draft was made from ` +
        `${reason.made_from === 0 ? 'an older version' : `version ${reason.made_from}`} and would replace it. Nothing was changed. Make your ` +
        'changes in that draft and publish it, or delete that draft to publish this one instead.'
      );
    case 'publishing_already':
      return 'This draft is already being published. Wait until that ends; nothing was sent.';
  }
}
