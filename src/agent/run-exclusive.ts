import type { CredentialId } from '../contract/credential/credential.ts';

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
const lastByKey = new Map<string, Promise<unknown>>();

/**
 * Runs work exclusively for a key: pieces of work with the same key run one after the other.
 *
 * Two targets may be variables in one file; read and replaced at the same time, one of them would be lost.
 */
export async function runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  // Whether the previous work succeeded is only relevant to its own caller.
  const mine = (lastByKey.get(key) ?? Promise.resolve()).then(work, work);
  lastByKey.set(key, mine);
  try {
    return await mine;
  } finally {
    if (lastByKey.get(key) === mine) lastByKey.delete(key);
  }
}

/** How long a read waits for the lock, in milliseconds: its holder may wait for its service for long. */
const patienceMs = 2_000;

/** Reads without changing anything: exclusively, or without the lock when it is not free soon. */
export async function readExclusive<T>(key: string, read: () => Promise<T>): Promise<T> {
  let reading: Promise<T> | undefined;
  const readOnce = () => (reading ??= read());
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, patienceMs).unref();
  });
  return Promise.race([runExclusive(key, readOnce), patience.then(readOnce)]);
}

/** The lock key of a credential: its entries in the vault, and its record. */
export function lockKeyOf(id: CredentialId): string {
  return `credential ${id}`;
}
