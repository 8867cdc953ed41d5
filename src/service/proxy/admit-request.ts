/**
 * Whether a request of an app may be sent on, by the state and by what the request says of itself. Nothing is sent, counted or noted here:
 * that is done by `credential-proxy.ts`.
 */
// see decisions/credential-proxy.md
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  type ProxyMethod,
  proxyMethods,
  proxyPath,
  type ProxyRefusalCode,
} from '../../contract/credential/proxy.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { rulesOf } from '../../core/proxy/change-proxy.ts';
import { type AllowedRequest, decideRequest } from '../../core/proxy/decide-request.ts';
import type { AppToken } from '../../core/proxy/proxy-state.ts';
import { routeOf } from '../../core/proxy/request-path.ts';
import { limitsOf } from '../../core/proxy/rule-limits.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import { invariant } from '../../core/unreachable.ts';
import { providerFacts, providerIds } from '../../providers/catalogue.ts';
import { digestOf, tokenPrefixes } from '../secrets/token-value.ts';
import { hasBody } from './outgoing-request.ts';

/** What a request says of itself. */
export interface ReceivedRequest {
  readonly method: string;
  /** As it was sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** What it calls this service. */
  readonly origin: string;
}

export interface KnownRequest {
  readonly app: AppToken;
  readonly credential: Credential;
  /** The path, with `*` for each segment that may be an id. */
  readonly route: string;
  readonly decided: Result<AllowedRequest, ProxyRefusalCode>;
}

export type Admission =
  /** Whatever its token. */
  | { readonly kind: 'refused'; readonly refusal: ProxyRefusalCode }
  /** Without a valid app token: it counts against its address. */
  | { readonly kind: 'unknown'; readonly refusal: ProxyRefusalCode }
  /** Its app token is for another credential than its path, or the path writes the name otherwise. */
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'known'; readonly request: KnownRequest };

export function admitRequest(state: State, received: ReceivedRequest, nowMs: number): Admission {
  const refusal = refusalForAll(received);
  if (refusal !== null) return { kind: 'refused', refusal };
  const found = findApp(state, received.headers, nowMs);
  if (!found.ok) return { kind: 'unknown', refusal: found.refusal };
  const app = found.value;
  const credential = state.credentials.get(app.credentialId);
  invariant(credential !== undefined, 'an app token goes with its credential');
  const target = targetOf(received.url, credential.name);
  if (target === null) return { kind: 'elsewhere' };
  const policy = { rules: rulesOf(state, credential.id), limits: limitsOf(credential) };
  const decided = decideRequest(policy, { method: received.method, target, app: app.app });
  const path = decided.ok ? decided.value.path : decided.refusal.path;
  const route = path === null ? '/**' : routeOf(path.segments);
  return { kind: 'known', request: { app, credential, route, decided: verdictOn(received, decided) } };
}

/** Such a request has no body, and may be sent again. */
export const safeMethods: ReadonlySet<string> = new Set<ProxyMethod>(['GET', 'HEAD']);

function verdictOn(
  received: ReceivedRequest,
  decided: ReturnType<typeof decideRequest>,
): KnownRequest['decided'] {
  if (!decided.ok) return refused(decided.refusal.code);
  return safeMethods.has(received.method) && hasBody(received) ? refused('body_not_supported') : decided;
}

/** What is refused to everybody. */
function refusalForAll({ method, headers, origin }: ReceivedRequest): ProxyRefusalCode | null {
  if (/^http:\/\/localhost(?::|$)/.test(origin)) return 'host_not_literal';
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'browser';
  if (!(proxyMethods as readonly string[]).includes(method)) return 'method_not_supported';
  return headers.upgrade === undefined ? null : 'upgrade';
}

/** The path below the credential, as it was sent; null if the address names another credential, or writes its name otherwise. */
function targetOf(url: string, name: string): string | null {
  const path = proxyPath(name);
  if (!url.startsWith(path)) return null;
  const rest = url.slice(path.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : null;
}

/** Headers in which services take tokens: an app token is found in any of them, and none of them is sent on. */
const tokenHeaders: ReadonlySet<string> = new Set([
  ...providerIds.map((id) => providerFacts(id).slot.header),
  'authorization',
  'private-token',
  'job-token',
  'deploy-token',
  'x-api-key',
  'api-key',
  'apikey',
  'x-goog-api-key',
  'x-auth-token',
  'x-access-token',
  'x-gitlab-token',
  'x-vault-token',
]);

/** The app token of a request, which is in the header that the app's library uses for its key anyway. */
function findApp(
  { appTokens }: State,
  headers: IncomingHttpHeaders,
  nowMs: number,
): Result<AppToken, ProxyRefusalCode> {
  let value: string | null = null;
  for (const name of tokenHeaders) {
    const header = headers[name];
    if (typeof header !== 'string') continue;
    for (const one of valuesIn(header)) {
      if (!shape.test(one)) continue;
      if (value !== null && value !== one) return refused('several_app_tokens');
      value = one;
    }
  }
  if (value === null) return refused('no_app_token');
  const digest = Buffer.from(digestOf(value));
  let found: AppToken | null = null;
  // All of them: how long it takes says nothing about any of them.
  for (const token of appTokens.values()) if (timingSafeEqual(bytesOf(token), digest)) found = token;
  if (found === null) return refused('unknown_app_token');
  return nowMs < found.expiresAtMs ? done(found) : refused('expired_app_token');
}

const digests = new WeakMap<AppToken, Buffer>();

function bytesOf(token: AppToken): Buffer {
  let bytes = digests.get(token);
  if (bytes === undefined) digests.set(token, (bytes = Buffer.from(token.digest)));
  return bytes;
}

const shape = new RegExp(`^${tokenPrefixes.app}[0-9A-Za-z]{49}$`);

/** `TOKEN`, `Bearer TOKEN`, `token TOKEN`, or user and password of `Basic`. */
function valuesIn(header: string): readonly string[] {
  const [scheme = '', value] = header.trim().split(/\s+/, 2);
  if (value === undefined) return [scheme];
  if (scheme.toLowerCase() !== 'basic') return [value];
  return Buffer.from(value, 'base64').toString('latin1').split(':', 2);
}
