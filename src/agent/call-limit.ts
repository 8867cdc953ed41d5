const shortestMs = 1_000;

/** How long a call may take, in milliseconds: a short life leaves no time to wait long for a service that hangs. */
export function callLimitMs(leftMs: number, longestMs: number): number {
  return Math.min(longestMs, Math.max(shortestMs, Math.floor(leftMs / 4)));
}
