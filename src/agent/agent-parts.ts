import type { CredentialId } from '../contract/credential.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import type { Vault } from '../core/vault.ts';
import type { AgentText } from './agent-text.ts';
import type { OwnPlaces } from './delivery/own-places.ts';
import type { RotatedToken } from './remote/ask-rotation.ts';
import type { ServiceCaller } from './remote/service-caller.ts';
import type { RotationProgress } from './rotation-progress.ts';

/** A new value that has come and is not yet in the vault. */
export interface UnsavedToken {
  readonly idempotencyKey: string;
  readonly rotated: RotatedToken;
  readonly askedAtMs: number;
}

/** What every part of the agent works with. Made once by `createAgent`. */
export interface AgentParts {
  readonly ledger: Ledger;
  readonly vault: Vault;
  readonly ownPlaces: OwnPlaces;
  readonly caller: ServiceCaller;
  readonly clock: Clock;
  readonly zone: ZoneOffset;
  /** Where the embedded service listens. */
  readonly embeddedUrl: () => string;
  /** Aborted when the program stops. */
  readonly stopping: AbortSignal;
  /** Values that the vault would not take yet. They exist nowhere else until it does, or until the same key asks again. */
  readonly unsaved: Map<CredentialId, UnsavedToken>;
  /** Keys that this process has begun and whose outcome it knows; with any other one a call may have been made that is forgotten. */
  readonly begunKeys: Set<string>;
  /** Told of what nobody foresaw, for the log; the work that it ended goes on as after any other failure. */
  readonly onFailure: (error: unknown) => void;
  /** The sentences of events and replies. */
  readonly text: AgentText;
  /** Reports what is being done while it is. */
  readonly steps: RotationProgress;
}
