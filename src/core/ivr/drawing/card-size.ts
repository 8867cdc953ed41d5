/*
 * The sizes of cards, in pixels at 100 %, on the canvas of the designer and in an exported picture.
 */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The name of a menu, at the top of its card. */
export const headHeight = 48;
/** The prompt, a key, the wrong key, the timeout. */
export const rowHeight = 32;
export const menuWidth = 304;
export const endSize: Size = { width: 216, height: 56 };
export const callerSize: Size = { width: 160, height: 56 };
