import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../../contract/credential/connection-finding.ts';
import { chosenService, type ProviderTraits } from '../../contract/credential/provider-facts.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import type { Clock } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { invariant } from '../../core/unreachable.ts';
import { believedMs } from '../http/read-expiry.ts';
import type { OAuthClient, OAuthExchange, OAuthServers, GrantedTokens } from './oauth-exchange.ts';
import { type OAuthSecret, oauthPartsOf, parseOAuthSecret } from './oauth-secret.ts';
import {
  type Attempt,
  failed,
  failedBy,
  type FailedRotation,
  type HeldToken,
  type Inspection,
  type MintedToken,
  type Provider,
  type Reconciled,
  type SecretForm,
  type TokenEnd,
} from '../provider-port.ts';
import type { OAuthServices } from './oauth-services.ts';

/** When a refresh was sent. Without it nothing was. */
const Note = z.object({ sent_at: z.iso.datetime() });

/**
 * OAuth 2.0: a refresh token, or a client with a secret, obtains access tokens.
 *
 * At servers that replace refresh tokens, a used one that is sent again may end the whole sign-in (RFC 9700 section 4.14.2). So
 * after a lost reply the server is asked about it where it can be, and otherwise the refresh is repeated only when that cannot
 * end an access token that works.
 */
// see decisions/oauth-sign-in.md
export class OAuthProvider implements Provider {
  readonly traits: ProviderTraits;
  readonly endsBy = ['itself'] as const;
  readonly #services: OAuthServices;
  readonly #servers: OAuthServers;
  readonly #clock: Clock;

  constructor(
    kind: { readonly traits: ProviderTraits; readonly services: OAuthServices },
    servers: OAuthServers,
    clock: Clock,
  ) {
    this.traits = kind.traits;
    this.#services = kind.services;
    this.#servers = servers;
    this.#clock = clock;
  }

