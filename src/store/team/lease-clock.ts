/** A difference that no rounding and no slow correction of a clock explains. */
const jumpMs = 100;

/**
 * The clock by which a leader ends its lease: monotonic, and it counts the time for which the machine was suspended, which monotonic
 * clocks leave out.
 *
 * The wall clock shows that time. When it is set forward, a lease ends early, which costs a renewal and is safe. When it is set
 * back, nothing happens. It is not for the wait of a follower, which would become too short.
 */
export function leaseClock(monotonic: () => number, wall: () => number): () => number {
  let addedMs = 0;
  let knownMs = wall() - monotonic();
  return () => {
    const nowMs = monotonic();
    const aheadMs = wall() - nowMs;
    if (aheadMs - knownMs > jumpMs) addedMs += aheadMs - knownMs;
    knownMs = aheadMs;
    return nowMs + addedMs;
  };
}
