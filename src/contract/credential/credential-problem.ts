import type { ServiceWait } from './rotation-trouble.ts';
import type { TokenId } from '../token/token.ts';

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
