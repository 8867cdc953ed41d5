import {
  type AddProxyRule,
  type AppToken as AppTokenView,
  type AppTokenId,
  proxyPath,
  type ProxyUse,
  type ProxyUseSum,
  type ProxyView,
  type RuleTrial,
} from '../../contract/credential/proxy.ts';
import type { Credential } from '../credential/credential-state.ts';
import { isoInstant, isoInstantOrNull } from '../iso-instant.ts';
import type { State } from '../state.ts';
import { rulesOf, tokensOf } from './change-proxy.ts';
import { isAllowedBy, isForbidden } from './decide-request.ts';
import { addedUse, type AppToken } from './proxy-state.ts';
import { pathPattern } from './request-path.ts';
import { isTooWide, limitsOf, narrowedRules, type RuleLimits, spelledRights } from './rule-limits.ts';

export interface ProxyViewContext {
  readonly nowMs: number;
  readonly embeddedUrl: string;
  readonly running: (id: AppTokenId) => number;
  readonly recent: readonly ProxyUse[];
  /** Not yet in the journal. */
  readonly pending: readonly ProxyUseSum[];
}

export function viewProxy(
  state: State,
  credential: Credential,
  { nowMs, embeddedUrl, running, recent, pending }: ProxyViewContext,
): ProxyView {
  const viewToken = (token: AppToken): AppTokenView => {
    const use = pending.filter((one) => one.token_id === token.id).reduce(addedUse, token.use);
    return {
      id: token.id,
      app: token.app,
      created_at: isoInstant(token.createdAtMs),
      expires_at: isoInstant(token.expiresAtMs),
      is_expired: nowMs >= token.expiresAtMs,
      limits: token.limits,
      last_used_at: isoInstantOrNull(use.lastAtMs),
      last_generation: use.lastGeneration,
      requests: use.requests,
      running: running(token.id),
    };
  };
  const limits = limitsOf(credential);
  return {
    credential: credential.name,
    url: `${embeddedUrl}${proxyPath(credential.name)}`,
    rules: rulesOf(state, credential.id).map((rule) => ({
      id: rule.id,
      method: rule.method,
      path: rule.path,
      app: rule.app,
      private_network: rule.isPrivateAllowed,
      scrub: rule.isScrubbed,
      created_at: isoInstant(rule.createdAtMs),
      ...(isTooWide(rule, limits) ? { becomes: narrowedRules(rule, limits) } : {}),
    })),
    ready: limits.ready.map(({ id, title = null, rules }) => ({ id, title, rules: [...rules] })),
    tokens: tokensOf(state, credential.id).map(viewToken),
    forbidden: [...limits.forbidden],
    recent: [...recent],
  };
}

const mostRoutes = 20;

/**
 * What a rule would have done with requests that were made.
 *
 * Of those only routes are known, in which an id is `*`: a rule that names one id is not found to allow them.
 */
export function tryRule(rule: AddProxyRule, uses: readonly ProxyUseSum[], limits: RuleLimits): RuleTrial {
  const { app } = rule;
  const trial = { requests: 0, allowed: 0, newly_allowed: 0, forbidden: 0 };
  const routes = new Map<string, { method: string; route: string; count: number }>();
  for (const use of uses) {
    if (app !== null && app !== use.app) continue;
    trial.requests += use.count;
    const request = { method: use.method, segments: pathPattern(use.route), app: use.app };
    if (!isAllowedBy(rule, request, limits)) continue;
    if (use.refusal === 'forbidden' || isForbidden(limits, use.method, request.segments)) {
      trial.forbidden += use.count;
      continue;
    }
    trial.allowed += use.count;
    if (use.refusal === 'not_allowed') trial.newly_allowed += use.count;
    const key = `${use.method} ${use.route}`;
    const route = routes.get(key) ?? { method: use.method, route: use.route, count: 0 };
    route.count += use.count;
    routes.set(key, route);
  }
  const shown = [...routes.values()].toSorted((a, b) => b.count - a.count).slice(0, mostRoutes);
  return { ...trial, routes: shown, names_rights: spelledRights(rule, limits) };
}
