import type { OAuthProvider } from '../../providers/oauth2/calls.ts';
import { randomBytes } from 'node:crypto';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { signInPath } from '../../contract/address.ts';
import { problems } from '../../contract/problems.ts';
import type { ProviderChoice } from '../../contract/credential/provider.ts';
import type { SignInProblem, SignInView, StartSignIn } from '../../contract/credential/sign-in.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { invariant } from '../../core/unreachable.ts';
import { type Handler, isLoopbackHost, urlOf } from '../../network/create-listener.ts';
import type { Records, Reports } from '../ports.ts';
import type { Services } from '../services.ts';
import { type GrantedTokens, isSafe, type OAuthExchange } from '../../providers/oauth2/oauth-exchange.ts';
import type { OAuthSecret } from '../../providers/oauth2/oauth-secret.ts';
import type { FailedRotation, HeldToken, MintedToken } from '../../providers/provider-port.ts';
import { cleanText } from '../../providers/http/read-reply.ts';
import { listen, respond } from './loopback-listener.ts';
import { systemTimer } from '../loop/timer.ts';

/** Where a person signs in, and as which client. */
export interface SignInAt {
  readonly provider: ProviderChoice;
  readonly baseUrl: string;
  readonly clientSecret: string | null;
  readonly clientCertificate?: HeldToken['clientCertificate'];
}

export type StoreSignedIn = (
  minted: MintedToken,
  obtainedAtMs: number,
) => Promise<Result<CredentialId, CredentialRefusal>>;

interface SignInsPorts extends Pick<Records, 'clock'>, Pick<Reports, 'text' | 'onFailure'> {
  readonly services: Pick<Services, 'signInAt'>;
}

interface SignIn {
  view: SignInView;
  /** Stops waiting. The view stays, so that the result can be read. */
  readonly stop: () => void;
}

const callLimitMs = 30_000;
/** How long a person may take in a browser. */
const browserLimitMs = 10 * 60_000;
/** How long a code is waited for, however long it counts. */
const longestCodeMs = 90 * dayMs;
/** How long the result can be read. */
const keptMs = 10 * 60_000;
const mostAtOnce = 20;

/**
 * Sign-ins that wait for a person.
 *
 * In a browser (RFC 8252): the server sends it back to an address of this machine, where one answer with the right `state` is
 * taken. By a code (RFC 8628): the server is asked until the person has entered it. PKCE (RFC 7636) binds the answer to who
 * began. Nothing of a sign-in is stored before it is complete; a restart ends it.
 */
// see decisions/oauth-sign-in.md
export class SignIns {
  readonly #ports: SignInsPorts;
  readonly #all = new Map<string, SignIn>();

  constructor(ports: SignInsPorts) {
    this.#ports = ports;
  }

  get(id: string): SignInView | null {
    return this.#all.get(id)?.view ?? null;
  }

  cancel(id: string): SignInView | null {
    const signIn = this.#all.get(id);
    if (signIn === undefined) return null;
    this.#end(id, { code: 'cancelled' });
    return signIn.view;
  }

