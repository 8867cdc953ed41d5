import type { CredentialProblem, CallFailure } from './rotation-trouble.ts';

/** What a service says about the token that asks (`GET /v1/auth/token`). */
export type TokenReply =
  | {
      readonly kind: 'known';
      /** What the service calls it, and what it says it is, in its own words. */
      readonly name: string | null;
      readonly status: string | null;
      readonly createdAtMs: number | null;
      readonly expiresAtMs: number;
      /** The service accepts the token, and its end is what was noted here when it was obtained. */
      readonly isEndNoted?: true;
      readonly validityDays: number | null;
      /** The service's id of the token; absent where it has none. */
      readonly upstreamId?: string;
    }
  /** It has no such call, or answers with something else. */
  | { readonly kind: 'not_told'; readonly reason: NotToldReason; readonly upstreamId?: string }
  | {
      readonly kind: 'refused';
      readonly why: 'invalid' | 'expired' | 'suspended' | 'blacklisted' | 'refused';
      /** Its words, or its status where it has none. */
      readonly said: string;
    }
  | {
      readonly kind: 'unreachable';
      readonly failure: CallFailure | { readonly code: 'answered'; readonly status: number };
    };

export type NotToldReason =
  /** `to`: an origin; null where it cannot be told. */
  | { readonly code: 'redirected'; readonly to: string | null }
  | { readonly code: 'nothing_known' }
  /** The token has no end. */
  | { readonly code: 'never_expires' }
  /** What it says about the end: not to be understood, or later than is believed. */
  | { readonly code: 'expiry_unreadable' | 'expiry_too_far'; readonly said: string }
  /** It accepts the token, and does not say more. */
  | { readonly code: 'no_expiry' }
  /** There is no call to ask with. */
  | { readonly code: 'not_asked' }
  | { readonly code: 'no_such_call'; readonly status: number };

/** Whether a service has a rotate endpoint, as far as could be found out without rotating anything. */
export type EndpointFinding =
  | { readonly outcome: 'can_rotate'; readonly service: string; readonly by?: 'renewal' }
  | {
      readonly outcome: 'cannot_rotate';
      readonly service: string;
      readonly reason:
        | { readonly code: 'no_endpoint'; readonly status: number }
        /** The token needs one of these scopes. */
        | { readonly code: 'scope_missing'; readonly scopes: readonly string[] }
        /** Only a person can create tokens, there; null: the page is not known. */
        | { readonly code: 'person_creates'; readonly page: string | null }
        /** It cannot get a later end. `until`: its end; null: it has none. */
        | { readonly code: 'not_renewable'; readonly until: string | null };
    }
  | {
      readonly outcome: 'unknown';
      readonly service: string;
      readonly reason: CallFailure | { readonly code: 'answered'; readonly status: number };
    };

/** What a test of a token comes to. `text/credential/connection-test.ts` makes the sentences; `service` is an origin. */
export type ConnectionFinding =
  /** The current token of a credential. `expiresAt`: as it is recorded here; null where that is the same. */
  | {
      readonly code: 'credential';
      readonly service: string;
      readonly reply: TokenReply;
      readonly cannotRotate: boolean;
      readonly recordedExpiry: string | null;
      /** What is known of the token here, where this service issued it and refuses it. */
      readonly here: CredentialProblem | null;
    }
  /** A token that is not stored. `credential`: the one that has it already. */
  | {
      readonly code: 'token';
      readonly service: string;
      readonly reply: TokenReply;
      readonly cannotRotate: boolean;
      readonly credential: string | null;
    }
  /** Nothing was asked. `trouble`: of the last attempt. */
  | {
      readonly code: 'rotation_open';
      readonly name: string;
      readonly since: string | null;
      readonly trouble: CredentialProblem | null;
      readonly isRetried: boolean;
    };
