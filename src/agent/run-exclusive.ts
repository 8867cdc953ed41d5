/**
 * The last pending work for each lock key.
 *
 * One table for the process and not one object per owner: a key is a real path, a vault file, a credential or a
 * name, and deliveries, vaults or requests that are independent of each other must share its lock. The limits of the
 * rotation loop (`p-limit`) are different: they bound how much runs at a time, and order nothing. Whether a rotation is
 * due is checked three times, each for its own reason: the loop wakes up for it, `beginRotation` decides it again
 * inside the transaction, where a pause or an owner's request may have come first, and `isClockRight` asks only after a
 * clock change.
 */
const lastByPlace = new Map<string, Promise<unknown>>();

/**
 * Runs work exclusively for a key: pieces of work with the same key run one after the other.
 *
 * Two targets may be variables in one file; read and replaced at the same time, one of them would be lost.
 */
export async function runExclusive<T>(place: string, work: () => Promise<T>): Promise<T> {
  // Whether the previous work succeeded is only relevant to its own caller.
  const mine = (lastByPlace.get(place) ?? Promise.resolve()).then(work, work);
  lastByPlace.set(place, mine);
  try {
    return await mine;
  } finally {
    if (lastByPlace.get(place) === mine) lastByPlace.delete(place);
  }
}

/** How long a read waits for the lock, in milliseconds: its holder may wait for its service for long. */
const patienceMs = 2_000;

/** Reads without changing anything: exclusively, or without the lock when it is not free soon. */
export async function readExclusive<T>(place: string, look: () => Promise<T>): Promise<T> {
  let looked: Promise<T> | undefined;
  const lookOnce = () => (looked ??= look());
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, patienceMs).unref();
  });
  return Promise.race([runExclusive(place, lookOnce), patience.then(lookOnce)]);
}
