import type {
  AddCredential,
  CredentialId,
  DeliveryTarget,
  ReplaceValue,
  TargetId,
} from '../../contract/credential/credential.ts';
import type {
  AddressChange,
  ChangeAddress,
  ConnectionTest,
  DeliveryPreview,
  RotationStep,
  TestConnection,
} from '../../contract/credential/credential-checks.ts';
import type { ClientCertificate } from '../../contract/service/network.ts';
import type { TokenSlot } from '../../contract/credential/provider-facts.ts';
import type { SignInView, StartSignIn } from '../../contract/credential/sign-in.ts';
import type { TokenEnded } from '../../contract/credential/credential-checks.ts';
import type { VaultStatus } from '../../contract/credential/credential-view.ts';
import type { AskingProcess } from '../../contract/credential/tool-connection.ts';
import type { RunningTool } from '../../contract/credential/use.ts';
import type { ToolWait } from '../connection/tool-wait.ts';
import type { Result } from '../result.ts';
import type { ServiceHold } from '../rotation/retry-at.ts';
import type { Credential } from './credential-state.ts';
import type { CredentialRefusal } from './find-credential.ts';

/** A call to the service of a credential, made with its current token. */
export interface ServiceCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** The path below the credential's base_url, such as `/v1/ivr`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The result of the call. It never contains the token, whatever the service replied. */
export type ServiceAnswer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      /** JSON, or the beginning of a text; null for an empty body. */
      readonly reply: unknown;
      readonly location: string | null;
      /** The `Link` header (RFC 8288), if there is one. */
      readonly link?: string;
    }
  /** `lost`: it was sent and may have been carried out. `not_sent`: nothing was done. */
  | { readonly kind: 'not_sent'; readonly message: string }
  | { readonly kind: 'lost'; readonly message: string };

/** What a call is made with that the agent does not make itself. The token is kept nowhere after it. */
export interface CallAccess {
  readonly token: string;
  readonly generation: number;
  readonly baseUrl: string;
  readonly slot: TokenSlot;
  /** For a service that asks for one. */
  readonly clientCertificate: ClientCertificate | null;
  /** To be called when the service has begun to answer, or the call is over: until then a rotation waits a moment. */
  readonly settle: () => void;
}

/** A tool that got a token. */
export interface ToolUse {
  readonly tool: string;
  /** Of the token. */
  readonly generation: number;
  /** Undefined where the system does not tell it. */
  readonly process: AskingProcess | undefined;
}

/**
 * The port to the agent that rotates credentials: everything that needs the vault or another service.
 *
 * `agent` implements it, `service` calls it, `host` connects them. Changes of the record alone (a pause, a policy, a
 * target) go through the ledger, whose events the agent follows.
 */
