import type { AuditEvent, EventKind } from '../../contract/history/audit-event.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { instantMs } from '../iso-instant.ts';
import type { State } from '../state.ts';
import { unreachable } from '../unreachable.ts';
import { noteUses } from '../use/credential-use.ts';
import { requestUsers } from '../use/known-users.ts';
import { addedUse, neverUsed } from './proxy-state.ts';

export type ProxyEventKind = Extract<EventKind, `proxy.${string}`>;

/** Applies an event of the proxy; see `applyEvent`. */
export function applyProxyEvent(state: State, event: AuditEvent<ProxyEventKind>): void {
  switch (event.kind) {
    case 'proxy.rule_added': {
      const { data, at } = event;
      state.proxyRules.set(data.rule_id, {
        id: data.rule_id,
        credentialId: data.credential_id,
        method: data.method,
        path: data.path,
        app: data.app,
        isPrivateAllowed: data.private_network,
        isScrubbed: data.scrub ?? false,
        createdAtMs: instantMs(at),
      });
      return;
    }
    case 'proxy.rule_removed':
      state.proxyRules.delete(event.data.rule_id);
      return;
    case 'proxy.token_issued': {
      const { data, sealed, at } = event;
      state.appTokens.set(data.app_token_id, {
        id: data.app_token_id,
        credentialId: data.credential_id,
        app: data.app,
        digest: sealed.digest,
        createdAtMs: instantMs(at),
        expiresAtMs: instantMs(data.expires_at),
        limits: data.limits,
        use: neverUsed,
      });
      return;
    }
    case 'proxy.token_revoked':
      state.appTokens.delete(event.data.app_token_id);
      return;
    case 'proxy.used':
      noteUses(state, event.data.credential_id, requestUsers(event.data.uses));
      for (const use of event.data.uses) {
        const token = state.appTokens.get(use.token_id);
        // It was revoked while its last requests were answered.
        if (token === undefined) continue;
        state.appTokens.set(token.id, { ...token, use: addedUse(token.use, use) });
      }
      return;
    case 'proxy.token_reflected':
      return; // recorded for the history only
    default:
      unreachable(event);
  }
}

/** What a credential had goes with it. */
export function forgetProxyOf(state: State, id: CredentialId): void {
  for (const rule of [...state.proxyRules.values()])
    if (rule.credentialId === id) state.proxyRules.delete(rule.id);
  for (const token of [...state.appTokens.values()])
    if (token.credentialId === id) state.appTokens.delete(token.id);
}
