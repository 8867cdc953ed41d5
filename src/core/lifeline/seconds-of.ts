/** Milliseconds as the whole seconds of the wire. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000);
}
