import type {
  AddCredential,
  CredentialId,
  DeliveryTarget,
  ReplaceValue,
  TargetId,
} from '../../contract/credential.ts';
import type {
  ConnectionTest,
  DeliveryPreview,
  RotationStep,
  TestConnection,
} from '../../contract/credential-checks.ts';
import type { VaultStatus } from '../../contract/credential-view.ts';
import type { Result } from '../result.ts';
import type { CredentialRefusal } from './find-credential.ts';

/** A call to the service of a credential, made with its current token. */
export interface ServiceCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the credential's base_url, such as `/v1/ivr`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** What came of it. No token is in it, whatever the service said. */
export type ServiceAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** JSON, or the beginning of a text; null for nothing. */
      readonly reply: unknown;
      readonly location: string | null;
      /** The `Link` header (RFC 8288), where there is one. */
      readonly link?: string;
    }
  /** `lost`: it was sent, and may have been done. `not_sent`: nothing was done. */
  | { readonly kind: 'not_sent'; readonly message: string }
  | { readonly kind: 'lost'; readonly message: string };

/**
 * The port to the agent that rotates credentials: everything about them that needs the vault or another service.
 *
 * `agent` implements it, `service` asks it, `host` connects them. What is only a record (a pause, a policy, a
 * target) goes through the ledger instead, and the agent hears of it.
 */
export interface CredentialKeeper {
  /** The id is the caller's to mint, like a target's. */
  add(id: CredentialId, wanted: AddCredential): Promise<Result<CredentialId, CredentialRefusal>>;
  /** The current token, as the vault has it. */
  valueOf(name: string): Promise<Result<string, CredentialRefusal>>;
  replaceValue(
    name: string,
    brought: ReplaceValue,
    cause: 'pasted' | 'reissued',
  ): Promise<Result<CredentialId, CredentialRefusal>>;
  /** One attempt, now, whatever the plan says. Settles when it is over; the credential then says what came of it. */
  rotateNow(name: string): Promise<Result<CredentialId, CredentialRefusal>>;
  /** Takes the value out of the vault and then the record away. */
  remove(name: string): Promise<Result<null, CredentialRefusal>>;
  /** Delivers the current token to one target now. Settles when that is over, whatever came of it. */
  deliverNow(name: string, targetId: TargetId): Promise<Result<CredentialId, CredentialRefusal>>;
  /** Asks the service whether the current token works, and writes down what is news. Asks nothing while a rotation is open. */
  testCredential(name: string): Promise<Result<ConnectionTest, CredentialRefusal>>;
  /** The same for a value that is not kept. */
  testConnection(wanted: TestConnection): Promise<ConnectionTest>;
  /**
   * Makes a call with the current token, in the credential's turn. Refused while a rotation is open, as a test is: the value
   * may have been replaced already, and using the old one would look like theft.
   */
  callService(name: string, call: ServiceCall): Promise<Result<ServiceAnswer, CredentialRefusal>>;
  /** Whether a new target can be where it says: in no file of our own, and in nothing but a file. Writes nothing. */
  checkTarget(target: DeliveryTarget): Promise<Result<null, CredentialRefusal>>;
  /** What delivering the current token to a place would change there. Writes and runs nothing. */
  previewTarget(name: string, target: DeliveryTarget): Promise<Result<DeliveryPreview, CredentialRefusal>>;
  /**
   * Tells the steps of rotations and deliveries while they happen. Returns how to stop.
   *
   * Nothing is remembered, nothing is done while nobody listens, and what a listener throws harms no rotation.
   */
  onStep(listener: (step: RotationStep) => void): () => void;
  /** As the last use or the last look found it. */
  vaultStatus(): VaultStatus;
  /** Told when the vault begins to fail, for another reason too, and when it works again. Returns how to stop. */
  onVaultChange(listener: () => void): () => void;
}
