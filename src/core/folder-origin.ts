import type { MovedFrom } from '../contract/moved-from.ts';
import type { Result } from './result.ts';

/**
 * The port to what is known of a data folder's origin: `host` implements it, `agent` and `service` ask it.
 *
 * A host of a team has none: its data are in a database that many machines use.
 */
export interface FolderOrigin {
  /** Where the data may also be in use; null: nowhere else. */
  movedFrom(): MovedFrom | null;
  /**
   * Takes the data over: from now on they belong to this machine and this folder. Written durably before it returns. It returns what was
   * confirmed, null where nothing waited; refused with a sentence where it could not be written.
   */
  confirm(): Result<MovedFrom | null, string>;
  /** Called after it was confirmed. Returns a function that unsubscribes. */
  onConfirmed(listener: () => void): () => void;
}
