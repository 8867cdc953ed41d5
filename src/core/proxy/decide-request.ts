import type { ProxyRefusalCode } from '../../contract/proxy.ts';
import type { ForbiddenRoute } from '../../contract/provider.ts';
import { done, refused, type Result } from '../result.ts';
import type { ProxyRule } from './proxy-state.ts';
import {
  matchesPath,
  type PathPattern,
  pathPattern,
  possibleReadings,
  readRequestPath,
  type RequestPath,
} from './request-path.ts';

export interface ProxyRequest {
  readonly method: string;
  /** Below the credential, with its query: as it was sent. */
  readonly target: string;
  readonly app: string;
}

export interface AllowedRequest {
  readonly path: RequestPath;
  /** Whether a rule that allows it lets the service be in a private network. */
  readonly isPrivateAllowed: boolean;
  /** Whether a rule that allows it asks for the token to be removed from the text of the answer. */
  readonly isScrubbed: boolean;
}

export interface ProxyPolicy {
  readonly rules: readonly ProxyRule[];
  readonly forbidden: readonly ForbiddenRoute[];
  /** The path of the credential's base_url: services see it before that of the request. */
  readonly basePath: string;
}

type Refusal = Extract<ProxyRefusalCode, 'bad_path' | 'forbidden' | 'not_allowed'>;

/**
 * Whether a request may be sent on. What nothing allows is refused, and what the provider forbids is refused whatever
 * allows it: by such a call an app could get a token of its own.
 */
export function decideRequest(
  { rules, forbidden, basePath }: ProxyPolicy,
  { method, target, app }: ProxyRequest,
): Result<AllowedRequest, { readonly code: Refusal; readonly path: RequestPath | null }> {
  const path = readRequestPath(target);
  if (path === null) return refused({ code: 'bad_path', path });
  const { segments } = path;
  if (isForbidden(forbidden, basePath, method, segments)) return refused({ code: 'forbidden', path });
  let [isAllowed, isPrivateAllowed, isScrubbed] = [false, false, false];
  const request = { method, segments, app };
  for (const rule of rules) {
    if (!isAllowedBy(rule, request)) continue;
    isAllowed = true;
    isPrivateAllowed ||= rule.isPrivateAllowed;
    isScrubbed ||= rule.isScrubbed;
  }
  return isAllowed ? done({ path, isPrivateAllowed, isScrubbed }) : refused({ code: 'not_allowed', path });
}

/** With and without the path of the base_url, which may be a part of what the provider forbids. */
export function isForbidden(
  forbidden: readonly ForbiddenRoute[],
  basePath: string,
  method: string,
  segments: readonly string[],
): boolean {
  let readings: readonly (readonly string[])[] | undefined;
  return forbidden.some((route) => {
    if (route.method !== null && route.method !== method) return false;
    const pattern = forbiddenPatternOf(route);
    readings ??= readingsOf(basePath, segments);
    return readings.some((reading) => matchesPath(pattern, reading));
  });
}

function readingsOf(basePath: string, segments: readonly string[]): readonly (readonly string[])[] {
  const base = basePath.split('/').filter((one) => one !== '');
  const alone = possibleReadings(segments);
  return base.length === 0 ? alone : [...alone, ...possibleReadings([...base, ...segments])];
}

export function isAllowedBy(
  rule: Pick<ProxyRule, 'method' | 'path' | 'app'>,
  {
    method,
    segments,
    app,
  }: { readonly method: string; readonly segments: readonly string[]; readonly app: string },
): boolean {
  const hasMethod =
    rule.method === '*' || rule.method === method || (rule.method === 'GET' && method === 'HEAD');
  return hasMethod && (rule.app ?? app) === app && matchesPath(patternOf(rule.path), segments);
}

const forbiddenPatterns = new WeakMap<ForbiddenRoute, PathPattern>();

/** In lower case, as readings are: after decoding, since a code may be that of a capital letter. */
function forbiddenPatternOf(route: ForbiddenRoute): PathPattern {
  let pattern = forbiddenPatterns.get(route);
  if (pattern === undefined)
    forbiddenPatterns.set(route, (pattern = pathPattern(route.path).map((one) => one.toLowerCase())));
  return pattern;
}

const mostPatterns = 1_000;
const patterns = new Map<string, PathPattern>();

/** Parsed once: the same few rules are asked for every request. */
function patternOf(path: string): PathPattern {
  let pattern = patterns.get(path);
  if (pattern === undefined) {
    pattern = pathPattern(path);
    if (patterns.size >= mostPatterns) patterns.clear();
    patterns.set(path, pattern);
  }
  return pattern;
}
