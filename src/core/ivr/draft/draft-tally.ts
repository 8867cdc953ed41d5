import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import type { State } from '../../state.ts';
import { checkDraft } from '../check-draft.ts';
import type { IvrDirectory } from '../ivr-directory.ts';
import { readReference } from '../reference.ts';
import { type Tally, tallyOf } from '../tally.ts';
import { stateDirectory } from './state-directory.ts';

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
    const asked = before?.asked ?? askedBy(document);
    const directory = stateDirectory(state);
    const known = knownOf(asked, directory);
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

/** The ids that a drawing refers to. */
interface Asked {
  readonly recordings: string[];
  readonly extensions: string[];
  readonly menus: string[];
  readonly smsTemplates: string[];
}

function askedBy({ nodes }: IvrDocument): Asked {
  const asked: Asked = { recordings: [], extensions: [], menus: [], smsTemplates: [] };
  for (const node of Object.values(nodes)) {
    if (node.kind === 'end') {
      if (node.type === 'extension') asked.extensions.push(node.ref);
      if (node.type === 'ivr') asked.menus.push(node.ref);
      continue;
    }
    const { recording, invalid_recording, timeout_retry_recording, timeout_recording, keys } = node;
    for (const played of [recording, invalid_recording, timeout_retry_recording, timeout_recording]) {
      const reference = played === null ? null : readReference(played);
      if (reference?.type === 'recording') asked.recordings.push(reference.id);
    }
    asked.smsTemplates.push(...keys.map((key) => key.sms_template).filter((one) => one !== null));
  }
  return asked;
}

function knownOf(asked: Asked, { smsTemplatesEnabled, ...known }: IvrDirectory): string {
  const tables = ['recordings', 'extensions', 'menus', 'smsTemplates'] as const;
  return JSON.stringify([
    smsTemplatesEnabled,
    ...tables.map((table) => asked[table].filter((id) => known[table].has(id))),
  ]);
}
