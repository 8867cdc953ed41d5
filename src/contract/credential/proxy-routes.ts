import { z } from 'zod';
import { AddProxyRule, IssueAppToken, NewAppToken, ProxyList, ProxyView, RuleTrial } from './proxy.ts';
import { ofPortal, byId, byName, credentialProblems, portalProblems, type Route } from '../route.ts';

/** What may be sent through the proxy and by whom. The proxy itself is no route of this table: it takes any path. */
export const proxyRoutes = {
  listProxies: {
    method: 'GET',
    path: '/portal/proxy',
    title: 'List the use of the proxy',
    summary:
      'List the credentials that have a rule or an app token, with their rules, apps and newest requests.',
    ...ofPortal,
    reply: ProxyList,
    problems: portalProblems,
  },
  readProxy: {
    method: 'GET',
    path: '/portal/credentials/:name/proxy',
    title: 'Read the proxy of a credential',
    summary: 'Read the rules, the apps and the newest requests of one credential.',
    ...ofPortal,
    params: byName,
    reply: ProxyView,
    problems: [...portalProblems, 'not_found'],
  },
  addProxyRule: {
    method: 'POST',
    path: '/portal/credentials/:name/proxy/rules',
    title: 'Allow requests through the proxy',
    summary:
      'Allow a method and a path. Without a rule the proxy refuses every request. A path that names credentials or rights needs `confirmed`.',
    ...ofPortal,
    params: byName,
    body: AddProxyRule,
    reply: ProxyView,
    problems: [...credentialProblems, 'conflict'],
  },
  tryProxyRule: {
    method: 'POST',
    path: '/portal/credentials/:name/proxy/rules/try',
    title: 'Try a rule of the proxy',
    summary: 'Show what a rule would have allowed of the requests of the last 24 hours. Nothing is changed.',
    ...ofPortal,
    params: byName,
    body: AddProxyRule,
    reply: RuleTrial,
    problems: [...credentialProblems, 'conflict', 'history_unreadable'],
  },
  removeProxyRule: {
    method: 'DELETE',
    path: '/portal/proxy/rules/:id',
    title: 'Remove a rule of the proxy',
    summary: 'Stop allowing what a rule allows. Requests that are being answered are finished.',
    ...ofPortal,
    params: byId,
    body: z.strictObject({}).optional(),
    reply: ProxyView,
    problems: credentialProblems,
  },
  issueAppToken: {
    method: 'POST',
    path: '/portal/credentials/:name/proxy/tokens',
    title: 'Issue an app token',
    summary: 'Issue a token with which one app may use one credential through the proxy. It is shown once.',
    ...ofPortal,
    params: byName,
    body: IssueAppToken,
    reply: NewAppToken,
    problems: [...credentialProblems, 'conflict'],
  },
  revokeAppToken: {
    method: 'DELETE',
    path: '/portal/proxy/tokens/:id',
    title: 'Revoke an app token',
    summary: 'Refuse every further request with an app token, and end those that are being answered.',
    ...ofPortal,
    params: byId,
    body: z.strictObject({}).optional(),
    reply: ProxyView,
    problems: credentialProblems,
  },
} as const satisfies Record<string, Route>;
