import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import type { EndpointFinding } from '../../contract/credential/connection-finding.ts';
import { GivenToken, withoutPemLines } from '../../contract/credential/credential.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { done, type Result } from '../../core/result.ts';
import { assumedBy, readExpiry } from '../http/read-expiry.ts';
import { messageIn, redirectOrigin, retryAfterOf, skewOf } from '../http/read-reply.ts';
import type { Answer, CallResult } from '../http/service-caller.ts';
import {
  CallingProvider,
  failed,
  type FailedRotation,
  type HeldToken,
  type Inspection,
  type MintedToken,
  type Provider,
  type SecretForm,
  type TokenEnd,
} from '../provider-port.ts';
import { githubAppFacts } from './facts.ts';

/** The vault's entry, as JSON. */
const AppSecret = z.object({
  /** The base64 of its DER, without the lines around it. */
  private_key: z.string().trim().overwrite(withoutPemLines).min(1),
  /** Null before the first one. */
  access_token: z.string().min(1).nullable(),
  obtained_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
});
type AppSecret = z.infer<typeof AppSecret>;

/** https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app */
const InstallationToken = z.object({ token: GivenToken, expires_at: z.unknown() });
/** How long such a token works, where the reply does not say it. */
const usualMs = 3_600_000;

/** "We recommend that you set this 60 seconds in the past": for clocks that differ. */
const backSeconds = 60;
/** At most ten minutes after `iat`, and less after the instant of the call. */
const validSeconds = 600;

/**
 * GitHub Apps: the app's private key signs a JWT, which obtains an installation token of an hour. Any number may exist, so a
 * lost reply costs nothing: https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app
 */
export class GithubAppProvider extends CallingProvider implements Provider {
  readonly traits = githubAppFacts.traits;
  readonly endsBy = ['itself'] as const;

  readonly secret: SecretForm = {
    /** Null: it is no private key. */
    first: ({ value }) => {
      if (keyIn(value) === null) return null;
      const at = isoInstant(this.clock());
      const secret: AppSecret = { private_key: value, access_token: null, obtained_at: at, expires_at: at };
      return JSON.stringify(secret);
    },
    parts: (entry) => {
      const secret = parseSecret(entry);
      if (secret === null) return { accessToken: null, refreshToken: null, masked: [entry] };
      const { private_key: key, access_token: accessToken } = secret;
      return { accessToken, refreshToken: null, masked: accessToken === null ? [key] : [accessToken, key] };
    },
  };

  /** Lists one repository of the installation, which every installation token may. */
  async inspect({ baseUrl, token, timeLimitMs }: HeldToken): Promise<Inspection> {
    const secret = parseSecret(token);
    const accessToken = secret?.access_token ?? null;
    if (secret === null || accessToken === null) {
      return { reply: { kind: 'not_told', reason: { code: 'not_asked' } }, skewMs: null };
    }
    const heard = await this.caller.call({
      method: 'GET',
      baseUrl,
      path: '/installation/repositories?per_page=1',
      token: accessToken,
      timeLimitMs,
      isList: true,
    });
    if (heard.kind !== 'answer')
      return { reply: { kind: 'unreachable', failure: heard.failure }, skewMs: null };
    const { status, headers, body } = heard;
    const skewMs = skewOf(headers['date'], this.clock());
    if (status === 401) {
      const said = messageIn(body, accessToken) ?? String(status);
      return { reply: { kind: 'refused', why: 'invalid', said }, skewMs };
    }
    if (status >= 500 || status === 429) {
      return { reply: { kind: 'unreachable', failure: { code: 'answered', status } }, skewMs };
    }
    if (status !== 200) {
      return { reply: { kind: 'not_told', reason: { code: 'no_such_call', status } }, skewMs };
    }
    return {
      reply: {
        kind: 'known',
        name: null,
        status: null,
        createdAtMs: Date.parse(secret.obtained_at),
        expiresAtMs: Date.parse(secret.expires_at),
        isEndNoted: true,
        validityDays: null,
      },
      skewMs,
    };
  }

  inspectRotation({ baseUrl }: HeldToken): Promise<EndpointFinding> {
    return Promise.resolve({ outcome: 'can_rotate', service: originOf(baseUrl) });
  }

  /** The first token is asked for as every other is. */
  obtain(held: HeldToken): Promise<Result<MintedToken, FailedRotation>> {
    return this.rotate(held);
  }

