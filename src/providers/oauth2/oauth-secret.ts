import { z } from 'zod';
import type { SecretParts } from '../provider-port.ts';

const text = z.string().min(1);

/** The vault's entry of an OAuth credential, as JSON. */
export const OAuthSecret = z.object({
  /** Null before the first refresh. */
  access_token: text.nullable(),
  /** Null for a client without a person. */
  refresh_token: text.nullable(),
  client_secret: text.optional(),
  /** By this machine's clock. */
  obtained_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  /** When a person has to sign in again, where the server says it. */
  sign_in_ends_at: z.iso.datetime().optional(),
  scope: z.string().optional(),
  /** Where the browser was sent back to. */
  redirect_uri: text.optional(),
  /** Whether the server gave a new refresh token with the last refresh; absent before the first. */
  is_replaced: z.boolean().optional(),
});
export type OAuthSecret = z.infer<typeof OAuthSecret>;

/** Null when the entry was not written by this program. */
export function parseOAuthSecret(entry: string): OAuthSecret | null {
  try {
    return OAuthSecret.parse(JSON.parse(entry));
  } catch {
    return null;
  }
}

export function oauthPartsOf(entry: string): SecretParts {
  const secret = parseOAuthSecret(entry);
  if (secret === null) return { accessToken: null, refreshToken: null, masked: [entry] };
  const { access_token: accessToken, refresh_token: refreshToken, client_secret: clientSecret } = secret;
  const masked = [accessToken, refreshToken, clientSecret].filter(
    (one): one is string => one !== null && one !== undefined,
  );
  return { accessToken, refreshToken, masked };
}
