import { z } from 'zod';
import { CredentialId, CredentialName, RotationPolicy } from './credential.ts';
import { ClientCertificate } from '../service/network.ts';
import { checkService, fillService } from './provider-inputs.ts';
import { ProviderChoice } from './provider.ts';
import type { CredentialRefusalReason } from './credential-refusal.ts';
import type { RotationTrouble } from './rotation-trouble.ts';
import { BaseUrl } from '../shapes.ts';

const objectError = 'must be a JSON object';
const secretError = 'must be a client secret: 1 to 4000 printable ASCII characters';
/** What a server gave a client beside its id. RFC 6749 appendix A.2. */
export const ClientSecret = z
  .string({ error: secretError })
  .trim()
  .max(4000, secretError)
  .regex(/^[\x20-\x7e]+$/, secretError);

export const signInMethods = ['browser', 'device'] as const;

/** The fields with which a sign-in begins, each by itself. */
const StartSignInFields = z.strictObject(
  {
    /** Of the credential that it adds, or without `provider`, of the one that gets new tokens. */
    name: CredentialName,
    provider: ProviderChoice.optional(),
    /** Where the access tokens are used. Default: where the service usually is, or the issuer. */
    base_url: BaseUrl.nullable().default(null),
    /** `browser`: on this machine. `device`: in any browser, with a code. */
    method: z.enum(signInMethods, { error: 'must be browser or device' }),
    client_secret: ClientSecret.optional(),
    /** Of a credential that is added, where its server or its service asks for one. */
    client_certificate: ClientCertificate.optional(),
    policy: RotationPolicy.partial().optional(),
  },
  { error: objectError },
);
/** A person is about to sign in where tokens are issued. */
export const StartSignIn = StartSignInFields.check(checkService).overwrite(fillService);
export type StartSignIn = z.output<typeof StartSignIn>;

/** A sign-in that waits for a person, or how it ended. */
export const SignInView = z.object({
  id: z.string(),
  name: z.string(),
  method: z.enum(signInMethods),
  status: z.enum(['done', 'waiting', 'failed']),
  /** Why it failed; null otherwise. */
  message: z.string().nullable(),
  /** The page to open in a browser: of this machine, or with `user_code` of any. */
  url: z.string(),
  /** What the person enters there; null where nothing has to be entered. */
  user_code: z.string().nullable(),
  /** Until when it waits. */
  expires_at: z.string(),
  credential_id: CredentialId.nullable(),
});
export type SignInView = z.infer<typeof SignInView>;

/** Why a sign-in failed. `text/credential/sign-in-text.ts` makes the sentences; `service` is an origin. */
export type SignInProblem =
  /** The person, or the server, said no. */
  | { readonly code: 'denied'; readonly service: string; readonly said: string | null }
  /** What the browser brought back with the right state is no answer of a sign-in; `said`: another issuer, where that is why. */
  | {
      readonly code: 'bad_answer';
      readonly service: string;
      readonly why: 'no_code' | 'repeated' | 'other_issuer' | 'not_allowed';
      readonly said: string | null;
    }
  | { readonly code: 'too_late' }
  | { readonly code: 'cancelled' }
  /** Without a refresh token the access token could not be replaced. */
  | { readonly code: 'no_refresh_token'; readonly service: string }
  | { readonly code: 'failed'; readonly trouble: RotationTrouble }
  | { readonly code: 'not_stored'; readonly reason: CredentialRefusalReason };
