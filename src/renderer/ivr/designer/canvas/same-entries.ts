/** Keeps what says the same the same: an entry of a new map that reads as the one before is the one before. */
export class SameEntries<T> {
  #before: ReadonlyMap<string, T> = new Map();

  of(entries: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
    const kept = new Map<string, T>();
    for (const [id, entry] of entries) {
      const known = this.#before.get(id);
      kept.set(id, known !== undefined && JSON.stringify(known) === JSON.stringify(entry) ? known : entry);
    }
    this.#before = kept;
    return kept;
  }
}