  /** Begins an exchange with the server of a client. */
  begin(
    client: Omit<OAuthClient, 'service'>,
    options: Parameters<OAuthServers['begin']>[1],
  ): ReturnType<OAuthServers['begin']> {
    const service = chosenService(this.#services, client.inputs);
    return this.#servers.begin({ ...client, service }, options);
  }

  readonly secret: SecretForm = {
    /** Of a client: its secret, which obtains the first access token. */
    first: ({ value }) => {
      const at = isoInstant(this.#clock());
      const secret: OAuthSecret = {
        access_token: null,
        refresh_token: null,
        client_secret: value,
        obtained_at: at,
        expires_at: at,
      };
      return JSON.stringify(secret);
    },
    parts: oauthPartsOf,
  };

  /** Changes nothing: asks the server about the access token, or the service with it. */
  async inspect(held: HeldToken): Promise<Inspection> {
    const opened = await this.#open(held);
    if (!opened.ok) return unreachable(opened.refusal);
    const { secret, exchange } = opened.value;
    const accessToken = secret.access_token;
    if (accessToken === null) return untold;
    const expiresAtMs = Date.parse(secret.expires_at);
    const known = (endMs: number | null): Inspection => ({
      reply: {
        kind: 'known',
        name: null,
        status: null,
        createdAtMs: Date.parse(secret.obtained_at),
        expiresAtMs: endMs ?? expiresAtMs,
        ...(endMs === null ? { isEndNoted: true as const } : {}),
        validityDays: null,
      },
      skewMs: exchange.skewMs,
    });
    if (exchange.canIntrospect) {
      const asked = await exchange.introspect(accessToken);
      if (!asked.ok) return unreachable(asked.refusal, exchange);
      if (asked.value !== null) {
        if (!asked.value.active) return dead(exchange);
        const saidMs = believedMs(asked.value.expiresAtMs, this.#clock());
        const isSame = saidMs !== null && Math.abs(saidMs - expiresAtMs) < wholeSecondsMs;
        return known(isSame ? expiresAtMs : saidMs);
      }
    }
    const url = exchange.probeUrl(secret);
    if (url === null) return { ...untold, skewMs: exchange.skewMs };
    const probed = await exchange.probe(url, accessToken);
    if (!probed.ok) return unreachable(probed.refusal, exchange);
    if (probed.value === null) return { ...untold, skewMs: exchange.skewMs };
    return probed.value ? known(null) : dead(exchange);
  }

  /** A refresh would replace the refresh token, so only what is known is looked at. */
  async inspectRotation(held: HeldToken): Promise<EndpointFinding> {
    const service = originOf(held.baseUrl);
    const opened = await this.#open(held);
    if (opened.ok) return { outcome: 'can_rotate', service: opened.value.exchange.origin };
    const { trouble } = opened.refusal;
    const reason =
      trouble.code === 'call_failed'
        ? trouble.failure
        : ({ code: 'answered', status: 'status' in trouble ? trouble.status : 0 } as const);
    return { outcome: 'unknown', service, reason };
  }

  /** Of a client: nothing is replaced, so nothing has to be remembered. */
  obtain(held: HeldToken): Promise<Result<MintedToken, FailedRotation>> {
    return this.#mint(held, () => Promise.resolve());
  }

  async rotate(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>> {
    return this.#mint(attempt, (nowMs) => {
      // Of the first call: a grace period begins with it.
      const note: z.infer<typeof Note> = { sent_at: isoInstant(sentAtOf(attempt.note) ?? nowMs) };
      return attempt.remember(JSON.stringify(note));
    });
  }

  async #mint(
    held: HeldToken,
    remember: (nowMs: number) => Promise<void>,
  ): Promise<Result<MintedToken, FailedRotation>> {
    const opened = await this.#open(held);
    if (!opened.ok) return opened;
    const { secret, exchange } = opened.value;
    const { oidc, config, service } = exchange;
    const refreshToken = secret.refresh_token;
    if (this.traits.signsIn === true && refreshToken === null) {
      return failed({ code: 'sign_in_ended', service: exchange.origin, said: null });
    }
    const nowMs = this.#clock();
    await remember(nowMs);
    const granted = await exchange.grant(
      () => {
        if (refreshToken === null) {
          const { scope } = exchange;
          return oidc.clientCredentialsGrant(config, scope === null ? {} : { scope });
        }
        const uri = service.sendsRedirectUri ? secret.redirect_uri : undefined;
        return oidc.refreshTokenGrant(config, refreshToken, uri === undefined ? {} : { redirect_uri: uri });
      },
      () => nowMs,
    );
    return granted.ok ? done(this.mintedFrom(granted.value, secret)) : granted;
  }

  async reconcile(attempt: Attempt): Promise<Reconciled> {
    const sentAtMs = sentAtOf(attempt.note);
    if (sentAtMs === null) return { kind: 'nothing_happened' };
    const opened = await this.#open(attempt);
    if (!opened.ok) return { kind: 'unclear', failure: opened.refusal };
    const { secret, exchange } = opened.value;
    const { refresh_token: refreshToken, access_token: accessToken } = secret;
    const { graceSeconds, refreshEndsAccess } = exchange.service;
    invariant(refreshToken !== null, 'only a sign-in has to be reconciled');
    if (graceSeconds === 'always' || secret.is_replaced === false) return { kind: 'nothing_happened' };
    const nowMs = this.#clock();
    const sinceMs = nowMs - sentAtMs;
    if (sinceMs >= 0 && sinceMs < graceSeconds * 1000) return { kind: 'nothing_happened' };
    if (exchange.canIntrospect) {
      const asked = await exchange.introspect(refreshToken);
      if (!asked.ok) return { kind: 'unclear', failure: { ...asked.refusal, mayHaveActed: false } };
      if (asked.value !== null) return { kind: asked.value.active ? 'nothing_happened' : 'lost' };
    }
    const endMs = Date.parse(secret.expires_at);
    if (accessToken === null || nowMs >= endMs) return { kind: 'nothing_happened' };
    const url = refreshEndsAccess ? exchange.probeUrl(secret) : null;
    if (url !== null) {
      const probed = await exchange.probe(url, accessToken);
      if (!probed.ok) return { kind: 'unclear', failure: probed.refusal };
      if (probed.value !== null) return { kind: probed.value ? 'nothing_happened' : 'lost' };
    }
    const trouble = { code: 'repeats_later', service: exchange.origin, until: secret.expires_at } as const;
    return { kind: 'unclear', failure: failedBy(trouble, { retryAfterMs: endMs - nowMs }) };
  }

  /**
   * The refresh token first, so that it gives no other access token, then the access token.
   *
   * RFC 7009 section 2.1 only recommends that a server ends the access tokens with their refresh token. A server whose access
   * tokens cannot be revoked at all has done what it can.
   */
  async end(held: HeldToken): Promise<Result<TokenEnd, FailedRotation>> {
    const opened = await this.#open(held);
    if (!opened.ok) return opened;
    const { secret, exchange } = opened.value;
    if (exchange.server.revocation_endpoint === undefined) return done('no_call');
    const { refresh_token: refreshToken, access_token: accessToken } = secret;
    if (refreshToken !== null) {
      const revoked = await exchange.revoke(refreshToken, 'refresh_token');
      if (!revoked.ok) return revoked;
    }
    if (accessToken !== null && this.#clock() < Date.parse(secret.expires_at)) {
      const isOptional = refreshToken !== null;
      const revoked = await exchange.revoke(accessToken, 'access_token', { isOptional });
      if (!revoked.ok) return revoked;
    }
    // The secret of a client obtains others until a person deletes it.
    return done(this.traits.signsIn === true ? 'deleted' : 'key_stays');
  }

  /** The secret after a grant. Without a new refresh token the old one stays (RFC 6749 section 6). */
  mintedFrom(granted: GrantedTokens, before: OAuthSecret): MintedToken {
    const { accessToken, refreshToken, expiresAtMs, expiryAssumed, signInEndsAtMs, scope } = granted;
    const isRefresh = before.refresh_token !== null;
    const secret: OAuthSecret = {
      ...before,
      access_token: accessToken,
      refresh_token: refreshToken ?? before.refresh_token,
      obtained_at: isoInstant(this.#clock()),
      expires_at: isoInstant(expiresAtMs),
      ...(signInEndsAtMs === null ? {} : { sign_in_ends_at: isoInstant(signInEndsAtMs) }),
      ...(scope === null ? {} : { scope }),
      ...(isRefresh ? { is_replaced: refreshToken !== null && refreshToken !== before.refresh_token } : {}),
    };
    return { token: JSON.stringify(secret), validityDays: null, expiresAtMs, expiryAssumed };
  }

  async #open({
    baseUrl,
    inputs,
    token,
    timeLimitMs,
  }: HeldToken): Promise<Result<{ secret: OAuthSecret; exchange: OAuthExchange }, FailedRotation>> {
    const secret = parseOAuthSecret(token);
    if (secret === null) {
      return failed({ code: 'sign_in_ended', service: originOf(baseUrl), said: null });
    }
    const { masked } = oauthPartsOf(token);
    const client = { baseUrl, inputs, clientSecret: secret.client_secret ?? null };
    const begun = await this.begin(client, { timeLimitMs, masked });
    return begun.ok ? done({ secret, exchange: begun.value }) : refused(begun.refusal);
  }
}

/** Servers tell instants, and the time by their clock, in whole seconds: a smaller difference is none. */
const wholeSecondsMs = 5_000;

const untold: Inspection = {
  reply: { kind: 'not_told', reason: { code: 'nothing_known' } },
  skewMs: null,
};

function dead(exchange: OAuthExchange): Inspection {
  const reply: TokenReply = { kind: 'refused', why: 'invalid', said: '401' };
  return { reply, skewMs: exchange.skewMs };
}

function unreachable({ trouble }: FailedRotation, exchange?: OAuthExchange): Inspection {
  const skewMs = exchange?.skewMs ?? null;
  if (trouble.code === 'call_failed') {
    return { reply: { kind: 'unreachable', failure: trouble.failure }, skewMs };
  }
  if ('status' in trouble && typeof trouble.status === 'number') {
    return { reply: { kind: 'unreachable', failure: { code: 'answered', status: trouble.status } }, skewMs };
  }
  return { ...untold, skewMs };
}

function sentAtOf(note: string | null): number | null {
  if (note === null) return null;
  const parsed = Note.safeParse(JSON.parse(note));
  return parsed.success ? Date.parse(parsed.data.sent_at) : null;
}
