/** As many writes as are remembered at least. */
const kept = 2000;

/** Which rows of a table were written last, for whoever has worked something out from them and wants to catch up. */
export class WriteLog {
  #ordinals: number[] = [];
  #revision = 0;

  /** How often the table was written to. */
  get revision(): number {
    return this.#revision;
  }

  note(ordinal: number): void {
    this.#revision += 1;
    if (this.#ordinals.length >= 2 * kept) this.#ordinals.splice(0, kept);
    this.#ordinals.push(ordinal);
  }

  /** A row is gone: nobody can catch up over that. */
  noteRemoval(): void {
    this.#revision += 1;
    this.#ordinals = [];
  }

  /** The rows that were written since a revision, some perhaps several times; null when that is too long ago. */
  since(revision: number): readonly number[] | null {
    const writes = this.#revision - revision;
    if (writes > this.#ordinals.length) return null;
    return this.#ordinals.slice(this.#ordinals.length - writes);
  }
}
