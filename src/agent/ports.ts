/**
 * The ports of the agent, in small groups: each function takes those that it uses, and `create-agent.ts` connects them.
 */
import type { CredentialId } from '../contract/credential/credential.ts';
import type { MovedFrom } from '../contract/service/moved-from.ts';
import type { AttemptCause } from '../core/credential/attempt-rotation.ts';
import type { Clock, Ledger } from '../core/ledger.ts';
import type { ZoneOffset } from '../core/rotation/due-at.ts';
import type { AgentText } from './agent-text.ts';
import type { RotationProgress } from './rotation/rotation-progress.ts';
import type { Services } from './services.ts';
import type { TokenStorage } from './vault/token-fingerprints.ts';

/** What is recorded, and the time that decides what is due. */
export interface Records {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly zone: ZoneOffset;
  /**
   * Where the data may also be in use; null: nowhere else. Until that is confirmed nothing is done that ends a token or changes a
   * target (decisions/moved-data.md).
   */
  readonly movedFrom: () => MovedFrom | null;
}

/** Credentials: their records, their tokens, and the services that issued them. */
export interface CredentialPorts extends Records, TokenStorage {
  readonly services: Services;
}

/** What turns the reply of a service about a token into what is recorded of it. */
export type InspectionPorts = Pick<CredentialPorts, 'services' | 'clock' | 'fingerprints'>;

/** Who learns of the work. */
export interface Reports {
  /** The sentences of events and replies. */
  readonly text: AgentText;
  /** The steps of rotations and deliveries. */
  readonly steps: RotationProgress;
  /** Called with an unexpected error, for the log; the work that it ended continues as after any other failure. */
  readonly onFailure: (error: unknown) => void;
}

/** Makes one attempt to rotate a credential (`rotation/rotate-credential.ts`). */
export type Rotate = (id: CredentialId, cause: AttemptCause) => Promise<void>;

/** Replaces an access token that has ended; null: there is nothing to wait for (`requests/rotate-now.ts`). */
export type Refresh = (name: string) => Promise<void> | null;
