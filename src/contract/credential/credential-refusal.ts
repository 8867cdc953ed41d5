import type { ClientCertificateProblem } from '../service/network.ts';
import type { EndpointFinding, NotToldReason } from './connection-finding.ts';
import type { CredentialProblem, CallFailure, RotationTrouble, ServiceWait } from './rotation-trouble.ts';
import type { DeliveryProblem } from './delivery-problem.ts';
import type { MovedFrom } from '../service/moved-from.ts';
import type { ToolObstacle } from './tool-command.ts';
import type { VaultProblem } from './vault-problem.ts';

/** Why an owner's request about a credential is refused. `text/credential/credential-refusal-text.ts` makes the sentences. */
export type CredentialRefusalReason =
  | { readonly code: 'no_credential'; readonly name: string }
  | { readonly code: 'no_target'; readonly name: string }
  | { readonly code: 'removed_meanwhile' }
  | { readonly code: 'name_taken'; readonly name: string }
  /** `name`: of the credential that has this token. */
  | { readonly code: 'token_taken'; readonly name: string }
  | { readonly code: 'too_many_targets'; readonly name: string; readonly limit: number }
  /** A wildcard of a rule stands where it could cover anything. `isOfSecrets`: the service keeps secrets in folders. */
  | {
      readonly code: 'rule_too_wide';
      readonly name: string;
      readonly path: string;
      readonly isOfSecrets: boolean;
    }
  /** A rule spells parts that name credentials or rights, and the person has not agreed to that. */
  | { readonly code: 'rule_names_rights'; readonly path: string; readonly parts: readonly string[] }
  | { readonly code: 'too_many_rules' | 'too_many_app_tokens'; readonly name: string; readonly limit: number }
  | { readonly code: 'no_proxy_rule' | 'no_app_token'; readonly id: string }
  | { readonly code: 'no_such_connection'; readonly id: string }
  /** The same tool is connected for the same address. */
  | {
      readonly code: 'connection_exists';
      readonly id: string;
      readonly tool: string;
      readonly place: string;
    }
  | { readonly code: 'too_many_connections'; readonly limit: number }
  | { readonly code: 'no_connection_url' }
  /** Tools ask the service of their own machine. */
  | { readonly code: 'connection_of_team' }
  /** The service connects no tools itself. */
  | { readonly code: 'tools_not_here'; readonly why: ToolObstacle }
  /** Too much is asked about the tools of one credential at once. */
  | { readonly code: 'tools_busy' }
  | { readonly code: 'target_exists'; readonly name: string }
  /** `name`: of the credential whose token would be overwritten. */
  | { readonly code: 'target_taken'; readonly name: string }
  | { readonly code: 'not_in_future' }
  /** Reminders only are for a service that is known to have no rotate endpoint. */
  | { readonly code: 'may_rotate'; readonly name: string }
  /** `has`: what the vault has instead of the current token. */
  | {
      readonly code: 'no_current_token';
      readonly name: string;
      readonly has: 'nothing' | 'another';
      readonly isRotating: boolean;
    }
  | { readonly code: 'rotation_open'; readonly name: string }
  /** The data may also be in use elsewhere, and nobody has confirmed that they are not. */
  | { readonly code: 'moved'; readonly from: MovedFrom }
  /** Its service gets too many calls. */
  | ({ readonly code: 'asked_to_wait'; readonly service: string } & ServiceWait)
  /** What was entered is not the private key of an app. */
  | { readonly code: 'not_a_key' }
  /** A password without the address to it. */
  | { readonly code: 'email_needed' }
  /** Only a person can create its tokens, there; null: the page is not known. */
  | { readonly code: 'person_creates'; readonly name: string; readonly page: string | null }
  /** Its service cannot be asked for how long a token is valid. */
  | { readonly code: 'no_validity'; readonly service: string }
  /** Its service knows no second token. */
  | { readonly code: 'no_standby'; readonly name: string }
  /** The client certificate and its key cannot be used. */
  | { readonly code: 'client_certificate'; readonly why: ClientCertificateProblem }
  | { readonly code: 'no_provider'; readonly id: string }
  | { readonly code: 'token_unusable'; readonly problem: CredentialProblem }
  | { readonly code: 'vault'; readonly problem: VaultProblem }
  | { readonly code: 'cannot_rotate'; readonly endpoint: EndpointFinding }
  /** `service` null: it says so itself. */
  | { readonly code: 'ended_before'; readonly service: string | null; readonly at: string }
  | { readonly code: 'token_refused'; readonly service: string; readonly said: string }
  /** `failure`: why the service could not be asked when the token expires; null where it does not say. */
  | {
      readonly code: 'expiry_unknown';
      readonly service: string;
      readonly failure: CallFailure | { readonly code: 'answered'; readonly status: number } | null;
      /** What it said instead. */
      readonly told?: NotToldReason;
    }
  /** What a person entered is later than is believed. */
  | { readonly code: 'too_far' }
  /** Its tokens come from a sign-in, not from a person who enters one. */
  | { readonly code: 'sign_in_needed' }
  /** The credential is of a service where nobody signs in. */
  | { readonly code: 'no_sign_in'; readonly name: string }
  | { readonly code: 'no_such_sign_in' }
  | { readonly code: 'too_many_sign_ins'; readonly limit: number }
  | { readonly code: 'no_sign_in_endpoint'; readonly service: string; readonly method: 'browser' | 'device' }
  /** The service named a page that everybody on the way could read: without https, and not on this machine. */
  | { readonly code: 'sign_in_unprotected'; readonly service: string; readonly page: string }
  | { readonly code: 'sign_in_not_started'; readonly trouble: RotationTrouble }
  /** The client secret obtained no access token. */
  | { readonly code: 'client_not_accepted'; readonly trouble: RotationTrouble }
  | { readonly code: 'target_impossible'; readonly problem: DeliveryProblem }
  /** An input of a provider must name another credential of the same service. */
  | { readonly code: 'no_helper'; readonly name: string; readonly service: string }
  /** Its provider is told of no such credential. */
  | { readonly code: 'no_helper_input'; readonly name: string }
  | { readonly code: 'own_helper' }
  | { readonly code: 'not_issued_here'; readonly name: string }
  /** The token would be sent to another origin, and the person has not agreed to that. */
  | { readonly code: 'origin_not_confirmed'; readonly from: string; readonly to: string }
  /** This service has no address of its own to change. */
  | { readonly code: 'address_of_embedded'; readonly name: string };
