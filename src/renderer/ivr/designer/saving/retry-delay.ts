/** How long after so many failed saves in a row the next one is tried: soon at first, then every half minute. */
export function retryDelayMs(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** Math.min(failures - 1, 5));
}
