/** What stands where a value stood. */
const mask = Buffer.from('••••');

/**
 * The values that a run has handed out, kept out of what its command prints.
 *
 * Each is replaced byte for byte, the leftmost first and the longest of those that begin together, as if the whole output
 * were replaced at once. Another spelling of a value (base64, percent-encoded, broken over lines) is not known here.
 */
export class OutputMask {
  readonly #values: HiddenValue[] = [];

  /** Hides one more value from here on. */
  hide(value: string): void {
    const bytes = Buffer.from(value);
    if (bytes.length > 0 && !this.#values.some((hidden) => hidden.bytes.equals(bytes)))
      this.#values.push(new HiddenValue(bytes));
  }

  /**
   * One stream of output without the values: a step of a `pipeline`.
   *
   * Holds back only an end that may be the beginning of a value, until it is known what it is or the stream ends.
   */
  async *pass(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    let held: Buffer = Buffer.alloc(0);
    for await (const chunk of chunks) {
      const { shown, rest } = this.#replace(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
      held = rest;
      if (shown.length > 0) yield shown;
    }
    if (held.length > 0) yield this.#replace(held, { isLast: true }).shown;
  }

  /** The bytes that can be shown, and the rest that has to wait for what follows. */
  #replace(bytes: Buffer, { isLast = false } = {}): { shown: Buffer; rest: Buffer } {
    const pieces: Buffer[] = [];
    const next = this.#values.map((value) => value.findFrom(bytes, 0));
    let from = 0;
    for (;;) {
      let match: { at: number; length: number } | null = null;
      let openAt = bytes.length;
      for (const [index, value] of this.#values.entries()) {
        let at = next[index] ?? bytes.length;
        if (at < from) next[index] = at = value.findFrom(bytes, from);
        const { length } = value.bytes;
        if (
          at < bytes.length &&
          (match === null || at < match.at || (at === match.at && length > match.length))
        )
          match = { at, length };
        if (!isLast) openAt = Math.min(openAt, value.findOpenEnd(bytes, from));
      }
      if (match === null || openAt <= match.at) {
        pieces.push(bytes.subarray(from, openAt));
        return {
          // One piece is the chunk itself: most output has no value in it and is not copied.
          shown: pieces.length === 1 ? bytes.subarray(from, openAt) : Buffer.concat(pieces),
          rest: bytes.subarray(openAt),
        };
      }
      pieces.push(bytes.subarray(from, match.at), mask);
      from = match.at + match.length;
    }
  }
}

/** A value as bytes, with the fallbacks of Knuth, Morris and Pratt for finding an end that may go on as the value. */
class HiddenValue {
  readonly bytes: Buffer;
  /** For each length of a beginning: the longest shorter beginning that it ends with. */
  readonly #fallbacks: Int32Array;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#fallbacks = new Int32Array(bytes.length + 1);
    for (let length = 1; length < bytes.length; length += 1)
      this.#fallbacks[length + 1] = this.#extend(this.#fallbacks[length] ?? 0, bytes[length]);
  }

  /** Where the value begins at or after a place; the end of the text when it does not. */
  findFrom(text: Buffer, from: number): number {
    const at = text.indexOf(this.bytes, from);
    return at === -1 ? text.length : at;
  }

  /** Where the longest end of a text begins that is the beginning of the value, but not all of it. */
  findOpenEnd(text: Buffer, from: number): number {
    let matched = 0;
    for (let at = Math.max(from, text.length - this.bytes.length + 1); at < text.length; at += 1)
      matched = this.#extend(matched, text[at]);
    return text.length - matched;
  }

  /** How much of the value's beginning the text ends with after one more byte, when it was so much before. */
  #extend(matched: number, byte: number | undefined): number {
    let length = matched;
    while (length > 0 && this.bytes[length] !== byte) length = this.#fallbacks[length] ?? 0;
    return this.bytes[length] === byte ? length + 1 : length;
  }
}
