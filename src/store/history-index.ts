/**
 * Where every event lies on disk, and which one of the same subject came before it: 8 bytes an event in memory.
 *
 * Events are looked up by `seq`, which counts from 1 without a gap, so plain arrays do.
 */
export class HistoryIndex {
  /** Byte offset of the line in its segment. */
  #offsets = new Uint32Array(1024);
  /** The `seq` of the subject's event before this one, 0 for none. */
  #previous = new Uint32Array(1024);
  #lastSeq = 0;
  readonly #lastOfSubject = new Map<string, number>();
  /** First `seq` of each segment, ascending, beside its path. */
  readonly #segments: { firstSeq: number; path: string }[] = [];

  get lastSeq(): number {
    return this.#lastSeq;
  }

  beginSegment(path: string, firstSeq: number): void {
    this.#segments.push({ firstSeq, path });
  }

  add(subject: string, offset: number): void {
    this.#lastSeq += 1;
    if (this.#lastSeq >= this.#offsets.length) {
      this.#offsets = grown(this.#offsets);
      this.#previous = grown(this.#previous);
    }
    this.#offsets[this.#lastSeq] = offset;
    this.#previous[this.#lastSeq] = this.#lastOfSubject.get(subject) ?? 0;
    this.#lastOfSubject.set(subject, this.#lastSeq);
  }

  lastOf(subject: string): number {
    return this.#lastOfSubject.get(subject) ?? 0;
  }

  previousOfSubject(seq: number): number {
    return this.#previous[seq] ?? 0;
  }

  offsetOf(seq: number): number {
    return this.#offsets[seq] ?? 0;
  }

  /** The segment that holds an event, and the last event in it. */
  segmentOf(seq: number): { path: string; firstSeq: number; lastSeq: number } {
    let place = this.#segments.length - 1;
    while (place > 0 && (this.#segments[place]?.firstSeq ?? 0) > seq) place -= 1;
    const segment = this.#segments[place];
    if (segment === undefined) throw new RangeError(`No segment holds event ${seq}`);
    const next = this.#segments[place + 1];
    return { ...segment, lastSeq: next === undefined ? this.#lastSeq : next.firstSeq - 1 };
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
