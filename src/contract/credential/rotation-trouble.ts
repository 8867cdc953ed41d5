import type { TroubleKind } from './credential-view.ts';
import type { CertificateFileProblem, ProxyProblem, ProxySource } from '../service/network.ts';
import type { ProxyAddressProblem } from '../service/proxy-address.ts';
import type { VaultProblem } from './vault-problem.ts';
import type { TokenId } from '../token/token.ts';

/** Those that a proxy or a certificate is the reason of. */
export type NetworkFailure = Extract<
  CallFailure,
  { code: 'not_trusted' | 'proxy_failed' | 'proxy_invalid' | 'client_certificate' }
>;

/** How long a service that got too many calls is not called about tokens. */
export interface ServiceWait {
  /** When it is called again. */
  readonly until: string;
  /** Until when it asks to wait, which is later where it asks for more than a day; null: it does not say. */
  readonly asked: string | null;
}

/** Why a call got no answer. Up to `asked_to_wait`: nothing was sent. `systemCode`: such as ECONNREFUSED. */
export type CallFailure =
  | {
      readonly code: 'not_trusted';
      readonly systemCode: string;
      /** Whose certificate would have to be trusted, as the service says it. */
      readonly issuer?: string;
      /** A file of certificates that could not be used; the missing one may be in it. */
      readonly file?: CertificateFileProblem;
    }
  | { readonly code: 'not_connected'; readonly systemCode: string }
  /** `proxy`: host and port. */
  | {
      readonly code: 'proxy_failed';
      readonly proxy: string;
      readonly source: ProxySource;
      readonly problem: ProxyProblem;
    }
  /** What names the proxy is no address of one. */
  | { readonly code: 'proxy_invalid'; readonly source: ProxySource; readonly problem: ProxyAddressProblem }
  /** The service asks for a client certificate, or does not accept the one that it got. */
  | {
      readonly code: 'client_certificate';
      readonly problem: 'needed' | 'perhaps_needed' | 'refused' | 'unusable';
      readonly systemCode: string;
    }
  | { readonly code: 'stopping' }
  /** The token has characters that a header cannot carry. */
  | { readonly code: 'not_sendable' }
  /** The service has had too many calls. */
  | ({ readonly code: 'asked_to_wait' } & ServiceWait)
  | { readonly code: 'no_answer'; readonly limitMs: number }
  | { readonly code: 'stopped' }
  /** A web page came instead of the service's answer. `title`: what it calls itself; null where it has no title. */
  | { readonly code: 'page'; readonly status: number; readonly title: string | null }
  | { readonly code: 'connection_lost'; readonly systemCode: string };

/**
 * Why a rotation failed. `text/credential/rotation-trouble-text.ts` makes the sentences.
 *
 * `service` is the origin of the service that was asked. `said` is what it answered, bounded and without the token.
 */
