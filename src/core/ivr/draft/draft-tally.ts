import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import type { State } from '../../state.ts';
import { checkDraft } from '../check-draft.ts';
import type { IvrDirectory } from '../ivr-directory.ts';
import { type Tally, tallyOf } from '../tally.ts';
import { type Asked, askedByDocument, directoryAbout } from './known-directory.ts';

/**
 * Counts what is wrong with drawings, each once for as long as nothing of it changes.
 *
 * A check plays the scenarios and proves every way of a call, and a list asks for all drafts whenever one of them is
 * saved. A revision of a drawing is a value, so it is known again by itself; and its check can come to something else only
 * when what it refers to comes or goes, which costs a look for each reference. Nothing has to be told of a change, so
 * there is none to miss, a change that the disk refused and that was taken back included.
 */
export class DraftTally {
  readonly #counted = new WeakMap<IvrDocument, Counted>();

  of(state: State, document: IvrDocument): Tally {
    const before = this.#counted.get(document);
    const asked = before?.asked ?? askedByDocument(document);
    const directory = directoryAbout(state, asked);
    const known = textOf(directory);
    if (before?.known === known) return before.tally;
    const tally = tallyOf(checkDraft(document, directory).problems);
    this.#counted.set(document, { asked, known, tally });
    return tally;
  }
}

interface Counted {
  readonly asked: Asked;
  /** What was known of it when it was counted. */
  readonly known: string;
  readonly tally: Tally;
}

function textOf({ recordings, extensions, menus, smsTemplates, smsTemplatesEnabled }: IvrDirectory): string {
  const sets = [recordings, extensions, menus, smsTemplates];
  return JSON.stringify([smsTemplatesEnabled, ...sets.map((ids) => [...ids])]);
}