  close(): void {
    for (const { stop } of this.#all.values()) stop();
    this.#all.clear();
  }

  async start(
    { name, method }: Pick<StartSignIn, 'name' | 'method'>,
    at: SignInAt,
    store: StoreSignedIn,
  ): Promise<Result<SignInView, CredentialRefusal>> {
    const waiting = [...this.#all.values()].filter(({ view }) => view.status === 'waiting');
    if (waiting.length >= mostAtOnce) {
      return refused({ problem: 'conflict', reason: { code: 'too_many_sign_ins', limit: mostAtOnce } });
    }
    const { provider, baseUrl, clientSecret, clientCertificate } = at;
    const signsIn = this.#ports.services.signInAt({ provider });
    invariant(signsIn !== null, 'only where a person signs in is a sign-in started');
    const client = { baseUrl, inputs: provider.inputs, clientSecret };
    const masked = clientSecret === null ? [] : [clientSecret];
    // Read again: what a person has just put right there counts.
    const begun = await signsIn.begin(client, {
      timeLimitMs: callLimitMs,
      masked,
      clientCertificate,
      isFresh: true,
    });
    if (!begun.ok) return notStarted(begun.refusal);
    const exchange = begun.value;
    const id = `sign_${randomBytes(16).toString('base64url')}`;
    const { authorization_endpoint: page, device_authorization_endpoint: forDevices } = exchange.server;
    const endpoint = method === 'browser' ? page : forDevices;
    if (endpoint === undefined) return noEndpoint(exchange.origin, method);
    if (!isSafe(endpoint)) return unprotected(exchange.origin, endpoint);
    const take = (granted: Result<GrantedTokens, FailedRotation>, obtainedAtMs: number, uri: string | null) =>
      this.#take(id, { granted, obtainedAtMs, uri, clientSecret, service: exchange.origin, signsIn }, store);
    return method === 'browser'
      ? this.#startBrowser(id, name, exchange, take)
      : this.#startDevice(id, name, exchange, take);
  }

  async #startBrowser(
    id: string,
    name: string,
    exchange: OAuthExchange,
    take: Take,
  ): Promise<Result<SignInView, CredentialRefusal>> {
    const { oidc, config, service } = exchange;
    const { clock, text, onFailure } = this.#ports;
    const state = oidc.randomState();
    const verifier = oidc.randomPKCECodeVerifier();
    let isTaken = false;
    const handle: Handler = (incoming, answer) => {
      // Any program and any page of this machine can ask.
      if (!isLoopbackHost(incoming)) return respond(answer, problems.host_not_allowed.status, '');
      const url = urlOf(incoming, origin);
      if (url === null) return respond(answer, 400, '');
      if (incoming.method !== 'GET' || url.pathname !== signInPath) return respond(answer, 404, '');
      // Another page's request, or a second one: the sign-in goes on waiting, or has ended.
      if (url.searchParams.get('state') !== state || isTaken) return respond(answer, 400, '');
      isTaken = true;
      return this.#finish(id, async () => {
        const problem = problemIn(url, exchange, state);
        if (problem !== null) return this.#end(id, problem, false);
        const nowMs = clock();
        const checks = { pkceCodeVerifier: verifier, expectedState: state };
        const granted = await exchange
          .grant(
            () => oidc.authorizationCodeGrant(config, url, checks),
            () => nowMs,
          )
          .catch((error: unknown) => {
            // Nothing was asked: the library refuses what the browser brought.
            if (!isOfLibrary(error)) throw error;
            return null;
          });
        if (granted === null) this.#end(id, badAnswer(exchange.origin, 'not_allowed'), false);
        else await take(granted, nowMs, redirectUri);
      }).finally(() => {
        const isDone = this.#all.get(id)?.view.status === 'done';
        respond(answer, 200, isDone ? text.signInPage.done : text.signInPage.failed, () => this.#stop(id));
      });
    };
    const listener = await listen(service.loopback, handle, onFailure);
    const { origin } = listener;
    const redirectUri = `${origin}${signInPath}`;
    const url = oidc.buildAuthorizationUrl(config, {
      response_type: 'code',
      redirect_uri: redirectUri,
      ...exchange.scopeParameters,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...service.extra,
    });
    return done(
      this.#keep(id, {
        name,
        method: 'browser',
        url: url.href,
        user_code: null,
        limitMs: browserLimitMs,
        stop: () => listener.close(),
      }),
    );
  }

  async #startDevice(
    id: string,
    name: string,
    exchange: OAuthExchange,
    take: Take,
  ): Promise<Result<SignInView, CredentialRefusal>> {
    const { oidc, config, scope } = exchange;
    const asked = await exchange.attempt(() =>
      oidc.initiateDeviceAuthorization(config, scope === null ? {} : { scope }),
    );
    if (!asked.ok) return notStarted(asked.refusal);
    const { expires_in: seconds, user_code: userCode, verification_uri: page } = asked.value;
    const url = asked.value.verification_uri_complete ?? page;
    if (!isSafe(url)) return unprotected(exchange.origin, url);
    const stopping = new AbortController();
    const view = this.#keep(id, {
      name,
      method: 'device',
      url,
      user_code: userCode,
      limitMs: Math.min(seconds * 1000, longestCodeMs),
      stop: () => stopping.abort(),
    });
    void this.#finish(id, async () => {
      for (;;) {
        const granted = await exchange
          .grant(
            () => oidc.pollDeviceAuthorizationGrant(config, asked.value, {}, { signal: stopping.signal }),
            this.#ports.clock,
          )
          .catch((error: unknown) => {
            // Stopped before the first question: the library throws that.
            if (!stopping.signal.aborted) throw error;
            return null;
          });
        if (granted === null || stopping.signal.aborted) return;
        // Nothing was sent: the network is away or the service busy for a moment, and the code still counts.
        const { trouble } = granted.ok ? { trouble: null } : granted.refusal;
        const why = trouble?.code === 'call_failed' ? trouble.failure.code : null;
        if (why === 'not_connected' || why === 'asked_to_wait') {
          await pause(lostNetworkMs, stopping.signal);
          continue;
        }
        await take(granted, this.#ports.clock(), null);
        return;
      }
    });
    return done(view);
  }

  /** The end of a sign-in: its tokens are stored, or why not. */
  async #take(
    id: string,
    got: {
      readonly granted: Result<GrantedTokens, FailedRotation>;
      readonly obtainedAtMs: number;
      readonly uri: string | null;
      readonly clientSecret: string | null;
      readonly service: string;
      readonly signsIn: Pick<OAuthProvider, 'mintedFrom'>;
    },
    store: StoreSignedIn,
  ): Promise<void> {
    const { granted, obtainedAtMs, uri, clientSecret, service, signsIn } = got;
    if (!granted.ok) return this.#end(id, problemOf(granted.refusal, service), false);
    if (granted.value.refreshToken === null)
      return this.#end(id, { code: 'no_refresh_token', service }, false);
    const at = isoInstant(obtainedAtMs);
    const before: OAuthSecret = {
      access_token: null,
      refresh_token: null,
      ...(clientSecret === null ? {} : { client_secret: clientSecret }),
      ...(uri === null ? {} : { redirect_uri: uri }),
      obtained_at: at,
      expires_at: at,
    };
    const minted = signsIn.mintedFrom(granted.value, before);
    const stored = await store(minted, obtainedAtMs);
    if (!stored.ok) return this.#end(id, { code: 'not_stored', reason: stored.refusal.reason }, false);
    const signIn = this.#all.get(id);
    if (signIn !== undefined) {
      signIn.view = { ...signIn.view, status: 'done', credential_id: stored.value };
    }
  }

  #keep(
    id: string,
    one: Pick<SignInView, 'name' | 'method' | 'url' | 'user_code'> & {
      readonly limitMs: number;
      readonly stop: () => void;
    },
  ): SignInView {
    const { limitMs, stop, ...shown } = one;
    const view: SignInView = {
      id,
      ...shown,
      status: 'waiting',
      message: null,
      expires_at: isoInstant(this.#ports.clock() + limitMs),
      credential_id: null,
    };
    const stopTimer = systemTimer.start(limitMs, () => this.#end(id, { code: 'too_late' }));
    this.#all.set(id, {
      view,
      stop() {
        stopTimer();
        stop();
      },
    });
    return view;
  }

  /** Ends one that still waits. */
  #end(id: string, problem: SignInProblem, stops = true): void {
    const signIn = this.#all.get(id);
    if (signIn?.view.status !== 'waiting') return;
    signIn.view = { ...signIn.view, status: 'failed', message: this.#ports.text.signInProblem(problem) };
    if (stops) this.#stop(id);
  }

  /** Waits for nothing more; the result can be read for a while. */
  #stop(id: string): void {
    this.#all.get(id)?.stop();
    setTimeout(() => this.#all.delete(id), keptMs).unref();
  }

  /** A bug of ours also ends the sign-in, because the person waits for it. */
  async #finish(id: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#ports.onFailure(error);
    }
    this.#end(id, { code: 'failed', trouble: { code: 'internal' } });
    if (this.#all.get(id)?.view.method === 'device') this.#stop(id);
  }
}

