import { invariant } from '../core/unreachable.ts';

interface Segment {
  readonly path: string;
  readonly firstSeq: number;
  /** Set when the next one begins. */
  endOffset: number;
}

/**
 * Where each event is on disk, and the previous event of the same subject: 8 bytes an event in memory.
 *
 * Events are looked up by `seq`, which counts from 1 without gaps, so plain arrays are enough.
 */
export class HistoryIndex {
  /** Byte offset of the line in its segment. */
  #offsets = new Uint32Array(1024);
  /** The `seq` of the subject's event before this one, 0 for none. */
  #previous = new Uint32Array(1024);
  #lastSeq = 0;
  /** Where the next line of the open segment will begin. */
  #endOffset = 0;
  readonly #lastOfSubject = new Map<string, number>();
  /** First `seq` of each segment, ascending, beside its path. */
  readonly #segments: Segment[] = [];

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** The next events are in this segment, from this offset on. */
  beginSegment(path: string, firstSeq: number, offset: number): void {
    const before = this.#segments.at(-1);
    if (before !== undefined) before.endOffset = this.#endOffset;
    this.#segments.push({ firstSeq, path, endOffset: 0 });
    this.#endOffset = offset;
  }

  /** Adds the next event with the length of its line in bytes, the newline included. */
  add(subject: string, length: number): void {
    this.#lastSeq += 1;
    if (this.#lastSeq >= this.#offsets.length) {
      this.#offsets = grown(this.#offsets);
      this.#previous = grown(this.#previous);
    }
    this.#offsets[this.#lastSeq] = this.#endOffset;
    this.#endOffset += length;
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

  /** Where the line of an event ends. */
  endOf(seq: number): number {
    const segment = this.segmentOf(seq);
    if (seq < this.#lastSeq && this.segmentOf(seq + 1) === segment) return this.offsetOf(seq + 1);
    return segment === this.#segments.at(-1) ? this.#endOffset : segment.endOffset;
  }

  /** The segment that holds an event. */
  segmentOf(seq: number): Readonly<Segment> {
    let place = this.#segments.length - 1;
    while (place > 0 && (this.#segments[place]?.firstSeq ?? 0) > seq) place -= 1;
    const segment = this.#segments[place];
    invariant(segment !== undefined, 'an event is in a segment');
    return segment;
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
