import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import type { EndpointFinding } from '../../contract/credential/connection-finding.ts';
import { GivenToken } from '../../contract/credential/credential.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { isUnclear, jwtExpiryMs, messageIn, retryAfterOf } from '../http/read-reply.ts';
import type { Answer, CallResult } from '../http/service-caller.ts';
import {
  CallingProvider,
  failed,
  failedAnswer,
  type FailedRotation,
  type HeldToken,
  type Inspection,
  type MintedToken,
  type Provider,
  type SecretForm,
} from '../provider-port.ts';
import { smartfloFacts } from './facts.ts';

/** The vault's entry, as JSON. */
const SmartfloSecret = z.object({
  access_token: z.string().min(1),
  /** Of the person whose e-mail address is an input; absent: there is no way back when the token is lost. */
  password: z.string().min(1).optional(),
  obtained_at: z.iso.datetime(),
  /** Null: not known. */
  expires_at: z.iso.datetime().nullable(),
});
type SmartfloSecret = z.infer<typeof SmartfloSecret>;

/** The reply to a refresh and to a login; https://docs.smartflo.tatatelebusiness.com/reference/generate-a-token */
const Granted = z.object({
  success: z.literal(true),
  access_token: GivenToken,
  expires_in: z.coerce.number().int().positive().max(315_360_000).nullable().catch(null),
});
/** How long a token works where a reply does not say it. */
const usualSeconds = 3600;

/**
 * Smartflo, Acefone and Servetel: a token of an hour gets its successor by `/v1/auth/refresh` and stops working at once.
 *
 * The call has no key, so a reply that was lost is lost. Repeating it is safe: a token that was replaced is refused. Then, and
 * when the token has ended while the machine slept, a login with the e-mail address and the password is the way back.
 */
export class SmartfloProvider extends CallingProvider implements Provider {
  readonly traits = smartfloFacts.traits;
  readonly endsBy = [];

  readonly secret: SecretForm = {
    first: ({ value, password, expiresAtMs }, before) => {
      const kept = password ?? (before === null ? undefined : parseSecret(before)?.password);
      const endMs = expiresAtMs ?? jwtExpiryMs(value);
      const secret: SmartfloSecret = {
        access_token: value,
        ...(kept === undefined ? {} : { password: kept }),
        obtained_at: isoInstant(this.clock()),
        expires_at: endMs === null ? null : isoInstant(endMs),
      };
      return JSON.stringify(secret);
    },
    parts: (entry) => {
      const secret = parseSecret(entry);
      if (secret === null) return { accessToken: null, refreshToken: null, masked: [entry] };
      const { access_token: accessToken, password } = secret;
      const masked = password === undefined ? [accessToken] : [accessToken, password];
      return { accessToken, refreshToken: null, masked };
    },
  };

  /** No call is known that only looks at a token. */
  inspect(): Promise<Inspection> {
    return Promise.resolve({ reply: { kind: 'not_told', reason: { code: 'not_asked' } }, skewMs: null });
  }

  inspectRotation({ baseUrl }: HeldToken): Promise<EndpointFinding> {
    return Promise.resolve({ outcome: 'can_rotate', service: originOf(baseUrl) });
  }

  /** With a login, also where the token that was entered has ended. */
  obtain(held: HeldToken): Promise<Result<MintedToken, FailedRotation>> {
    return this.rotate(held);
  }

  async rotate(attempt: HeldToken): Promise<Result<MintedToken, FailedRotation>> {
    const service = originOf(attempt.baseUrl);
    const secret = parseSecret(attempt.token);
    if (secret === null) return failed({ code: 'invalid', service, said: null });
    const refreshed = await this.#refresh(attempt, secret);
    if (refreshed.ok) return refreshed;
    const { email } = attempt.inputs;
    const { password } = secret;
    const isDead = refreshed.refusal.trouble.code === 'invalid';
    if (!isDead || email === undefined || password === undefined) return refreshed;
    return this.#login(attempt, { ...secret, password }, email);
  }

  /** Without a body, and with the token alone in the header. */
  async #refresh(
    { baseUrl, timeLimitMs }: HeldToken,
    secret: SmartfloSecret,
  ): Promise<Result<MintedToken, FailedRotation>> {
    const { access_token: token } = secret;
    const heard = await this.caller.send({
      method: 'POST',
      url: `${baseUrl}/v1/auth/refresh`,
      headers: { accept: 'application/json', authorization: token },
      body: null,
      timeLimitMs,
    });
    const minted = this.#mintedBy(heard, baseUrl, secret);
    if (minted !== null) return minted;
    return failed({ code: 'invalid', service: originOf(baseUrl), said: saidIn(heard, token) });
  }

  async #login(
    { baseUrl, timeLimitMs }: HeldToken,
    secret: SmartfloSecret & { readonly password: string },
    email: string,
  ): Promise<Result<MintedToken, FailedRotation>> {
    const { password } = secret;
    const heard = await this.caller.send({
      method: 'POST',
      url: `${baseUrl}/v1/auth/login`,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
      timeLimitMs,
    });
    const minted = this.#mintedBy(heard, baseUrl, secret);
    if (minted !== null) {
      // A login replaces nothing, so nothing is lost with its reply.
      return minted.ok ? minted : failed(minted.refusal.trouble, { ...minted.refusal, mayHaveActed: false });
    }
    // Not repeated: failed logins are counted, and lock the account.
    const said = saidIn(heard, password);
    return failed({ code: 'login_refused', service: originOf(baseUrl), said });
  }

  /** Null: what was sent is not accepted. */
  #mintedBy(
    heard: CallResult,
    baseUrl: string,
    before: SmartfloSecret,
  ): Result<MintedToken, FailedRotation> | null {
    const service = originOf(baseUrl);
    if (heard.kind !== 'answer') {
      const mayHaveActed = heard.kind === 'lost';
      return failed({ code: 'call_failed', service, failure: heard.failure }, { mayHaveActed });
    }
    const { status, headers, body } = heard;
    if (status >= 200 && status < 300) {
      const granted = Granted.safeParse(body);
      if (granted.success && granted.data.access_token !== before.access_token) {
        const { access_token: token, expires_in: seconds } = granted.data;
        const expiresAtMs = this.clock() + (seconds ?? usualSeconds) * 1000;
        const secret: SmartfloSecret = {
          ...before,
          access_token: token,
          obtained_at: isoInstant(this.clock()),
          expires_at: isoInstant(expiresAtMs),
        };
        const expiryAssumed = seconds === null ? 'not_said' : null;
        return done({ token: JSON.stringify(secret), validityDays: null, expiresAtMs, expiryAssumed });
      }
      // A login that fails is answered 200 with `success: false` too.
      if (z.object({ success: z.literal(false) }).safeParse(body).success) return null;
      return failed({ code: 'no_new_token', service, status }, { mayHaveActed: true });
    }
    if (status === 400 || status === 401) return null;
    const said = saidIn(heard, before.access_token);
    if (status === 403) return failed({ code: 'refused', service, said });
    const retryAfterMs = retryAfterOf(headers['retry-after'], this.clock());
    const more = { mayHaveActed: isUnclear(status), retryAfterMs };
    return refused(failedAnswer(heard, { service, said }, more));
  }
}

function saidIn(heard: CallResult, secret: string): string | null {
  return heard.kind === 'answer' ? messageIn((heard satisfies Answer).body, secret) : null;
}

/** Null when the entry was not written by this program. */
function parseSecret(entry: string): SmartfloSecret | null {
  try {
    return SmartfloSecret.parse(JSON.parse(entry));
  } catch {
    return null;
  }
}
