/**
 * Finds out how much of a secret may have arrived at the end of a text that arrives in pieces.
 *
 * With the failure function of Knuth, Morris and Pratt, so that the time grows with the text and not with its product with the secret.
 */
export class OpenEnd {
  readonly #secret: Uint8Array;
  /** For each length of a beginning: the longest shorter beginning that it ends with. */
  readonly #fallbacks: Int32Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
    this.#fallbacks = new Int32Array(secret.length + 1);
    for (let length = 1; length < secret.length; length += 1)
      this.#fallbacks[length + 1] = this.#extend(this.#fallbacks[length] ?? 0, secret[length]);
  }

  /** How many bytes at the end of a text are the beginning of the secret, but not all of it: the most that are. */
  lengthIn(text: Uint8Array): number {
    let matched = 0;
    for (let at = Math.max(0, text.length - this.#secret.length + 1); at < text.length; at += 1)
      matched = this.#extend(matched, text[at]);
    return matched;
  }

  #extend(matched: number, byte: number | undefined): number {
    let length = matched;
    while (length > 0 && this.#secret[length] !== byte) length = this.#fallbacks[length] ?? 0;
    return this.#secret[length] === byte ? length + 1 : length;
  }
}
