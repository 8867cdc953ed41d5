import type { MoveConfirmation, MovedFrom } from '../../src/contract/service/moved-from.ts';
import type { FolderOrigin } from '../../src/core/folder-origin.ts';
import { done, refused, type Result } from '../../src/core/result.ts';

/** Where the data of a test come from: nowhere else, until it says so. */
export class ManualOrigin implements FolderOrigin {
  from: MovedFrom | null = null;
  /** Why it cannot be confirmed now. */
  refusal: string | null = null;
  confirmation: MoveConfirmation | null = null;
  readonly #listeners = new Set<() => void>();

  movedFrom(): MovedFrom | null {
    return this.from;
  }

  confirm(): Result<MovedFrom | null, string> {
    if (this.refusal !== null) return refused(this.refusal);
    const { from } = this;
    this.from = null;
    for (const listener of this.#listeners) listener();
    return done(from);
  }

  unrecorded(): MoveConfirmation | null {
    return this.confirmation;
  }

  noteRecorded(): void {
    this.confirmation = null;
  }

  onConfirmed(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

export const otherMachine: MovedFrom = {
  reason: 'other_machine',
  name: 'old-laptop',
  folder: '/home/mary/rotavox',
};
