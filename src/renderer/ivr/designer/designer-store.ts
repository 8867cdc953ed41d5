import type { IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import type { PlannedCall } from '../../../core/ivr/call/run-scenario.ts';
import type { Port } from '../../../core/ivr/edit/lines.ts';
import { mergeEdits } from '../../../core/ivr/draft/merge-edits.ts';
import { makeRoom } from './layout/free-place.ts';

/** What is selected: ids of nodes, and `caller`. */
export type Selection = ReadonlySet<string>;

/** The path of the test call, which the canvas highlights. */
export interface LitPath {
  readonly nodes: ReadonlySet<string>;
  readonly lines: readonly Port[];
  /** Where the call is now. */
  readonly at: string;
}

/** The phone that the window shows: in place of the inspector, or above the scenarios to play one of them. */
export interface OpenPhone {
  readonly place: 'inspector' | 'scenarios';
  readonly planned: PlannedCall;
  /** Another number is another call. */
  readonly count: number;
}

export interface DesignerState {
  readonly document: IvrDocument;
  readonly selection: Selection;
  /** The edits that undo and redo would change, such as “move 3 parts”; null if there is none. */
  readonly undoable: string | null;
  readonly redoable: string | null;
  readonly lit: LitPath | null;
  readonly phone: OpenPhone | null;
  /** The path of the field that takes the focus as soon as it is shown (`useRequestedFocus`). */
  readonly requestedFocus: string | null;
  /** The path of the field that is edited on its card. */
  readonly cardField: string | null;
  /** Whether publishing was tried since the last time it succeeded: what is not done yet is an error then. */
  readonly publishTried: boolean;
  /** Whether the last change was a whole other version of the document, such as one that was saved in another window. */
  readonly isReplaced: boolean;
}

interface Edit {
  readonly name: string;
  readonly before: Pick<DesignerState, 'document' | 'selection'>;
  readonly after: Pick<DesignerState, 'document' | 'selection'>;
  /** Consecutive edits with the same key are one; null is always separate. */
  readonly merge: string | null;
}

/** How many edits can be undone. Documents share what did not change, so each costs little. */
const longestHistory = 500;

/**
 * The draft in a window: the document, what is selected, and the undo history.
 *
 * Every change of the document is an edit, layout included, so that everything can be undone. The document is a value that is
 * replaced, never written to. React reads it with `useSyncExternalStore` (`use-designer.ts`).
 */
export class DesignerStore {
  #state: DesignerState;
  #done: Edit[] = [];
  #undone: Edit[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(document: IvrDocument) {
    this.#state = {
      document,
      selection: new Set(),
      undoable: null,
      redoable: null,
      lit: null,
      phone: null,
      requestedFocus: null,
      cardField: null,
      publishTried: false,
      isReplaced: false,
    };
  }

  readonly state = (): DesignerState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /**
   * Makes an edit, unless it changes nothing.
   *
   * `name` is shown in “Undo: add a menu”. `merge` joins it with the previous edit under the same key, until `settle`: letters
   * typed into one field are one edit. `select` is what is selected afterwards. A card that becomes taller moves those below
   * it down, in the same edit.
   */
  edit(
    name: string,
    change: (document: IvrDocument) => IvrDocument,
    { merge = null, select }: { readonly merge?: string | null; readonly select?: Selection } = {},
  ): void {
    const before = this.#state;
    const changed = change(before.document);
    if (changed === before.document) return;
    this.#push({
      name,
      merge,
      before,
      document: makeRoom(before.document, changed),
      select,
      isReplaced: false,
    });
  }

  /** Replaces the document by another version of it, exactly as it is. */
  replace(name: string, document: IvrDocument, select?: Selection): void {
    if (document !== this.#state.document)
      this.#push({ name, merge: null, before: this.#state, document, select, isReplaced: true });
  }

  /**
   * Goes on with what somebody else has edited in it: that is no edit here, so undo takes back only what was edited here.
   *
   * `known` is the document without the edits of both, and `theirs` with those of the other. What can no longer be taken back
   * because both changed the same leaves the history.
   */
  follow(known: IvrDocument, theirs: IvrDocument, document: IvrDocument, select?: Selection): void {
    if (document === this.#state.document) return;
    const rebased = (one: Edit['before']): Edit['before'] | null => {
      const merged = mergeEdits(known, one.document, theirs);
      return merged && { document: merged.document, selection: stillThere(one.selection, merged.document) };
    };
    const kept = (edits: readonly Edit[]): Edit[] => {
      const later: Edit[] = [];
      for (const edit of edits.toReversed()) {
        const [before, after] = [rebased(edit.before), rebased(edit.after)];
        if (before === null || after === null) break;
        later.unshift({ ...edit, before, after });
      }
      return later;
    };
    this.#done = kept(this.#done);
    this.#undone = kept(this.#undone);
    const selection = stillThere(select ?? this.#state.selection, document);
    this.#show({ document, selection, isReplaced: true });
  }

  #push({
    name,
    merge,
    before,
    document,
    select,
    isReplaced,
  }: Omit<Edit, 'after'> & {
    readonly document: IvrDocument;
    readonly select: Selection | undefined;
    readonly isReplaced: boolean;
  }): void {
    const after = { document, selection: stillThere(select ?? before.selection, document) };
    const last = this.#done.at(-1);
    if (merge !== null && last?.merge === merge) this.#done[this.#done.length - 1] = { ...last, after };
    else this.#done.push({ name, merge, after, before });
    if (this.#done.length > longestHistory) this.#done.shift();
    this.#undone = [];
    this.#show({ ...after, isReplaced });
  }

  /** Ends merging, such as when a field is left. */
  settle(): void {
    const last = this.#done.at(-1);
    if (last !== undefined && last.merge !== null)
      this.#done[this.#done.length - 1] = { ...last, merge: null };
  }

  undo(): void {
    const edit = this.#done.pop();
    if (edit === undefined) return;
    this.#undone.push({ ...edit, merge: null });
    this.settle();
    this.#show(this.#selecting(edit.before));
  }

  redo(): void {
    const edit = this.#undone.pop();
    if (edit === undefined) return;
    this.#done.push(edit);
    this.#show(this.#selecting(edit.after));
  }

  /** A previous state; if nothing was selected then, the selection stays, so that its fields stay open. */
  #selecting({ document, selection }: Edit['before']): Edit['before'] {
    return {
      document,
      selection: selection.size > 0 ? selection : stillThere(this.#state.selection, document),
    };
  }

  select(selection: Selection): void {
    if (sameSelection(selection, this.#state.selection)) return;
    this.settle();
    this.#show({ selection: stillThere(selection, this.#state.document) });
  }

  light(lit: LitPath | null): void {
    this.#show({ lit });
  }

  /** Opens a phone; there is one at most. */
  openPhone(place: OpenPhone['place'], planned: PlannedCall = { inputs: [] }): void {
    this.#show({ phone: { place, planned, count: (this.#state.phone?.count ?? 0) + 1 } });
  }

  closePhone(): void {
    if (this.#state.phone !== null) this.#show({ phone: null });
  }

  tryPublishing(): void {
    if (!this.#state.publishTried) this.#show({ publishTried: true });
  }

  published(): void {
    this.#show({ publishTried: false });
  }

  requestFocus(path: string): void {
    this.#show({ requestedFocus: path });
  }

  /** Edits a field on its card; null ends that, if this is still the field that is edited. */
  editOnCard(path: string | null, ended?: string): void {
    if (path !== null || this.#state.cardField === ended) this.#show({ cardField: path });
  }

  focusMoved(): void {
    this.#show({ requestedFocus: null });
  }

  #show(change: Partial<DesignerState>): void {
    this.#state = {
      ...this.#state,
      ...change,
      undoable: this.#done.at(-1)?.name ?? null,
      redoable: this.#undone.at(-1)?.name ?? null,
    };
    for (const listener of this.#listeners) listener();
  }
}

function stillThere(selection: Selection, document: IvrDocument): Selection {
  const there = [...selection].filter((id) => id === 'caller' || Object.hasOwn(document.nodes, id));
  return there.length === selection.size ? selection : new Set(there);
}

function sameSelection(one: Selection, other: Selection): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id));
}
