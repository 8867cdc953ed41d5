import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** How much is reserved at once, in bytes. */
const stepBytes = 1024 * 1024;
/** A further step is taken when less than this is left, so that it is on disk before it is needed. */
const marginBytes = stepBytes / 2;
const blank = Buffer.alloc(stepBytes);

/**
 * Blank space (zero bytes) at the end of a file, on disk before anything is written into it.
 *
 * A synced write into blocks that the file already has takes about 60 % of the time of one that makes the file longer:
 * there is no new size and no new block to sync with it. The space is only ever a convenience: a disk without room
 * for it leaves the file to grow write by write.
 */
export class ReservedSpace {
  readonly #descriptor: number;
  #endsAt = 0;
  #isSyncing = false;
  #hasRoom = true;
  #isClosed = false;

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+');
  }

  /** Where the blank space ends. Not more than the file's end when there is none. */
  get endsAt(): number {
    return this.#endsAt;
  }

  /**
   * Sees to it that there is some after `position`, the end of what is written. Returns before it is on disk.
   *
   * The blank bytes are in the file when this returns, so that they can never overwrite what comes later; only
   * their sync happens in the background.
   */
  reserveAfter(position: number): void {
    if (this.#isSyncing || !this.#hasRoom || this.#endsAt - position >= marginBytes) return;
    const from = Math.max(this.#endsAt, position);
    this.#hasRoom = this.#tryToWriteBlank(from);
    if (!this.#hasRoom) return;
    this.#endsAt = from + stepBytes;
    this.#isSyncing = true;
    fdatasync(this.#descriptor, () => {
      this.#isSyncing = false;
      if (this.#isClosed) closeSync(this.#descriptor);
    });
  }

  /** Whether there was room. What little there is on a nearly full disk is given back: other files need it more. */
  #tryToWriteBlank(from: number): boolean {
    try {
      if (writeSync(this.#descriptor, blank, 0, stepBytes, from) === stepBytes) return true;
      ftruncateSync(this.#descriptor, from);
    } catch {
      // The write that really needs the room will say so, if there is none.
    }
    return false;
  }

  /** The file was cut: there is no space any more. */
  forget(): void {
    this.#endsAt = 0;
  }

  close(): void {
    this.#isClosed = true;
    if (!this.#isSyncing) closeSync(this.#descriptor);
  }
}
