/**
 * The way back from changes that could not be made durable.
 *
 * Every write to the state leaves the step that undoes it. The store keeps them until the batch is on disk, then forgets
 * them, or takes all of them back, newest first.
 */
export class UndoLog {
  #steps: (() => void)[] = [];

  add(step: () => void): void {
    this.#steps.push(step);
  }

  /** Where the log stands now, to roll back to. */
  mark(): number {
    return this.#steps.length;
  }

  forget(): void {
    this.#steps = [];
  }

  rollBack(toMark = 0): void {
    for (let step = this.#steps.length - 1; step >= toMark; step -= 1) this.#steps[step]?.();
    this.#steps.length = toMark;
  }
}
