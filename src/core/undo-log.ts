/** Something that can put one of its values back. */
export interface Restorable {
  restore(key: unknown, before: unknown): void;
}

/** A stretch of changes, oldest first: three entries each (what, which key, the value before). */
export type UndoSteps = readonly unknown[];

/**
 * The way back from changes that could not be made durable.
 *
 * Every write to the state notes the value that it replaces. The store takes the notes of each batch out (`take`) and
 * drops them once the batch is on disk, or has them put back, newest first (`undo`). Notes are flat and not closures,
 * because every change of every request makes some.
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

  /** Hands over the notes so far and begins anew. */
  take(): UndoSteps {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }

  forget(): void {
    if (this.#steps.length > 0) this.#steps = [];
  }

  rollBack(toMark = 0): void {
    undo(this.#steps, toMark);
    this.#steps.length = toMark;
  }
}

/** Puts values back, newest first, down to a mark. */
export function undo(steps: UndoSteps, toMark = 0): void {
  for (let place = steps.length - 3; place >= toMark; place -= 3) {
    (steps[place] as Restorable).restore(steps[place + 1], steps[place + 2]);
  }
}
