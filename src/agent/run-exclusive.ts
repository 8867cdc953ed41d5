/**
 * The last piece of work that is under way or waits, by the place it works on.
 *
 * One table for the process and not one object per owner: a place is a real path, a vault file, a credential or a name, and
 * two deliveries, vaults or requests that know nothing of each other have to meet at it. The limits of the rotation loop
 * (`p-limit`) are another thing: they bound how much runs at a time, and order nothing. That a rotation is due is looked
 * at three times for a reason each: the loop wakes up for it, `beginRotation` decides it again inside the transaction,
 * where a pause or an owner's request may have come first, and `isClockRight` asks only after a clock change.
 */
const lastByPlace = new Map<string, Promise<unknown>>();

/**
 * Lets pieces of work on the same place happen one after the other.
 *
 * Two credentials may have a variable each in one file; read and replaced at the same time, one of them would be lost.
 */
export async function runExclusive<T>(place: string, work: () => Promise<T>): Promise<T> {
  // Whether the one before succeeded is the business of its own caller.
  const mine = (lastByPlace.get(place) ?? Promise.resolve()).then(work, work);
  lastByPlace.set(place, mine);
  try {
    return await mine;
  } finally {
    if (lastByPlace.get(place) === mine) lastByPlace.delete(place);
  }
}

/** How long somebody who only wants to look waits for a turn, in milliseconds: what has it may hang at its service. */
const patienceMs = 2_000;

/** Looks at a place and changes nothing: in turn, or without one's turn when that does not come soon. */
export async function readExclusive<T>(place: string, look: () => Promise<T>): Promise<T> {
  let looked: Promise<T> | undefined;
  const lookOnce = () => (looked ??= look());
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, patienceMs).unref();
  });
  return Promise.race([runExclusive(place, lookOnce), patience.then(lookOnce)]);
}
