import type { ConnectionFinding, EndpointFinding } from '../contract/credential/connection-finding.ts';
import type { DeliveryTarget } from '../contract/credential/credential.ts';
import type { DeliveryFinding } from '../contract/credential/delivery-finding.ts';
import type { DeliveryProblem } from '../contract/credential/delivery-problem.ts';
import type { CallFailure, RotationTrouble, ServiceWait } from '../contract/credential/rotation-trouble.ts';
import type { SignInProblem } from '../contract/credential/sign-in.ts';
import type { VaultProblem } from '../contract/credential/vault-problem.ts';
import type { Vault, VaultKind } from '../core/vault.ts';

/**
 * The port to the sentences that events and replies carry as `message`; `text/credential/agent.ts` has them and `host` connects both.
 *
 * It is used where an event is written or a view is returned; everything before that has the reason.
 */
export interface AgentText {
  /** `wait`: what the service asks for, and how much of it is granted. */
  rotationTrouble(trouble: RotationTrouble, wait?: ServiceWait): string;
  deliveryProblem(problem: DeliveryProblem): string;
  deliveryFindings(findings: readonly DeliveryFinding[]): string;
  place(target: DeliveryTarget): string;
  connection(finding: ConnectionFinding): string;
  endpoint(finding: EndpointFinding): string;
  callFailure(service: string, failure: CallFailure): string;
  signInProblem(problem: SignInProblem): string;
  /** What a browser shows that was sent back to this machine, as HTML. */
  readonly signInPage: Readonly<Record<'done' | 'failed', string>>;
  notRevoked(trouble: RotationTrouble): string;
  notEnded(trouble: RotationTrouble): string;
  /** Why a token cannot be ended from here. */
  readonly endByPerson: Readonly<Record<'no_call' | 'key_stays', string>>;
  /** Of a token that its owner had ended. */
  readonly endedHere: string;
  /** Nothing is stored that could be ended. */
  readonly noTokenToEnd: string;
  /** A rotation is open whose new token is not stored. */
  readonly unknownToken: string;
  /** `until`: when it expires. */
  notDeleted(generation: number, until: string, trouble: RotationTrouble): string;
  vaultProblem(problem: VaultProblem): string;
  vaultDescription(vault: { readonly kind: VaultKind; readonly key: Vault['openedBy'] }): string;
}