export type RotationTrouble =
  | { readonly code: 'call_failed'; readonly service: string; readonly failure: CallFailure }
  /** Its answer looks like success but has no new token. */
  | { readonly code: 'no_new_token'; readonly service: string; readonly status: number }
  /** `to`: an origin; null where it cannot be told. */
  | { readonly code: 'redirected'; readonly service: string; readonly to: string | null }
  | {
      readonly code: 'invalid' | 'expired' | 'suspended' | 'blacklisted' | 'refused';
      readonly service: string;
      readonly said: string | null;
    }
  /** `isRetried`: the service is known to rotate, so that this is considered temporary. */
  | {
      readonly code: 'no_endpoint';
      readonly service: string;
      readonly status: number;
      readonly isRetried: boolean;
    }
  /** The token itself may not be rotated: it needs one of these scopes. */
  | { readonly code: 'may_not_rotate'; readonly service: string; readonly scopes: readonly string[] }
  /** A login is not accepted. */
  | { readonly code: 'login_refused'; readonly service: string; readonly said: string | null }
  /** The key of an app is not accepted, or the app may not act there. */
  | { readonly code: 'app_refused'; readonly service: string; readonly said: string | null }
  /** Only a person can create tokens, there; null: the page is not known. */
  | { readonly code: 'person_creates'; readonly service: string; readonly page: string | null }
  /** A token that cannot be renewed. `until`: its end; null: it has none. */
  | { readonly code: 'not_renewable'; readonly service: string; readonly until: string | null }
  | {
      readonly code: 'service_failed';
      readonly service: string;
      readonly status: number;
      readonly said: string | null;
    }
  /** The refresh token is not accepted any more: a person has to sign in again. */
  | { readonly code: 'sign_in_ended'; readonly service: string; readonly said: string | null }
  /** The client id or its secret is not accepted. */
  | { readonly code: 'client_refused'; readonly service: string; readonly said: string | null }
  /** The reply to a refresh was lost, and repeating it could end the access token in use. */
  | { readonly code: 'repeats_later'; readonly service: string; readonly until: string }
  | { readonly code: 'reply_lost'; readonly service: string; readonly begunAt: string }
  /** `isAnother`: the vault has a token, but not the one that was stored there. */
  | { readonly code: 'value_missing'; readonly name: string; readonly isAnother: boolean }
  | { readonly code: 'vault'; readonly problem: VaultProblem }
  /** The new token cannot be stored as it is: it has NUL or halves of characters. It is in the pending entry, as JSON. */
  | { readonly code: 'not_storable'; readonly service: string; readonly name: string }
  /** A list of tokens could not be read to its end: its next page is at another origin, comes again, or there are too many. */
  | {
      readonly code: 'list_unfinished';
      readonly service: string;
      readonly why: 'elsewhere' | 'again' | 'too_many' | 'unreadable';
    }
  /** An old token cannot be deleted: nobody here knows its id. */
  | { readonly code: 'id_unknown'; readonly service: string }
  /** The credential that creates the tokens cannot be used now. */
  | { readonly code: 'no_guardian'; readonly service: string; readonly name: string }
  /** There is no provider with this id: its file was removed. */
  | { readonly code: 'no_provider'; readonly id: string }
  /** A bug of ours; the log has more. */
  | { readonly code: 'internal' };

/** What may be done about it. */
export function troubleKindOf(trouble: RotationTrouble): TroubleKind {
  switch (trouble.code) {
    case 'call_failed':
      return trouble.failure.code === 'not_trusted' ? 'unsafe' : 'unreachable';
    case 'redirected':
      return 'unsafe';
    case 'no_new_token':
    case 'list_unfinished':
    case 'no_guardian':
    case 'no_provider':
    case 'internal':
      return 'service_failed';
    case 'no_endpoint':
      return trouble.isRetried ? 'service_failed' : 'no_endpoint';
    case 'may_not_rotate':
    case 'not_renewable':
    case 'person_creates':
      return 'no_endpoint';
    case 'id_unknown':
    case 'not_storable':
      return 'value_missing';
    case 'sign_in_ended':
      return 'invalid';
    case 'client_refused':
    case 'app_refused':
      return 'refused';
    case 'login_refused':
      return 'invalid';
    case 'repeats_later':
      return 'unreachable';
    case 'invalid':
    case 'expired':
    case 'suspended':
    case 'blacklisted':
    case 'refused':
    case 'service_failed':
    case 'reply_lost':
    case 'value_missing':
    case 'vault':
      return trouble.code;
  }
}

/** What is wrong with a credential. `text/credential/credentials.ts` makes the sentences. */
export type CredentialProblem =
  /** As it was written down when it happened. */
  | { readonly code: 'recorded'; readonly message: string }
  /** The state of a token that this service issued. */
  | { readonly code: 'suspended' | 'blacklisted' }
  | { readonly code: 'superseded'; readonly tokenId: TokenId }
  /** `after`: what kept it from being rotated in time. */
  | { readonly code: 'expired'; readonly canRotate: boolean; readonly after: CredentialProblem | null }
  /** An access token that a refresh replaces as soon as that is possible. */
  | { readonly code: 'access_ended'; readonly after: CredentialProblem | null }
  /** Its service gets too many calls. */
  | ({ readonly code: 'asked_to_wait'; readonly service: string } & ServiceWait)
  /** A rotation has replaced the token, and the new one is not stored yet. */
  | { readonly code: 'not_stored'; readonly after: CredentialProblem | null };
