import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CredentialId } from '../../contract/credential/credential.ts';
import {
  type AppTokenId,
  type ProxyRuleId,
  proxyPath,
  type ProxyView,
} from '../../contract/credential/proxy.ts';
import type { HistoryEvent } from '../../contract/history/audit-event.ts';
import { ProxyUseSum } from '../../contract/credential/proxy.ts';
import { readState } from '../../core/ledger.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import {
  addRule,
  issueAppToken,
  removeRule,
  revokeAppToken,
  ruleRefusal,
} from '../../core/proxy/change-proxy.ts';
import { limitsOf } from '../../core/proxy/rule-limits.ts';
import { tryRule, viewProxy } from '../../core/proxy/view-proxy.ts';
import type { Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { addRoute } from '../http/add-route.ts';
import { refuseCredential } from '../http/refuse.ts';
import { mintId, mintToken } from '../secrets/token-value.ts';
import type { ServiceContext } from '../service-context.ts';
import { findId, removedMeanwhile, showCredential } from './credential-handlers.ts';

/** How many requests a window shows one by one. */
const shownRecent = 100;

/** `/portal/proxy*` and `/portal/credentials/:name/proxy*`: what may be sent through the proxy, and by whom. */
export function addProxyRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { ledger, uses, proxyUses } = context;

  addRoute(app, context, 'listProxies', () =>
    readState(ledger, (state, nowMs) => {
      const ids = new Set<CredentialId>();
      for (const { credentialId } of state.proxyRules.values()) ids.add(credentialId);
      for (const { credentialId } of state.appTokens.values()) ids.add(credentialId);
      const credentials = [...state.credentials.values()]
        .filter(({ id }) => ids.has(id))
        .map((one) => view(state, one, nowMs))
        .toSorted((a, b) => (a.credential < b.credential ? -1 : 1));
      return { credentials };
    }),
  );

  addRoute(app, context, 'readProxy', async ({ params, reply }) =>
    show(await findId(ledger, params.name), reply),
  );

  addRoute(app, context, 'addProxyRule', async ({ params, body, reply }) => {
    const id = mintId('rule_') as ProxyRuleId;
    return show(await ledger.transact((state) => addRule(state, params.name, { id, wanted: body })), reply);
  });

  addRoute(app, context, 'tryProxyRule', async ({ params, body, reply }) => {
    const found = await findId(ledger, params.name);
    if (!found.ok) return refuseCredential(reply, found.refusal);
    const id = found.value;
    const before = ledger.state.credentials.get(id);
    const refusal = before === undefined ? removedMeanwhile : ruleRefusal(before, body);
    if (refusal !== null) return refuseCredential(reply, refusal);
    const from = context.clock() - dayMs;
    // Before the journal is read: what is written meanwhile would be counted twice, never lost.
    const pending = uses.record.pending(id).requests;
    const events = await ledger.history({ subject: id, kinds: ['proxy.used'], from, limit: mostMinutes });
    const sums = [...events.flatMap(sumsOf), ...pending];
    const credential = ledger.state.credentials.get(id);
    if (credential === undefined) return refuseCredential(reply, removedMeanwhile);
    return tryRule(body, sums, limitsOf(credential));
  });

  addRoute(app, context, 'removeProxyRule', async ({ params, reply }) =>
    show(await ledger.transact((state) => removeRule(state, params.id)), reply),
  );

  addRoute(app, context, 'issueAppToken', async ({ params, body, reply }) => {
    const { value, digest } = mintToken('app');
    const id = mintId('app_') as AppTokenId;
    const issued = await ledger.transact((state, nowMs) =>
      issueAppToken(state, params.name, { id, digest, wanted: body }, nowMs),
    );
    if (!issued.ok) return refuseCredential(reply, issued.refusal);
    void reply.header('cache-control', 'no-store');
    const expires_at = isoInstant(issued.value.expiresAtMs);
    const url = `${context.publicUrl()}${proxyPath(params.name)}`;
    return { id, app: body.app, url, token: value, expires_at };
  });

  addRoute(app, context, 'revokeAppToken', async ({ params, reply }) =>
    show(await ledger.transact((state) => revokeAppToken(state, params.id)), reply),
  );

  function show(
    outcome: Result<CredentialId, CredentialRefusal>,
    reply: FastifyReply,
  ): Promise<ProxyView | null> {
    return showCredential(reply, ledger, outcome, view);
  }

  function view(state: State, credential: Credential, nowMs: number): ProxyView {
    return viewProxy(state, credential, {
      nowMs,
      embeddedUrl: context.publicUrl(),
      running: (id) => proxyUses.limits.running(id),
      recent: uses.record.recentRequests(credential.id, shownRecent),
      pending: uses.record.pending(credential.id).requests,
    });
  }
}

/** One event a minute for 24 hours, and some more after a clock change. */
const mostMinutes = 2_000;

function sumsOf({ data }: HistoryEvent): readonly ProxyUseSum[] {
  const parsed = ProxyUseSum.array().safeParse(data['uses']);
  return parsed.success ? parsed.data : [];
}
