import type { ForbiddenRoute } from '../../contract/credential/provider-facts.ts';
import type { ProxyRefusalCode } from '../../contract/credential/proxy.ts';
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
import { coversPath, type PreparedRule, type RuleLimits, wideness, withBase } from './rule-limits.ts';

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
  /**
   * Whose tokens are searched for in the answer, because only wildcards allow the request: of any service, or, where a rule lets an
   * app read secrets, the service's own. Null: a rule spells the path.
   */
  readonly searchedFor: 'any' | 'own' | null;
}

/** What decides about the requests of one credential. */
export interface ProxyPolicy {
  readonly rules: readonly ProxyRule[];
  readonly limits: RuleLimits;
}

type Refusal = Extract<ProxyRefusalCode, 'bad_path' | 'forbidden' | 'not_allowed'>;

/**
 * Whether a request may be sent on. What nothing allows is refused, and what the provider forbids is refused whatever
 * allows it: by such a call an app could get a token of its own.
 */
export function decideRequest(
  { rules, limits }: ProxyPolicy,
  { method, target, app }: ProxyRequest,
): Result<AllowedRequest, { readonly code: Refusal; readonly path: RequestPath | null }> {
  const path = readRequestPath(target);
  if (path === null) return refused({ code: 'bad_path', path });
  const { segments } = path;
  if (isForbidden(limits, method, segments)) return refused({ code: 'forbidden', path });
  let [isAllowed, isPrivateAllowed, isScrubbed] = [false, false, false];
  let searchedFor: AllowedRequest['searchedFor'] = 'any';
  const request = { method, segments, app };
  for (const rule of rules) {
    if (!isAllowedBy(rule, request, limits)) continue;
    isAllowed = true;
    isPrivateAllowed ||= rule.isPrivateAllowed;
    isScrubbed ||= rule.isScrubbed;
    const { wideness: how } = preparedRule(rule, limits);
    if (how === 'spelled') searchedFor = null;
    else if (how === 'names') searchedFor &&= 'own';
  }
  return isAllowed
    ? done({ path, isPrivateAllowed, isScrubbed, searchedFor })
    : refused({ code: 'not_allowed', path });
}

/** With and without the path of the base_url, which may be a part of what the provider forbids. */
export function isForbidden(
  { forbidden, basePath }: Pick<RuleLimits, 'forbidden' | 'basePath'>,
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
  return withBase(basePath, segments).flatMap(possibleReadings);
}

export function isAllowedBy(
  rule: RuleParts,
  {
    method,
    segments,
    app,
  }: { readonly method: string; readonly segments: readonly string[]; readonly app: string },
  limits: RuleLimits,
): boolean {
  const hasMethod =
    rule.method === '*' || rule.method === method || (rule.method === 'GET' && method === 'HEAD');
  if (!hasMethod || (rule.app ?? app) !== app) return false;
  return coversPath(preparedRule(rule, limits), { method, segments }, limits);
}

type RuleParts = Pick<ProxyRule, 'method' | 'path' | 'app'>;

const prepared = new WeakMap<RuleParts, PreparedRule & { readonly limits: RuleLimits }>();

/** Once for each rule: the same few are asked for every request. */
function preparedRule(rule: RuleParts, limits: RuleLimits): PreparedRule {
  const before = prepared.get(rule);
  if (before?.limits === limits) return before;
  const made = { pattern: pathPattern(rule.path), wideness: wideness(rule, limits), limits };
  prepared.set(rule, made);
  return made;
}

const forbiddenPatterns = new WeakMap<ForbiddenRoute, PathPattern>();

/** In lower case, as readings are: after decoding, since a code may be that of a capital letter. */
function forbiddenPatternOf(route: ForbiddenRoute): PathPattern {
  let pattern = forbiddenPatterns.get(route);
  if (pattern === undefined)
    forbiddenPatterns.set(route, (pattern = pathPattern(route.path).map((one) => one.toLowerCase())));
  return pattern;
}
