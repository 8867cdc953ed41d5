import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { providerFacts, providerIds } from '../../providers/catalogue.ts';
import type { ProxyRefusalCode } from '../../contract/proxy.ts';
import type { AppToken } from '../../core/proxy/proxy-state.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import { digestOf, tokenPrefixes } from '../secrets/token-value.ts';

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

type Refusal = Extract<
  ProxyRefusalCode,
  'no_app_token' | 'several_app_tokens' | 'unknown_app_token' | 'expired_app_token'
>;

/** The app token of a request, which is in the header that the app's library uses for its key anyway. */
export function admitApp(
  { appTokens }: State,
  headers: IncomingHttpHeaders,
  nowMs: number,
): Result<AppToken, Refusal> {
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