/** What is wrong with an answer that has the right state; an issuer that is not known is taken out of it. */
function problemIn(
  { searchParams }: URL,
  { origin, server, isIssuerKnown }: OAuthExchange,
  state: string,
): SignInProblem | null {
  const names = ['state', 'code', 'iss', 'error'];
  if (names.some((name) => searchParams.getAll(name).length > 1)) return badAnswer(origin, 'repeated');
  const issuer = searchParams.get('iss');
  // RFC 9207 section 2.4 compares it with the issuer that is known; there is none where a person gave addresses alone.
  if (!isIssuerKnown) searchParams.delete('iss');
  else if (issuer !== null && issuer !== server.issuer)
    return badAnswer(origin, 'other_issuer', cleanText(issuer, state));
  const error = searchParams.get('error');
  if (error !== null) {
    const said = cleanText(searchParams.get('error_description') ?? error, state);
    return { code: 'denied', service: origin, said };
  }
  return (searchParams.get('code') ?? '') === '' ? badAnswer(origin, 'no_code') : null;
}

function badAnswer(
  service: string,
  why: Extract<SignInProblem, { code: 'bad_answer' }>['why'],
  said: string | null = null,
): SignInProblem {
  return { code: 'bad_answer', service, why, said };
}

/** Errors of the library have a code that begins like this. */
function isOfLibrary(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('OAUTH_');
}

type Take = (
  granted: Result<GrantedTokens, FailedRotation>,
  obtainedAtMs: number,
  redirectUri: string | null,
) => Promise<void>;

const lostNetworkMs = 5_000;

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function noEndpoint(service: string, method: StartSignIn['method']): Result<never, CredentialRefusal> {
  return refused({ problem: 'conflict', reason: { code: 'no_sign_in_endpoint', service, method } });
}

function unprotected(service: string, page: string): Result<never, CredentialRefusal> {
  const origin = URL.canParse(page) ? new URL(page).origin : 'null';
  // Of other schemes only the beginning: it can be anything.
  const shown = origin === 'null' ? page.slice(0, 40) : origin;
  return refused({ problem: 'conflict', reason: { code: 'sign_in_unprotected', service, page: shown } });
}

function notStarted({ trouble }: FailedRotation): Result<never, CredentialRefusal> {
  const problem = trouble.code === 'call_failed' ? 'other_service_failed' : 'conflict';
  return refused({ problem, reason: { code: 'sign_in_not_started', trouble } });
}

/** RFC 8628 section 3.5: who refuses a code, or lets it expire, has to begin again. */
function problemOf({ trouble }: FailedRotation, service: string): SignInProblem {
  if (trouble.code === 'service_failed' && trouble.status < 500) {
    return { code: 'denied', service, said: trouble.said };
  }
  if (trouble.code === 'sign_in_ended') return { code: 'denied', service, said: trouble.said };
  return { code: 'failed', trouble };
}
