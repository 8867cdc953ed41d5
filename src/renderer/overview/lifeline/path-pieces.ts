/** How long a piece is, in pixels: about one of the tiles that a browser paints at a time. */
const piecePx = 256;

/**
 * A path in pieces, from left to right.
 *
 * Of one path with hundreds of bars a browser looks at every bar for every tile of the screen that it paints; of a
 * path in pieces only at those that lie in the tile. Painting while time is scrolled took three quarters as long.
 */
export class PathPieces {
  readonly #pieces: string[] = [];
  #endX = -Infinity;

  /** Adds a shape that lies at `x` or right of it. They come in order. */
  add(x: number, shape: string): void {
    if (shape === '') return;
    const last = this.#pieces.length - 1;
    if (x >= this.#endX) {
      this.#pieces.push(shape);
      this.#endX = x + piecePx;
    } else {
      this.#pieces[last] = `${this.#pieces[last] ?? ''}${shape}`;
    }
  }

  get all(): readonly string[] {
    return this.#pieces;
  }
}
