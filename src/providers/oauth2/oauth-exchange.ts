import type {
  ClientAuth,
  Configuration,
  CustomFetch,
  FetchBody,
  ServerMetadata,
  TokenEndpointResponse,
} from 'openid-client';
import { originOf } from '../../contract/address.ts';
import { type AssumedExpiry, GivenBearerToken, GivenToken } from '../../contract/credential/credential.ts';
import { longestValidityDays } from '../../contract/credential/provider.ts';
import { BaseUrl } from '../../contract/shapes.ts';
import type { Clock } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { believedMs } from '../http/read-expiry.ts';
import {
  cleanText,
  fieldsWithToken,
  isUnclear,
  jwtExpiryMs,
  redirectOrigin,
  retryAfterOf,
  skewOf,
} from '../http/read-reply.ts';
import type { Answer, CallResult, ServiceCaller } from '../http/service-caller.ts';
import { failedBy, type FailedRotation, type HeldToken } from '../provider-port.ts';
import type { OAuthService } from './oauth-services.ts';

/** A client at a server, as a credential's inputs describe both. */
export interface OAuthClient {
  /** What is known of the server. */
  readonly service: OAuthService;
  /** Of the service that takes the access tokens. */
  readonly baseUrl: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly clientSecret: string | null;
}

/** What a grant gave. */
export interface GrantedTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  readonly expiresAtMs: number;
  /** Why that is assumed; null: it was said. */
  readonly expiryAssumed: AssumedExpiry | null;
  readonly signInEndsAtMs: number | null;
  readonly scope: string | null;
}

type Library = Awaited<ReturnType<typeof library>>;
/** Loaded for the first call: most starts make none. */
const library = () => import('openid-client');

/** Where nothing says how long an access token works; RFC 6749 section 5.1 recommends to say it. */
const usualSeconds = 3600;
/** Metadata changes rarely, and a refresh should not depend on one more call. */
const metadataLastsMs = 3_600_000;

/** The servers that were asked, with their metadata. */
export class OAuthServers {
  readonly #caller: ServiceCaller;
  readonly #clock: Clock;
  readonly #metadata = new Map<string, { readonly server: ServerMetadata; readonly atMs: number }>();

  constructor(caller: ServiceCaller, clock: Clock) {
    this.#caller = caller;
    this.#clock = clock;
  }

  /** Begins an exchange with a server: reads its metadata where they are not known, or always (`isFresh`). */
  async begin(
    client: OAuthClient,
    { isFresh = false, ...options }: WireOptions & { readonly isFresh?: boolean },
  ): Promise<Result<OAuthExchange, FailedRotation>> {
    const wire = new Wire(this.#caller, this.#clock, options);
    const oidc = await library();
    const fixed = fixedMetadata(client);
    if (fixed !== null) {
      const isIssuerKnown = client.inputs['issuer'] !== undefined;
      return done(new OAuthExchange(oidc, { client, server: fixed, wire, isIssuerKnown }));
    }
    const issuer = client.inputs['issuer'] ?? client.baseUrl;
    const known = this.#metadata.get(issuer);
    const ageMs = known === undefined ? Infinity : this.#clock() - known.atMs;
    if (!isFresh && known !== undefined && ageMs >= 0 && ageMs < metadataLastsMs) {
      return done(new OAuthExchange(oidc, { client, server: known.server, wire }));
    }
    const found = await this.#discover(oidc, issuer, client, wire);
    if (!found.ok) return found;
    this.#metadata.set(issuer, { server: found.value, atMs: this.#clock() });
    return done(new OAuthExchange(oidc, { client, server: found.value, wire }));
  }

  /** OpenID Connect Discovery, then RFC 8414: a server may have either. */
  async #discover(
    oidc: Library,
    issuer: string,
    { inputs }: OAuthClient,
    wire: Wire,
  ): Promise<Result<ServerMetadata, FailedRotation>> {
    if (!BaseUrl.safeParse(issuer).success) return refused(wire.failure(issuer));
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      try {
        const found = await oidc.discovery(
          new URL(issuer),
          inputs['client_id'] ?? '',
          undefined,
          oidc.None(),
          // `Wire` refuses what is not https or on this machine.
          // oxlint-disable-next-line typescript/no-deprecated
          { algorithm, [oidc.customFetch]: wire.fetch, execute: [oidc.allowInsecureRequests] },
        );
        return done(found.serverMetadata());
      } catch (error) {
        if (wire.last === null) throw error; // nothing was asked: a bug
        const { last } = wire;
        // A website answers every path with a page.
        const mayGoOn = last.kind === 'answer' ? last.status < 500 : last.failure.code === 'page';
        if (!mayGoOn) break;
      }
    }
    return refused({ ...wire.failure(issuer), mayHaveActed: false });
  }
}

