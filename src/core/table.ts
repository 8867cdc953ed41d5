/**
 * Rows by key, in the order in which their keys came, each write undoable.
 *
 * Rows are values: they are replaced and never changed in place, so that a copy of the list of rows is a consistent
 * picture of the table however long it takes to write that picture to disk.
 */
export class Table<K, V> implements Restorable {
  readonly #rows = new Map<K, V>();
  readonly #undo: UndoLog;

  constructor(undo: UndoLog) {
    this.#undo = undo;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: K): V | undefined {
    return this.#rows.get(key);
  }

  has(key: K): boolean {
    return this.#rows.has(key);
  }

  keys(): IterableIterator<K> {
    return this.#rows.keys();
  }

  values(): IterableIterator<V> {
    return this.#rows.values();
  }

  set(key: K, row: V): void {
    this.#undo.note(this, key, this.#rows.get(key));
    this.#rows.set(key, row);
  }

  delete(key: K): void {
    const before = this.#rows.get(key);
    if (before === undefined) return;
    this.#undo.note(this, key, before);
    this.#rows.delete(key);
  }

  /** Puts a row back as it was; `undefined` when there was none. A deleted row comes back at the end. */
  restore(key: K, before: V | undefined): void {
    if (before === undefined) this.#rows.delete(key);
    else this.#rows.set(key, before);
  }
}

/** Something that can put one of its values back. */
export interface Restorable {
  restore(key: unknown, before: unknown): void;
}

/**
 * The way back from changes that could not be made durable.
 *
 * Every write to the state notes the value that it replaces: what, which key, the value before. The store drops the notes
 * once their events are on disk, or has them put back, newest first. Notes lie flat in one array, because every change
 * of every request makes some.
 */
export class UndoLog {
  #steps: unknown[] = [];

  note(target: Restorable, key: unknown, before: unknown): void {
    this.#steps.push(target, key, before);
  }

  /** Where the log stands now, to roll back to. */
  mark(): number {
    return this.#steps.length;
  }

  forget(): void {
    if (this.#steps.length > 0) this.#steps = [];
  }

  rollBack(toMark = 0): void {
    for (let place = this.#steps.length - 3; place >= toMark; place -= 3) {
      (this.#steps[place] as Restorable).restore(this.#steps[place + 1], this.#steps[place + 2]);
    }
    this.#steps.length = toMark;
  }
}
