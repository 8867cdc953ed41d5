/** How much of the drawing is seen at once, and so how much of each card is worth drawing. */
export type Sight = 'far' | 'middle' | 'close';

/** Below this the words on a card cannot be read: 13 pixels are less than 6. */
const farZoom = 0.45;
/** From here on few cards are in sight, and there is time to draw what only looks good: the ground's dots, and shadows. */
const closeZoom = 0.6;

/** @param zoom - magnification, 1 is 100 % */
export function sightAt(zoom: number): Sight {
  if (zoom < farZoom) return 'far';
  return zoom < closeZoom ? 'middle' : 'close';
}