/** The endpoints that are known without asking; null where the metadata have to be read. */
function fixedMetadata({ baseUrl, inputs, service }: OAuthClient): ServerMetadata | null {
  const tenant = encodeURIComponent(inputs['tenant'] ?? 'common');
  const filled = (address: string | undefined) =>
    address?.replace('{base}', baseUrl).replace('{tenant}', tenant);
  const own = (name: string) => inputs[name];
  const [token, authorization, device, revocation] =
    service.endpoints === null
      ? [own('token_url'), own('authorization_url'), own('device_url'), own('revocation_url')]
      : [
          filled(service.endpoints.token),
          filled(service.endpoints.authorization),
          filled(service.endpoints.device),
          filled(service.endpoints.revocation),
        ];
  if (token === undefined) return null;
  return {
    issuer: own('issuer') ?? originOf(token),
    token_endpoint: token,
    ...(authorization === undefined ? {} : { authorization_endpoint: authorization }),
    ...(device === undefined ? {} : { device_authorization_endpoint: device }),
    ...(revocation === undefined ? {} : { revocation_endpoint: revocation }),
  };
}

/** The library sends nothing else. */
function textOfBody(body: FetchBody): string | null {
  if (body instanceof URLSearchParams) return body.toString();
  return typeof body === 'string' ? body : null;
}

/** Calls of one purpose to one server. Every result is a value; only bugs are thrown. */
export class OAuthExchange {
  readonly oidc: Library;
  readonly config: Configuration;
  readonly service: OAuthService;
  readonly server: ServerMetadata;
  /** Whether the issuer of `server` is its own word or the person's; otherwise only its addresses are known. */
  readonly isIssuerKnown: boolean;
  readonly #wire: Wire;
  readonly #client: OAuthClient;

  constructor(
    oidc: Library,
    of: {
      readonly client: OAuthClient;
      readonly server: ServerMetadata;
      readonly wire: Wire;
      readonly isIssuerKnown?: boolean;
    },
  ) {
    const { client, server, wire, isIssuerKnown = true } = of;
    this.isIssuerKnown = isIssuerKnown;
    this.oidc = oidc;
    this.service = client.service;
    this.server = server;
    this.#wire = wire;
    this.#client = client;
    const clientId = client.inputs['client_id'] ?? '';
    this.config = new oidc.Configuration(server, clientId, {}, authOf(oidc, client, server));
    this.config[oidc.customFetch] = wire.fetch;
    // oxlint-disable-next-line typescript/no-deprecated
    oidc.allowInsecureRequests(this.config); // `Wire` refuses what is not https or on this machine
  }

  /** The origin that is named in messages. */
  get origin(): string {
    return originOf(this.server.token_endpoint ?? this.server.issuer);
  }

  /** How far the server's clock is ahead of ours in its last answer. */
  get skewMs(): number | null {
    return this.#wire.skewMs;
  }

  /** Whether the server can be asked about a token (RFC 7662). */
  get canIntrospect(): boolean {
    return this.server.introspection_endpoint !== undefined;
  }

