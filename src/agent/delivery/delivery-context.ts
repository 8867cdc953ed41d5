import type { Vault } from '../../core/vault.ts';
import type { OwnPlaces } from './own-places.ts';

/** What a delivery knows besides its target and the value. */
export interface DeliveryContext {
  /** The name of the credential. */
  readonly credential: string;
  /** How often it was rotated; a hook sees it in `ROTAVOX_GENERATION`. */
  readonly generation: number;
  readonly vault: Vault;
  readonly ownPlaces: OwnPlaces;
  /** Aborted when the program stops. */
  readonly signal?: AbortSignal;
}