export interface CredentialAgent {
  /** The caller creates the id, also that of a target. */
  add(id: CredentialId, wanted: AddCredential): Promise<Result<CredentialId, CredentialRefusal>>;
  /** The current token, as stored in the vault. */
  valueOf(name: string): Promise<Result<string, CredentialRefusal>>;
  replaceValue(
    name: string,
    replacement: ReplaceValue,
    cause: 'pasted' | 'reissued',
  ): Promise<Result<CredentialId, CredentialRefusal>>;
  /** Stores a second token of the same owner beside the current one; null: removes it. */
  setStandby(name: string, wanted: ReplaceValue | null): Promise<Result<CredentialId, CredentialRefusal>>;
  /** Stores what is presented to a service that asks for a client certificate; null: removes it. */
  setClientCertificate(
    name: string,
    certificate: ClientCertificate | null,
  ): Promise<Result<CredentialId, CredentialRefusal>>;
  /** Makes one attempt now, whatever the plan says. Resolves when it is over; the credential then shows the result. */
  rotateNow(name: string): Promise<Result<CredentialId, CredentialRefusal>>;
  /**
   * Revokes the token where its service has that, deletes old tokens that still work there, deletes it from the vault, then
   * the record. `message`: what still works and why, which stops nothing.
   */
  remove(name: string): Promise<Result<{ readonly message: string | null }, CredentialRefusal>>;
  /**
   * Ends every token of it that is known here at its service, also a new one that is not in use yet, and records that. It stays, so that
   * another token can be entered.
   */
  end(name: string): Promise<Result<TokenEnded, CredentialRefusal>>;
  /** Begins a sign-in that adds a credential, or gives an existing one new tokens. The caller creates the id. */
  startSignIn(id: CredentialId, wanted: StartSignIn): Promise<Result<SignInView, CredentialRefusal>>;
  /** How a sign-in is; null when there is none. */
  signIn(id: string): SignInView | null;
  /** Ends one that waits. */
  cancelSignIn(id: string): SignInView | null;
  /** Delivers the current token to one target now. Resolves when that is over, whatever the result. */
  deliverNow(name: string, targetId: TargetId): Promise<Result<CredentialId, CredentialRefusal>>;
  /**
   * Asks the service whether the current token works, and records what changed. Asks nothing while a rotation is open.
   */
  testCredential(name: string): Promise<Result<ConnectionTest, CredentialRefusal>>;
  /** The same for a token that is not stored. */
  testConnection(wanted: TestConnection): Promise<ConnectionTest>;
  /**
   * Tests the current token at another address of its service, and saves the address if it works there. The token is sent to
   * another origin only when the person has confirmed that origin.
   */
  changeAddress(name: string, wanted: ChangeAddress): Promise<Result<AddressChange, CredentialRefusal>>;
  /**
   * Makes a call with the current token, exclusively for the credential. Refused while a rotation is open, as a test
   * is: the token may have been replaced already, and using the previous one would look like theft.
   */
  callService(name: string, call: ServiceCall): Promise<Result<ServiceAnswer, CredentialRefusal>>;
  /**
   * The current token for one call. Waits while a rotation is being made after which the old token does not work; refused
   * with `rotation_open` when that takes more than five seconds.
   */
  accessFor(name: string): Promise<Result<CallAccess, CredentialRefusal>>;
  /** Notes a tool that got the current token: a planned rotation that would end that at once waits for it. */
  noteTool(id: CredentialId, use: ToolUse): void;
  /** The noted tools that run with the current token, where a rotation would end that at once. */
  runningTools(id: CredentialId): readonly RunningTool[];
  /** While a planned rotation waits for tools; null: it does not. */
  toolWaitOf(credential: Pick<Credential, 'id' | 'generation'>): ToolWait | null;
  /** Called when a rotation begins or ends to wait for tools, or waits for others. Returns a function that unsubscribes. */
  onToolWait(listener: () => void): () => void;
  /**
   * Whether a new target can be where it says: not in a file of Rotavox, and only at a path of a file. Writes nothing.
   */
  checkTarget(name: string, target: DeliveryTarget): Promise<Result<null, CredentialRefusal>>;
  /** What delivering the current token to a place would change there. Writes and runs nothing. */
  previewTarget(name: string, target: DeliveryTarget): Promise<Result<DeliveryPreview, CredentialRefusal>>;
  /**
   * Reports the steps of rotations and deliveries while they happen. Returns a function that unsubscribes.
   *
   * Nothing is stored. Without a listener nothing is done. An exception in a listener does not affect the rotation.
   */
  onStep(listener: (step: RotationStep) => void): () => void;
  /** While the service of a credential is not called about tokens, because it got too many calls; null: it is. */
  holdOf(credential: Pick<Credential, 'baseUrl' | 'provider'>): ServiceHold | null;
  /** Whether the vault works, as of its last use or check. */
  vaultStatus(): VaultStatus;
  /** Checks whether there is a vault, without a prompt. A change is announced. Does not reject. */
  contactVault(): Promise<void>;
  /**
   * Called when the vault starts to fail, when the reason changes, when it works again, and when its entries were moved. Returns a
   * function that unsubscribes.
   */
  onVaultChange(listener: () => void): () => void;
}