  async rotate(attempt: HeldToken): Promise<Result<MintedToken, FailedRotation>> {
    const service = originOf(attempt.baseUrl);
    const secret = parseSecret(attempt.token);
    const key = secret === null ? null : keyIn(secret.private_key);
    if (secret === null || key === null) return failed({ code: 'app_refused', service, said: null });
    let heard = await this.#ask(attempt, key, 0);
    if (heard.kind === 'answer' && heard.status === 401) {
      // The JWT counts from our clock. GitHub says what time it is there.
      const skewMs = skewOf(heard.headers['date'], this.clock()) ?? 0;
      if (skewMs !== 0) heard = await this.#ask(attempt, key, skewMs);
    }
    if (heard.kind !== 'answer') {
      return failed({ code: 'call_failed', service, failure: heard.failure });
    }
    return this.#mintedBy(heard, attempt, secret);
  }

  /**
   * The token ends; the private key obtains others until a person deletes it.
   *
   * https://docs.github.com/rest/apps/installations#revoke-an-installation-access-token
   */
  async end({ baseUrl, token, timeLimitMs }: HeldToken): Promise<Result<TokenEnd, FailedRotation>> {
    const accessToken = parseSecret(token)?.access_token ?? null;
    if (accessToken === null) return done('key_stays');
    const path = '/installation/token';
    const heard = await this.caller.call({
      method: 'DELETE',
      baseUrl,
      path,
      token: accessToken,
      timeLimitMs,
    });
    const service = originOf(baseUrl);
    if (heard.kind !== 'answer') return failed({ code: 'call_failed', service, failure: heard.failure });
    const { status, body } = heard;
    // 401: it has ended already.
    if (status === 204 || status === 401) return done('key_stays');
    return failed({ code: 'service_failed', service, status, said: messageIn(body, accessToken) });
  }

  #ask({ baseUrl, inputs, timeLimitMs }: HeldToken, key: KeyObject, skewMs: number): Promise<CallResult> {
    const { app = '', installation = '' } = inputs;
    const token = signedJwt(app, key, this.clock() + skewMs);
    const path = `/app/installations/${encodeURIComponent(installation)}/access_tokens`;
    return this.caller.call({ method: 'POST', baseUrl, path, token, timeLimitMs });
  }

  #mintedBy(
    { status, body, headers }: Answer,
    { baseUrl }: HeldToken,
    before: AppSecret,
  ): Result<MintedToken, FailedRotation> {
    const service = originOf(baseUrl);
    const said = messageIn(body, before.private_key);
    if (status >= 200 && status < 300) {
      const reply = InstallationToken.safeParse(body);
      const skewMs = skewOf(headers['date'], this.clock()) ?? 0;
      if (!reply.success) return failed({ code: 'no_new_token', service, status });
      const nowMs = this.clock();
      const end = readExpiry(reply.data.expires_at, { nowMs, skewMs });
      const endMs = end.kind === 'at' ? end.atMs : nowMs + usualMs;
      const secret: AppSecret = {
        ...before,
        access_token: reply.data.token,
        obtained_at: isoInstant(this.clock()),
        expires_at: isoInstant(endMs),
      };
      return done({
        token: JSON.stringify(secret),
        validityDays: null,
        expiresAtMs: endMs,
        expiryAssumed: assumedBy(end),
      });
    }
    if (status >= 300 && status < 400) {
      return failed({ code: 'redirected', service, to: redirectOrigin(headers['location']) });
    }
    const retryAfterMs = retryAfterOf(headers['retry-after'], this.clock());
    // 403: suspended. 404: the app is not installed there any more, or was not.
    if (status === 401 || status === 403 || status === 404) {
      return failed({ code: 'app_refused', service, said }, { retryAfterMs });
    }
    return failed({ code: 'service_failed', service, status, said }, { retryAfterMs });
  }
}

/** RFC 7515 and 7519; RS256 is the only algorithm that GitHub takes. */
function signedJwt(issuer: string, key: KeyObject, nowMs: number): string {
  const iat = Math.floor(nowMs / 1000) - backSeconds;
  const parts = [
    { alg: 'RS256', typ: 'JWT' },
    { iss: issuer, iat, exp: iat + validSeconds },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const signed = parts.join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

/** GitHub gives keys as PKCS #1; converted ones are PKCS #8. */
function keyIn(base64: string): KeyObject | null {
  const key = Buffer.from(base64, 'base64');
  for (const type of ['pkcs1', 'pkcs8'] as const) {
    try {
      return createPrivateKey({ key, format: 'der', type });
    } catch {
      continue; // the other one, or no key
    }
  }
  return null;
}

/** Null when the entry was not written by this program. */
function parseSecret(entry: string): AppSecret | null {
  try {
    return AppSecret.parse(JSON.parse(entry));
  } catch {
    return null;
  }
}
