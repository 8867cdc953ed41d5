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
