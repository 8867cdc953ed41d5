/**
 * Whether the app starts again once it has ended, and what that start is asked to show.
 *
 * Decided when it has ended and not before, because what is asked last counts: whoever replaces or removes the program has it quit, also
 * while it restarts.
 */
export class NextStart {
  #asked: readonly string[] | null = null;
  #isOwn = false;
  #isToStayAway = false;

  /** The arguments of the next start; null: there is none. */
  get asked(): readonly string[] | null {
    return this.#asked;
  }

  /** Whether the app itself asked for it, which a launcher has to be told. */
  get isOwn(): boolean {
    return this.#isOwn;
  }

  /** Somebody else replaces or removes the program: a prepared update waits until the next time that it quits. */
  get isToStayAway(): boolean {
    return this.#isToStayAway;
  }

  /** The app restarts. False: it was told to stay away, and does. */
  restart(asked: readonly string[]): boolean {
    if (this.#isToStayAway) return false;
    this.#asked = asked;
    this.#isOwn = true;
    return true;
  }

  /** Somebody started the app while it was ending. */
  startAfterwards(asked: readonly string[]): void {
    this.#asked = asked;
    this.#isToStayAway = false;
  }

  /** Somebody asked the app to quit. */
  stayAway(): void {
    this.#asked = null;
    this.#isOwn = false;
    this.#isToStayAway = true;
  }
}
