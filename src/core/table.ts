import type { Restorable, UndoLog } from './undo-log.ts';

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
