const mostEnds = 3;
const withinMs = 60_000;

/** The last ends of the graphics process. */
export class GraphicsEnds {
  #atMs: number[] = [];

  /** Counts one, in milliseconds. Whether there were too many in a short time. */
  isTooMany(nowMs: number): boolean {
    this.#atMs = [...this.#atMs.filter((one) => nowMs - one < withinMs), nowMs];
    return this.#atMs.length >= mostEnds;
  }
}
