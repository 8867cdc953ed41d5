import type { MoveConfirmation, MovedFrom } from '../contract/service/moved-from.ts';
import type { Decision } from './ledger.ts';
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
  /** What was confirmed and is not in the history yet; null: nothing. It outlasts a stop, because it may be confirmed without the journal. */
  unrecorded(): MoveConfirmation | null;
  /** That is in the history now. */
  noteRecorded(): void;
  /** Called after it was confirmed. Returns a function that unsubscribes. */
  onConfirmed(listener: () => void): () => void;
}

/** Records a confirmation in the history. It changes no state: the folder itself says where it belongs. */
export function recordMove(confirmation: MoveConfirmation): Decision<null> {
  const kind = 'folder.move_confirmed';
  return {
    events: [{ kind, subject: 'folder', actor: { kind: 'owner' }, data: confirmation }],
    value: null,
  };
}
