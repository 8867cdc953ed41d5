import type { Vault } from '../../core/vault.ts';
import type { OwnPlaces } from './own-places.ts';

/** What a delivery needs besides its target and the token. */
export interface DeliveryContext {
  /** The name of the credential. */
  readonly credential: string;
  /** How often it was rotated; passed to hooks as `ROTAVOX_GENERATION`. */
  readonly generation: number;
  /** More than the token that must not be in its output. */
  readonly masked?: readonly string[];
  readonly vault: Vault;
  readonly ownPlaces: OwnPlaces;
  /** Aborted when the program stops. */
  readonly signal?: AbortSignal;
}
