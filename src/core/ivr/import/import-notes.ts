import type { ImportNote, ImportWarnings } from '../../../contract/menu/ivr-import.ts';

/** The warnings of an import: what is incomplete, and what was left out. */
export class ImportNotes {
  readonly #notes: ImportNote[] = [];
  readonly #leftOut = new Map<string, number>();

  warn(note: ImportNote): void {
    this.#notes.push(note);
  }

  /** A field that a menu does not have. Counted over all menus, because a long list would hide what matters. */
  leaveOut(field: string): void {
    this.#leftOut.set(field, (this.#leftOut.get(field) ?? 0) + 1);
  }

  warnings(): ImportWarnings {
    return {
      notes: this.#notes.slice(0, mostNotes),
      more: Math.max(0, this.#notes.length - mostNotes),
      leftOut: Array.from(this.#leftOut, ([field, times]) => ({ field, times })),
    };
  }
}

const mostNotes = 100;
