/**
 * Rows by key, in insertion order, with undoable writes.
 *
 * Rows are immutable: they are replaced and never changed in place, so a copy of the list of rows is a consistent
 * snapshot, however long it takes to write it to disk.
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

/** Something that can restore one of its previous values. */
export interface Restorable {
  restore(key: unknown, before: unknown): void;
}

/**
 * An undo log for changes that could not be made durable.
 *
 * Every write to the state records the value that it replaces: what, which key, the previous value. The store discards
 * the entries once their events are on disk, or restores them, newest first. Entries are flat in one array, because
 * every request creates some.
 */
export class UndoLog {
  #steps: unknown[] = [];

  note(target: Restorable, key: unknown, before: unknown): void {
    this.#steps.push(target, key, before);
  }

  /** The current position of the log, to roll back to. */
  mark(): number {
    return this.#steps.length;
  }

  /** Discards the entries before a position, which become durable first. */
  forget(upToMark = this.#steps.length): void {
    if (upToMark > 0) this.#steps = this.#steps.slice(upToMark);
  }

  rollBack(toMark = 0): void {
    for (let place = this.#steps.length - 3; place >= toMark; place -= 3) {
      (this.#steps[place] as Restorable).restore(this.#steps[place + 1], this.#steps[place + 2]);
    }
    this.#steps.length = toMark;
  }
}
