import type { DraftKey, MenuNode } from '../../../contract/ivr-draft.ts';
import type { IvrDestinationType } from '../../../contract/ivr.ts';

/** Where a line of an imported menu leads; the id is blank while it is open. */
export interface ImportedTarget {
  readonly type: IvrDestinationType;
  readonly id: string;
}

export interface ImportedKey extends Omit<DraftKey, 'to'> {
  readonly to: ImportedTarget | null;
}

/** A menu that was read; what leads on is not a line yet. */
export interface ImportedMenu extends Omit<
  MenuNode,
  'kind' | 'id' | 'place' | 'keys' | 'invalid_destination' | 'timeout_destination'
> {
  /** Under which id it is stored where it comes from; null when nothing says so. */
  readonly storedAs: string | null;
  readonly keys: readonly ImportedKey[];
  readonly invalid_destination: ImportedTarget | null;
  readonly timeout_destination: ImportedTarget | null;
}
