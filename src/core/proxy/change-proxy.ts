import type { CredentialId } from '../../contract/credential/credential.ts';
import {
  type AddProxyRule,
  type AppTokenId,
  defaultAppLimits,
  type IssueAppToken,
  type ProxyRuleId,
} from '../../contract/credential/proxy.ts';
import type { Credential } from '../credential/credential-state.ts';
import type { CredentialRefusal } from '../credential/find-credential.ts';
import { findCredential } from '../credential/find-credential.ts';
import { isoInstant } from '../iso-instant.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import { dayMs } from '../token/token-record.ts';
import type { AppToken } from './proxy-state.ts';
import { limitsOf, spelledRights, wideness } from './rule-limits.ts';

type Changed<T> = Decision<Result<T, CredentialRefusal>>;

const mostRules = 100;
const mostTokens = 50;
/** How long an expired app token is still shown. */
const expiredShownMs = 7 * dayMs;

/** Why a rule may not be added to a credential as it is wanted; null: it may. */
export function ruleRefusal(
  credential: Pick<Credential, 'name' | 'provider' | 'baseUrl'>,
  wanted: AddProxyRule,
): CredentialRefusal | null {
  if (wideness(wanted, limitsOf(credential)) !== 'too_wide') return null;
  const { name } = credential;
  const isOfSecrets = limitsOf(credential).secretFolders !== null;
  return { problem: 'conflict', reason: { code: 'rule_too_wide', name, path: wanted.path, isOfSecrets } };
}

/** Allows something for a credential. The same rule twice is one. */
export function addRule(
  state: State,
  name: string,
  { id, wanted }: { readonly id: ProxyRuleId; readonly wanted: AddProxyRule },
): Changed<CredentialId> {
  const found = findCredential(state, name);
  if (!found.ok) return { events: [], value: found };
  const credentialId = found.value.id;
  const refusal = ruleRefusal(found.value, wanted);
  if (refusal !== null) return { events: [], value: refused(refusal) };
  const rights = spelledRights(wanted, limitsOf(found.value));
  if (rights.length > 0 && wanted.confirmed !== true) {
    const reason = { code: 'rule_names_rights', path: wanted.path, parts: rights } as const;
    return { events: [], value: refused({ problem: 'conflict', reason }) };
  }
  const rules = rulesOf(state, credentialId);
  const { method, path, app, private_network, scrub = false } = wanted;
  const exists = rules.some(
    (one) =>
      one.method === method &&
      one.path === path &&
      one.app === app &&
      one.isPrivateAllowed === private_network &&
      one.isScrubbed === scrub,
  );
  if (exists) return { events: [], value: done(credentialId) };
  if (rules.length >= mostRules) {
    return { events: [], value: refused(tooMany('too_many_rules', name, mostRules)) };
  }
  const data = {
    rule_id: id,
    credential_id: credentialId,
    method,
    path,
    app,
    private_network,
    ...(scrub ? { scrub } : {}),
  };
  return {
    events: [{ kind: 'proxy.rule_added', subject: credentialId, actor: { kind: 'owner' }, data }],
    value: done(credentialId),
  };
}

export function removeRule(state: State, id: string): Changed<CredentialId> {
  const rule = state.proxyRules.get(id as ProxyRuleId);
  if (rule === undefined) return { events: [], value: refused(noSuch('no_proxy_rule', id)) };
  const { credentialId, method, path } = rule;
  const data = { rule_id: rule.id, credential_id: credentialId, method, path };
  return {
    events: [{ kind: 'proxy.rule_removed', subject: credentialId, actor: { kind: 'owner' }, data }],
    value: done(credentialId),
  };
}

/** Issues a token to an app. Its expired ones are removed, and so are those that expired long ago. */
export function issueAppToken(
  state: State,
  name: string,
  {
    id,
    digest,
    wanted,
  }: { readonly id: AppTokenId; readonly digest: string; readonly wanted: IssueAppToken },
  nowMs: number,
): Changed<{ readonly expiresAtMs: number }> {
  const found = findCredential(state, name);
  if (!found.ok) return { events: [], value: found };
  const credentialId = found.value.id;
  const [gone, kept] = [[] as AppToken[], [] as AppToken[]];
  for (const token of tokensOf(state, credentialId)) {
    const isOver = token.app === wanted.app ? nowMs : nowMs - expiredShownMs;
    (token.expiresAtMs <= isOver ? gone : kept).push(token);
  }
  if (kept.length >= mostTokens) {
    return { events: [], value: refused(tooMany('too_many_app_tokens', name, mostTokens)) };
  }
  const expiresAtMs = nowMs + wanted.expires_in * 1000;
  const { at_once, per_minute, bytes_per_minute } = wanted.limits;
  const limits = {
    at_once: at_once ?? defaultAppLimits.at_once,
    per_minute: per_minute ?? defaultAppLimits.per_minute,
    bytes_per_minute: bytes_per_minute ?? defaultAppLimits.bytes_per_minute,
  };
  const expires_at = isoInstant(expiresAtMs);
  return {
    events: [
      ...gone.map((token) => revoked(token, 'system')),
      {
        kind: 'proxy.token_issued',
        subject: credentialId,
        actor: { kind: 'owner' },
        data: { app_token_id: id, credential_id: credentialId, app: wanted.app, expires_at, limits },
        sealed: { digest },
      },
    ],
    value: done({ expiresAtMs }),
  };
}

export function revokeAppToken(state: State, id: string): Changed<CredentialId> {
  const token = state.appTokens.get(id as AppTokenId);
  if (token === undefined) return { events: [], value: refused(noSuch('no_app_token', id)) };
  return { events: [revoked(token, 'owner')], value: done(token.credentialId) };
}

function revoked({ id, credentialId, app }: AppToken, by: 'owner' | 'system') {
  return {
    kind: 'proxy.token_revoked',
    subject: credentialId,
    actor: { kind: by },
    data: { app_token_id: id, credential_id: credentialId, app },
  } as const;
}

export function rulesOf({ proxyRules }: State, id: CredentialId) {
  return [...proxyRules.values()].filter(({ credentialId }) => credentialId === id);
}

export function tokensOf({ appTokens }: State, id: CredentialId) {
  return [...appTokens.values()].filter(({ credentialId }) => credentialId === id);
}

function tooMany(
  code: 'too_many_rules' | 'too_many_app_tokens',
  name: string,
  limit: number,
): CredentialRefusal {
  return { problem: 'conflict', reason: { code, name, limit } };
}

const longestId = 40;

function noSuch(code: 'no_proxy_rule' | 'no_app_token', id: string): CredentialRefusal {
  return { problem: 'not_found', reason: { code, id: id.slice(0, longestId) } };
}
