import type { TokenReply } from '../../contract/credential/connection-finding.ts';
import { GivenBearerToken, withoutBearer } from '../../contract/credential/credential.ts';
import type { TroubleKind } from '../../contract/credential/credential-view.ts';
import { problems } from '../../contract/problems.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';

const longestText = 200;

/** Where services say what is wrong; `detail` and `title` are those of RFC 9457. */
const messageNames = ['message', 'Message', 'error_description', 'error', 'detail', 'title'];

/**
 * What a service says, cleaned; null if it says nothing. It may be one level deeper, in `error` or the first of `errors`. A text of the
 * spec comes before any other, because it is the one that is compared.
 */
export function messageIn(body: unknown, token: string): string | null {
  const fields = fieldsOf(body);
  const list = fields['errors'];
  const inner = [fields['error'], Array.isArray(list) ? list[0] : list];
  const texts = [fields, ...inner.map(fieldsOf)]
    .flatMap((one) => messageNames.map((name) => one[name]))
    .concat(inner)
    .filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  const said =
    texts.find((one) => tokenProblems.some((code) => problems[code].message === one.trim())) ?? texts[0];
  return said === undefined ? null : cleanText(said, token);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/**
 * The fields of a reply that have an access token: some services put them one level deeper, such as `body` of Withings
 * (oauthlib/oauthlib#805, Colin-b/httpx_auth#119), and the token exists nowhere else. The reply itself where there is none.
 *
 * `inUse`: tokens that were sent. A reply may name the previous one beside the new one, in any order.
 */
export function fieldsWithToken(body: unknown, inUse: readonly string[]): Readonly<Record<string, unknown>> {
  const own = fieldsOf(body);
  const known = new Set(inUse.map(withoutBearer));
  const found = [own, ...Object.values(own).map(fieldsOf)].flatMap((fields) => {
    const token = GivenBearerToken.safeParse(fields['access_token']).data;
    return token === undefined ? [] : [{ fields, isNew: !known.has(token) }];
  });
  return (found.find(({ isNew }) => isNew) ?? found[0])?.fields ?? own;
}

/** Another program's text for display: bounded, on one line, without the token if there is one; null if nothing is left. */
export function cleanText(text: string, token = ''): string | null {
  const masked = token === '' ? text : text.replaceAll(token, '••••');
  const clean = masked.replace(/[\p{C}\s]+/gu, ' ').trim();
  if (clean === '') return null;
  // Well formed: the text may be cut between two surrogates.
  return clean.length > longestText ? `${clean.slice(0, longestText).toWellFormed()}…` : clean;
}

/** The target of a redirect, without its path and query, which could contain a secret; null if it cannot be read. */
export function redirectOrigin(location: string | undefined): string | null {
  return location !== undefined && URL.canParse(location) ? new URL(location).origin : null;
}

/** What an answer that is no success tells about a token, where a service has no more to say with it. */
export function untoldBy({
  status,
  headers,
}: {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
}): TokenReply {
  if (status >= 500 || status === 429) return { kind: 'unreachable', failure: { code: 'answered', status } };
  if (status >= 300 && status < 400) {
    return { kind: 'not_told', reason: { code: 'redirected', to: redirectOrigin(headers['location']) } };
  }
  return { kind: 'not_told', reason: { code: 'no_such_call', status } };
}

/** Whether a service may have acted although its answer is no success: it failed or gave up on the way (5xx, 408), or was doing it already (409). */
export function isUnclear(status: number): boolean {
  return status >= 500 || status === 408 || status === 409;
}

/** The problems of a token that have a text of their own in the spec. */
const tokenProblems = ['token_invalid', 'token_expired', 'token_suspended', 'token_blacklisted'] as const;

/**
 * Which of the spec's problems an answer to a token call has; null for any other answer.
 *
 * By its text: the spec (section 7) fixes the status and the text of each, and has no code in the body, so the text is the
 * only thing that every service that implements it has in common. This is the only place that compares it.
 */
export function tokenProblemOf(status: number, said: string | null): (typeof tokenProblems)[number] | null {
  return (
    tokenProblems.find((code) => problems[code].status === status && problems[code].message === said) ?? null
  );
}

/**
 * What a refusal (401 or 403) says about the token that was sent.
 *
 * A 403 without one of the spec's texts is `refused`: it may be about this machine's address or about the call, so the
 * token may still be valid.
 */
export function meaningOfRefusal(
  status: 401 | 403,
  said: string | null,
): Extract<TroubleKind, 'invalid' | 'expired' | 'suspended' | 'blacklisted' | 'refused'> {
  switch (tokenProblemOf(status, said)) {
    case 'token_expired':
      return 'expired';
    case 'token_suspended':
      return 'suspended';
    case 'token_blacklisted':
      return 'blacklisted';
    case 'token_invalid':
      return 'invalid';
    case null:
      return status === 401 ? 'invalid' : 'refused';
  }
}

const seconds = /^\d{1,9}(?:\.\d+)?$/;

/**
 * RFC 9110 section 10.2.3: seconds or a date. Returns milliseconds from now.
 *
 * Some services send parts of a second (https://github.com/getsentry/sentry/issues/7919), and two proxies that both limit calls
 * send two numbers in one header (https://github.com/dolfies/discord.py-self/issues/853): the longer one counts.
 */
export function retryAfterOf(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const numbers = header.split(',').map((one) => one.trim());
  const untilMs = numbers.every((one) => seconds.test(one))
    ? nowMs + Math.ceil(Math.max(...numbers.map(Number)) * 1000)
    : outsideInstantMs(header);
  return untilMs !== null && untilMs > nowMs ? untilMs - nowMs : null;
}

/**
 * Whether a service answers that it got too many calls, and how long it asks to wait; `waitMs` null: it does not say.
 *
 * A 429, or a 403 that says when to call again. A 503 is maintenance or too much load of the service itself: it holds nobody but the caller. GitHub does that with 403 and, without `Retry-After`, with the instant at which
 * its limit is reset (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
 */
export function complaintIn(
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): { readonly waitMs: number | null } | null {
  if (status !== 429 && status !== 403) return null;
  const resetMs =
    headers['x-ratelimit-remaining'] === '0' && /^\d{10}$/.test(headers['x-ratelimit-reset'] ?? '')
      ? Number(headers['x-ratelimit-reset']) * 1000 - nowMs
      : 0;
  const waitMs = retryAfterOf(headers['retry-after'], nowMs) ?? (resetMs > 0 ? resetMs : null);
  return status === 429 || waitMs !== null ? { waitMs } : null;
}

/** A smaller difference of the clocks, in milliseconds, is the delay of the reply and not a wrong clock. */
const tolerableSkewMs = 5_000;

/** How far a service's clock (the `Date` header) is ahead of ours, in milliseconds; null if it sends no date. */
export function skewOf(date: string | undefined, nowMs: number): number | null {
  const theirsMs = date === undefined ? null : outsideInstantMs(date);
  if (theirsMs === null) return null;
  const skewMs = theirsMs - nowMs;
  return Math.abs(skewMs) > tolerableSkewMs ? skewMs : 0;
}

/**
 * When a JWT expires (`exp`, RFC 7519 section 4.1.4), in milliseconds since the epoch; null if the text is no JWT.
 *
 * The signature is not verified: the time is only used to decide when to rotate.
 */
export function jwtExpiryMs(token: string): number | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const payload = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString()) as {
      exp?: unknown;
    } | null;
    const seconds = payload?.exp;
    return typeof seconds === 'number' ? outsideInstantMs(seconds * 1000) : null;
  } catch {
    return null; // three parts, but no JWT
  }
}
