/** What became of the instance that was asked to quit. */
export type QuitResult = 'not_running' | 'ended' | 'still_running';

/** What Electron and the system answer; the tests play both. */
export interface OtherInstance {
  /** Asks the other one to quit, by the arguments of this start. True: there is none, and this process has the lock now. */
  takeLock(): boolean;
  /** False: nobody has the lock; it cannot be taken for another reason. */
  isRunning(): boolean;
  /** Waits on this thread. */
  sleep(ms: number): void;
}

/**
 * How long another instance may take, in milliseconds: ten seconds for its windows, ten for its service, and as much again for a slow disk.
 */
export const quitLimitMs = 40_000;
const askMs = 200;

/**
 * Has the instance that runs with the same data folder quit, and waits until it is gone.
 *
 * On the calling thread, so that nothing of this process starts before that. It is asked again and again: one that was just starting may not
 * have heard it.
 */
export function quitOther(other: OtherInstance): QuitResult {
  if (other.takeLock() || !other.isRunning()) return 'not_running';
  for (let waitedMs = 0; waitedMs < quitLimitMs; waitedMs += askMs) {
    other.sleep(askMs);
    if (other.takeLock()) return 'ended';
  }
  return 'still_running';
}