  /** Scopes as the server takes them. */
  get scope(): string | null {
    const asked = (this.#client.inputs['scope'] ?? '').split(/[\s,]+/).filter((one) => one !== '');
    const all = [...new Set([...asked, ...this.service.scopes])];
    return all.length === 0 ? null : all.join(this.service.scopeSeparator);
  }

  /** The scopes as parameters of an authorization request. */
  get scopeParameters(): Record<string, string> {
    const { scope, service } = this;
    if (scope === null) return {};
    return { [this.#client.clientSecret === null ? service.publicScopeName : 'scope']: scope };
  }

  /** Asks for tokens; `clock` says from when on they live. `mayHaveActed` of a failure: the server may have issued them. */
  async grant(
    ask: () => Promise<TokenEndpointResponse>,
    clock: Clock,
  ): Promise<Result<GrantedTokens, FailedRotation>> {
    const asked = await this.attempt(ask);
    if (!asked.ok) return asked;
    const nowMs = clock();
    const {
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: seconds,
      scope,
    } = asked.value;
    if (!GivenToken.safeParse(accessToken).success) {
      const trouble = { code: 'no_new_token', service: this.origin, status: 200 } as const;
      return refused(failedBy(trouble, { mayHaveActed: true }));
    }
    const signInSeconds = asked.value['refresh_token_expires_in'];
    const saidSeconds = believedSeconds(seconds);
    const ownEndMs = believedMs(jwtExpiryMs(accessToken), nowMs);
    const usualMs = nowMs + (this.service.lifetimeSeconds ?? usualSeconds) * 1000;
    const isSaid = saidSeconds !== null || ownEndMs !== null;
    const unsaid = seconds === undefined ? 'not_said' : 'not_usable';
    return done({
      accessToken,
      refreshToken: refreshToken ?? null,
      expiresAtMs: saidSeconds === null ? (ownEndMs ?? usualMs) : nowMs + saidSeconds * 1000,
      expiryAssumed: isSaid ? null : unsaid,
      signInEndsAtMs:
        typeof signInSeconds === 'number' && believedSeconds(signInSeconds) !== null
          ? nowMs + signInSeconds * 1000
          : null,
      scope: scope ?? null,
    });
  }

  /** Whether the server still accepts a token, and until when; null where it does not say. */
  async introspect(
    token: string,
  ): Promise<
    Result<{ readonly active: boolean; readonly expiresAtMs: number | null } | null, FailedRotation>
  > {
    const asked = await this.attempt(() => this.oidc.tokenIntrospection(this.config, token));
    if (!asked.ok) {
      const { last } = this.#wire;
      // It answers, but not this client, or not about this token.
      return last?.kind === 'answer' && last.status < 500 && last.status !== 429 ? done(null) : asked;
    }
    const { active, exp } = asked.value;
    const expiresAtMs = exp === undefined ? null : exp * 1000 - (this.skewMs ?? 0);
    return done({ active, expiresAtMs });
  }

  /** Whether the access token works, asked with a harmless call to the service. */
  async probe(url: string, accessToken: string): Promise<Result<boolean | null, FailedRotation>> {
    const answer = await this.#wire.send(url, 'GET', { authorization: `Bearer ${accessToken}` }, null);
    if (answer.kind !== 'answer' || answer.status >= 500 || answer.status === 429) {
      return refused({ ...this.#wire.failure(this.origin), mayHaveActed: false });
    }
    if (answer.status === 401) return done(false);
    return done(answer.status < 300 ? true : null);
  }

  /** Where it can be asked whether an access token works; null: nowhere. */
  probeUrl(secret: { readonly scope?: string | undefined }): string | null {
    if (this.service.probe !== null) return this.service.probe.replace('{base}', this.#client.baseUrl);
    const scopes = (secret.scope ?? this.scope ?? '').split(/[\s,]+/);
    return scopes.includes('openid') ? (this.server.userinfo_endpoint ?? null) : null;
  }

  /**
   * Ends a token at the server (RFC 7009). One that has ended already is ended. `isOptional`: a server that cannot end this
   * kind of token is no failure.
   */
  async revoke(
    token: string,
    hint: 'refresh_token' | 'access_token',
    { isOptional = false } = {},
  ): Promise<Result<void, FailedRotation>> {
    const revoked = await this.attempt(() =>
      this.oidc.tokenRevocation(this.config, token, { token_type_hint: hint }),
    );
    // Some servers say that of a token which is revoked again, where RFC 7009 section 2.2 has 200.
    const accepted = isOptional ? ['invalid_token', 'unsupported_token_type'] : ['invalid_token'];
    return revoked.ok || this.#wire.saysBadRequest(accepted) ? done(undefined) : revoked;
  }

  /** Any call of the library. */
  async attempt<T>(ask: () => Promise<T>): Promise<Result<T, FailedRotation>> {
    this.#wire.forget();
    try {
      return done(await ask());
    } catch (error) {
      if (!this.#wire.hasAsked) throw error; // a bug
      return refused(this.#wire.failure(this.origin));
    }
  }
}

/**
 * HTTP Basic as RFC 6749 section 2.3.1 has it, with no more escapes than necessary: the library also escapes `-`, `.` and `_`,
 * and servers that do not decode at all (Glewlwyd) then refuse most client ids and secrets.
 */
function basicAuth(id: string, secret: string): ClientAuth {
  const escaped = [id, secret].map((text) => encodeURIComponent(text).replaceAll('%20', '+')).join(':');
  return (_server, _client, _body, headers) => {
    headers.set('authorization', `Basic ${Buffer.from(escaped).toString('base64')}`);
  };
}

/** How the client shows who it is: as its service wants it, or else as the server says that it can. */
function authOf(
  oidc: Library,
  { clientSecret: secret, inputs, service }: OAuthClient,
  { token_endpoint_auth_methods_supported: supported }: ServerMetadata,
): ClientAuth {
  if (secret === null) return oidc.None();
  const isPost =
    service.clientAuth === null
      ? supported?.includes('client_secret_basic') === false
      : service.clientAuth === 'post';
  return isPost ? oidc.ClientSecretPost(secret) : basicAuth(inputs['client_id'] ?? '', secret);
}

/** Null: not said, or longer than is believed. */
function believedSeconds(seconds: number | undefined): number | null {
  return seconds === undefined || seconds * 1000 > longestValidityDays * dayMs ? null : seconds;
}

/** RFC 6749 section 5.2, and what GitHub and Slack call the same. */
const endedSignIns = new Set([
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'token_revoked',
  'token_expired',
]);
const refusedClients = new Set([
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
  'invalid_client_id',
  'bad_client_secret',
]);

export interface WireOptions {
  readonly timeLimitMs: number;
  /** Secrets that no message may contain. */
  readonly masked: readonly string[];
  /** What a server that asks for a client certificate gets. Default: what the calls around it present. */
  readonly clientCertificate?: HeldToken['clientCertificate'];
}

/**
 * The library's `fetch`, through the caller that all calls to services use. It notes the last answer, from which failures are
 * told, and turns what some servers do otherwise into what the standard says.
 */
class Wire {
  last: CallResult | null = null;
  skewMs: number | null = null;
  readonly #caller: ServiceCaller;
  readonly #clock: Clock;
  readonly #timeLimitMs: number;
  readonly #masked: readonly string[];
  readonly #clientCertificate: WireOptions['clientCertificate'];

  constructor(caller: ServiceCaller, clock: Clock, { timeLimitMs, masked, clientCertificate }: WireOptions) {
    this.#caller = caller;
    this.#clock = clock;
    this.#timeLimitMs = timeLimitMs;
    this.#masked = masked;
    this.#clientCertificate = clientCertificate;
  }

  get hasAsked(): boolean {
    return this.last !== null;
  }

  forget(): void {
    this.last = null;
  }

  readonly fetch: CustomFetch = async (url, { method, headers, body }) => {
    const sent = textOfBody(body);
    const lowered = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const answer = await this.send(url, method === 'POST' ? 'POST' : 'GET', lowered, sent);
    if (answer.kind !== 'answer') throw new Error(answer.failure.code);
    const { status, text } = asStandard(answer, this.#masked);
    const type = answer.headers['content-type'] ?? 'application/json';
    return new Response(status === 204 || status === 205 || status === 304 ? null : text, {
      status,
      headers: { 'content-type': text.startsWith('{') ? 'application/json' : type },
    });
  };

  async send(
    url: string,
    method: 'GET' | 'POST',
    headers: Readonly<Record<string, string>>,
    body: string | null,
  ): Promise<CallResult> {
    const timeLimitMs = this.#timeLimitMs;
    const sent = { accept: 'application/json', ...headers };
    const call = (): Promise<CallResult> =>
      this.#caller.send({ url, method, headers: sent, body, timeLimitMs });
    const certificate = this.#clientCertificate;
    this.last = isSafe(url)
      ? await (certificate === undefined ? call() : this.#caller.presenting(certificate, call))
      : { kind: 'not_sent', failure: { code: 'not_connected', systemCode: 'ERR_INSECURE_ADDRESS' } };
    if (this.last.kind === 'answer') this.skewMs = skewOf(this.last.headers['date'], this.#clock());
    return this.last;
  }

  /** Whether the last answer was 400 with one of these errors. */
  saysBadRequest(errors: readonly string[]): boolean {
    const { last } = this;
    if (last?.kind !== 'answer' || last.status !== 400) return false;
    return errors.includes(textIn(last.body, 'error') ?? '');
  }

  /** What the last answer means, if it was no success. */
  failure(service: string): FailedRotation {
    const { last } = this;
    if (last === null) {
      const failure = { code: 'not_connected', systemCode: 'ERR_INSECURE_ADDRESS' } as const;
      return failedBy({ code: 'call_failed', service, failure });
    }
    if (last.kind !== 'answer') {
      const trouble = { code: 'call_failed', service, failure: last.failure } as const;
      return failedBy(trouble, { mayHaveActed: last.kind === 'lost' });
    }
    const { headers } = last;
    const { status, body } = asStandard(last, this.#masked);
    if (status >= 200 && status < 300) {
      return failedBy({ code: 'no_new_token', service, status }, { mayHaveActed: true });
    }
    if (status >= 300 && status < 400) {
      return failedBy({ code: 'redirected', service, to: redirectOrigin(headers['location']) });
    }
    const error = textIn(body, 'error');
    const said = this.#saidIn(body);
    const retryAfterMs = retryAfterOf(headers['retry-after'], this.#clock());
    // Glewlwyd says nothing about a spent refresh token.
    const isSilent = status === 400 && last.text === '';
    if (isSilent || (error !== null && endedSignIns.has(error))) {
      return failedBy({ code: 'sign_in_ended', service, said });
    }
    if ((error !== null && refusedClients.has(error)) || status === 401) {
      return failedBy({ code: 'client_refused', service, said }, { retryAfterMs });
    }
    if (status === 403) return failedBy({ code: 'refused', service, said }, { retryAfterMs });
    const mayHaveActed = isUnclear(status);
    return failedBy({ code: 'service_failed', service, status, said }, { mayHaveActed, retryAfterMs });
  }

  /** Its words, without a secret. */
  #saidIn(body: unknown): string | null {
    const said = textIn(body, 'error_description') ?? textIn(body, 'error') ?? textIn(body, 'message');
    return said === null
      ? null
      : this.#masked.reduce<string | null>(
          (text, secret) => (text === null ? null : cleanText(text, secret)),
          cleanText(said, '\0'),
        );
  }
}

/** https, or a service of this machine; also for a page that a person is to open. */
export function isSafe(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { origin, username, password } = new URL(url);
  return username === '' && password === '' && BaseUrl.safeParse(origin).success;
}

function textIn(body: unknown, field: string): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const value = (body as Record<string, unknown>)[field];
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * An answer as RFC 6749 section 5 has it.
 *
 * GitHub and Slack send errors with status 200, GitHub a form where JSON was not asked for, Slack a token type of its own and
 * the tokens of a user one level deeper (Withings all), others `expires_in` as a text or no token type. An ID token is left out: nothing here
 * uses it, and a wrong clock would make the library refuse the whole answer, and with it a refresh token that exists nowhere
 * else.
 */
function asStandard(
  answer: Answer,
  sent: readonly string[],
): {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
} {
  const { status, text, headers } = answer;
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
  const body = isForm ? Object.fromEntries(new URLSearchParams(text)) : answer.body;
  const unchanged = { status, text, body };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return unchanged;
  const fields = body as Record<string, unknown>;
  // A token inside an error is one that was sent.
  const isItself = textIn(fields, 'access_token') !== null || textIn(fields, 'error') !== null;
  const from = isItself ? fields : fieldsWithToken(fields, sent);
  const isToken = typeof from['access_token'] === 'string';
  if (status === 200 && !isToken && typeof fields['error'] === 'string' && fields['active'] === undefined) {
    return { status: 400, text: JSON.stringify(fields), body: fields };
  }
  if (status === 403 && fields['error'] === 'invalid_grant') {
    return { status: 400, text: JSON.stringify(fields), body: fields };
  }
  if (status < 200 || status >= 300 || !isToken) {
    if (fields['verification_url'] === undefined)
      return isForm ? { ...unchanged, text: JSON.stringify(body) } : unchanged;
    const renamed = { verification_uri: fields['verification_url'], ...fields };
    return { status, text: JSON.stringify(renamed), body: renamed };
  }
  const standard = {
    access_token: GivenBearerToken.safeParse(from['access_token']).data ?? '',
    token_type: 'bearer',
    ...(typeof from['refresh_token'] === 'string' && from['refresh_token'] !== ''
      ? { refresh_token: from['refresh_token'] }
      : {}),
    ...(typeof from['scope'] === 'string' ? { scope: from['scope'] } : {}),
    ...secondsIn(from, 'expires_in'),
    ...secondsIn(from, 'refresh_token_expires_in'),
  };
  return { status: 200, text: JSON.stringify(standard), body: standard };
}

/** A number of seconds, which some servers send as a text. */
function secondsIn(fields: Record<string, unknown>, name: string): Record<string, number> {
  const seconds = Number(fields[name]);
  return fields[name] !== null && Number.isFinite(seconds) && seconds > 0 ? { [name]: seconds } : {};
}
