/** What replaces a token. */
const mask = Buffer.from('••••');

/**
 * Replaces the tokens of a run in the output of its command.
 *
 * Byte for byte, the leftmost first and the longest of those that begin at the same place, as if the whole output were
 * replaced at once. A token in another encoding (base64, percent-encoded, broken over lines) is not recognised.
 */
export class OutputMask {
  readonly #tokens: HiddenToken[] = [];

  /** Hides one more token from now on. */
  hide(token: string): void {
    const bytes = Buffer.from(token);
    if (bytes.length > 0 && !this.#tokens.some((hidden) => hidden.bytes.equals(bytes)))
      this.#tokens.push(new HiddenToken(bytes));
  }

  /**
   * One stream of output without the tokens: a step of a `pipeline`.
   *
   * Delays only an end that may be the beginning of a token, until more output follows or the stream ends.
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

  /** The bytes that can be shown, and the rest that waits for more output. */
  #replace(bytes: Buffer, { isLast = false } = {}): { shown: Buffer; rest: Buffer } {
    const pieces: Buffer[] = [];
    const next = this.#tokens.map((token) => token.findFrom(bytes, 0));
    let from = 0;
    for (;;) {
      let match: { at: number; length: number } | null = null;
      let openAt = bytes.length;
      for (const [index, token] of this.#tokens.entries()) {
        let at = next[index] ?? bytes.length;
        if (at < from) next[index] = at = token.findFrom(bytes, from);
        const { length } = token.bytes;
        if (
          at < bytes.length &&
          (match === null || at < match.at || (at === match.at && length > match.length))
        )
          match = { at, length };
        if (!isLast) openAt = Math.min(openAt, token.findOpenEnd(bytes, from));
      }
      if (match === null || openAt <= match.at) {
        pieces.push(bytes.subarray(from, openAt));
        return {
          // One piece is the chunk itself: most output contains no token and is not copied.
          shown: pieces.length === 1 ? bytes.subarray(from, openAt) : Buffer.concat(pieces),
          rest: bytes.subarray(openAt),
        };
      }
      pieces.push(bytes.subarray(from, match.at), mask);
      from = match.at + match.length;
    }
  }
}

/** A token as bytes, with the failure function of Knuth, Morris and Pratt for finding an end that may continue as the token. */
class HiddenToken {
  readonly bytes: Buffer;
  /** For each length of a beginning: the longest shorter beginning that it ends with. */
  readonly #fallbacks: Int32Array;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#fallbacks = new Int32Array(bytes.length + 1);
    for (let length = 1; length < bytes.length; length += 1)
      this.#fallbacks[length + 1] = this.#extend(this.#fallbacks[length] ?? 0, bytes[length]);
  }

  /** Where the token begins at or after a place; the end of the text if nowhere. */
  findFrom(text: Buffer, from: number): number {
    const at = text.indexOf(this.bytes, from);
    return at === -1 ? text.length : at;
  }

  /** Where the longest end of a text begins that is the beginning of the token, but not all of it. */
  findOpenEnd(text: Buffer, from: number): number {
    let matched = 0;
    for (let at = Math.max(from, text.length - this.bytes.length + 1); at < text.length; at += 1)
      matched = this.#extend(matched, text[at]);
    return text.length - matched;
  }

  /** How many bytes of the token's beginning the text ends with after one more byte, given how many before. */
  #extend(matched: number, byte: number | undefined): number {
    let length = matched;
    while (length > 0 && this.bytes[length] !== byte) length = this.#fallbacks[length] ?? 0;
    return this.bytes[length] === byte ? length + 1 : length;
  }
}
