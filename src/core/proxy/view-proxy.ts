import { originOf } from '../../contract/address.ts';
import { providerFacts } from '../../contract/provider.ts';
import {
  type AddProxyRule,
  type AppToken as AppTokenView,
  type AppTokenId,
  proxyPath,
  type ProxyUse,
  type ProxyUseSum,
  type ProxyView,
  type RuleTrial,
} from '../../contract/proxy.ts';
import type { Credential } from '../credential/credential.ts';
import { isoInstant, isoInstantOrNull } from '../iso-instant.ts';
import type { State } from '../state.ts';
import { rulesOf, tokensOf } from './change-proxy.ts';
import { isAllowedBy, isForbidden } from './decide-request.ts';
import { addedUse, type AppToken } from './proxy-state.ts';
import { pathPattern } from './request-path.ts';

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
  return {
    credential: credential.name,
    url: `${embeddedUrl}${proxyPath(credential.name)}`,
    rules: rulesOf(state, credential.id).map(
      ({ id, method, path, app, isPrivateAllowed, isScrubbed, createdAtMs }) => ({
        id,
        method,
        path,
        app,
        private_network: isPrivateAllowed,
        scrub: isScrubbed,
        created_at: isoInstant(createdAtMs),
      }),
    ),
    tokens: tokensOf(state, credential.id).map(viewToken),
    forbidden: [...forbiddenOf(credential)],
    recent: [...recent],
  };
}

export function forbiddenOf(credential: Credential) {
  return providerFacts(credential.provider.id).forbidden;
}

export function basePathOf(baseUrl: string): string {
  return baseUrl.slice(originOf(baseUrl).length).replace(/(?<!\/)\/+$/, '');
}

const mostRoutes = 20;

/**
 * What a rule would have done with requests that were made.
 *
 * Of those only routes are known, in which an id is `*`: a rule that names one id is not found to allow them.
 */
export function tryRule(
  { method, path, app }: AddProxyRule,
  uses: readonly ProxyUseSum[],
  { credential, baseUrl }: { readonly credential: Credential; readonly baseUrl: string },
): RuleTrial {
  const trial = { requests: 0, allowed: 0, newly_allowed: 0, forbidden: 0 };
  const routes = new Map<string, { method: string; route: string; count: number }>();
  for (const use of uses) {
    if (app !== null && app !== use.app) continue;
    trial.requests += use.count;
    const request = { method: use.method, segments: pathPattern(use.route), app: use.app };
    if (!isAllowedBy({ method, path, app }, request)) continue;
    const basePath = basePathOf(baseUrl);
    if (
      use.refusal === 'forbidden' ||
      isForbidden(forbiddenOf(credential), basePath, use.method, request.segments)
    ) {
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
  return { ...trial, routes: shown };
}
