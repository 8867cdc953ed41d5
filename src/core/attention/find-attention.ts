/**
 * Attention: what the owner has to act on now, as codes and parameters. `text` makes the sentences.
 *
 * The overview and the lifeline use the same list, so that they never differ. Start reading here.
 */
import type { Attention, AttentionList, AttentionOf } from '../../contract/window/attention.ts';
import type { PbxView } from '../../contract/calls/pbx.ts';
import { hasSuccessor, isMissing } from '../../contract/service/host-state.ts';
import type { MovedFrom } from '../../contract/service/moved-from.ts';
import type { TeamStatus } from '../../contract/service/team.ts';
import {
  type CredentialOutline,
  isDue,
  type VaultStatus,
} from '../../contract/credential/credential-view.ts';
import type { StoreHealth } from '../../contract/service/portal.ts';
import { outlineCredentials } from '../credential/find-credential.ts';
import type { ViewContext } from '../credential/view-credential.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { instantMs, isoInstant } from '../iso-instant.ts';
import { isTooWide, limitsOf, narrowedRules } from '../proxy/rule-limits.ts';
import { lastReuse, viewReuses } from '../token/reuse.ts';
import { unrotatedFamilies } from '../token/view-token.ts';
import type { State } from '../state.ts';
import { dayMs, statusAt, type Token } from '../token/token-record.ts';
import { unreachable } from '../unreachable.ts';
import { credentialAttention, vaultAttention } from './credential-attention.ts';

/** Inputs that are not part of the state. */
export interface ReferenceData {
  readonly vault: VaultStatus;
  readonly store: StoreHealth;
  readonly pbxs: readonly PbxView[];
  /** What the store repaired when it opened. */
  readonly repairs: readonly string[];
  /** Where the data may also be in use, so that nothing is rotated; null: nowhere else. */
  readonly movedFrom: MovedFrom | null;
  /** Null for a host that is alone. */
  readonly team: TeamStatus | null;
}

/** The most items that are listed; the rest is only counted. */
const maxItems = 100;

/**
 * Everything that needs the owner's attention at an instant, the most urgent first, and what happens next
 * automatically.
 */
export function listAttention(
  state: State,
  referenceData: ReferenceData,
  context: ViewContext,
): AttentionList {
  const credentials = outlineCredentials(state, context);
  const items = [
    ...storeAttention(referenceData),
    ...movedAttention(referenceData.movedFrom, credentials, context.nowMs),
    ...teamAttention(referenceData.team, context.nowMs),
    ...pbxAttention(referenceData.pbxs, context.nowMs),
    ...findAttention(state, credentials, referenceData.vault, context.nowMs),
    ...referenceData.repairs.map((message) => ({ kind: 'journal_repaired' as const, message })),
  ];
  return {
    items: items.slice(0, maxItems),
    left_out: Math.max(items.length - maxItems, 0),
    next_rotation: referenceData.movedFrom === null ? nextRotation(credentials) : null,
  };
}

/** The items about credentials and tokens. */
export function findAttention(
  state: State,
  credentials: readonly CredentialOutline[],
  vault: VaultStatus,
  nowMs: number,
): Attention[] {
  return [
    ...vaultAttention(credentials, vault),
    ...credentialAttention(credentials, vault, nowMs),
    ...reusedFamilies(state, credentials, nowMs),
    ...endingFamilies(state, nowMs),
    ...wideRules(state),
  ];
}

function storeAttention({ store }: ReferenceData): Attention[] {
  if (store.status === 'ok') return [];
  const { code, reason, since } = store;
  return [{ kind: 'store_refusing', code, message: reason, since }];
}

/**
 * Nothing is rotated until that is confirmed. The credentials that are due are named, because their time runs out; the first to expire
 * first.
 */
function movedAttention(
  from: MovedFrom | null,
  credentials: readonly CredentialOutline[],
  nowMs: number,
): Attention[] {
  if (from === null) return [];
  const waiting = waitingForMove(credentials, nowMs)
    .map(({ name, expires_at }) => ({ name, expires_at }))
    .sort((a, b) => (a.expires_at < b.expires_at ? -1 : 1));
  return [{ kind: 'moved', from, waiting }];
}

/** The credentials that would be rotated now, if it were confirmed that the data are used here only. */
export function waitingForMove(
  credentials: readonly CredentialOutline[],
  nowMs: number,
): CredentialOutline[] {
  return credentials.filter((one) => isDue(one, nowMs));
}

function teamAttention(team: TeamStatus | null, nowMs: number): Attention[] {
  if (team === null) return [];
  return team.hosts.filter(isMissing).map(({ id, name, address, seen_seconds_ago: seconds }) => ({
    kind: 'host_missing',
    id,
    name,
    address,
    since: isoInstant(nowMs - seconds * 1000),
    has_successor: hasSuccessor(team),
  }));
}

/** A connection that is made again within this time was not worth a word. */
const reconnectMs = 10_000;

function pbxAttention(pbxs: readonly PbxView[], nowMs: number): Attention[] {
  return pbxs.flatMap(({ name, state }): Attention[] => {
    if (state.status !== 'unreachable') return [];
    const { since, trouble, next_try_at } = state;
    if (next_try_at !== null && nowMs - instantMs(since) < reconnectMs) return [];
    return [{ kind: 'pbx_unreachable', name, pbx_trouble: trouble, since, next_try_at }];
  });
}

function nextRotation(credentials: readonly CredentialOutline[]): AttentionList['next_rotation'] {
  let next: AttentionList['next_rotation'] = null;
  for (const { name, next_rotation_at: at } of credentials) {
    if (at !== null && (next === null || at < next.at)) next = { name, at };
  }
  return next;
}

/** An app that rotates its token does so well before this share of the lifetime is left. */
const lateShare = 0.1;
/** A token that was never rotated is reported a day before it expires, or in the second half of a shorter lifetime. */
const noticeMs = dayMs;
const noticeShare = 0.5;

/**
 * Whether a token that no credential rotates expires soon enough to be reported.
 *
 * With a tenth of its lifetime left, or a day before it expires. A token that an app has rotated before is late only in
 * that last tenth.
 */
function endsSoon({ generation, createdAtMs, expiresAtMs }: Token, nowMs: number): boolean {
  const lifetimeMs = expiresAtMs - createdAtMs;
  const leftMs = expiresAtMs - nowMs;
  const lateMs = lifetimeMs * lateShare;
  return leftMs <= (generation > 1 ? lateMs : Math.max(lateMs, Math.min(noticeMs, lifetimeMs * noticeShare)));
}

/** A job that runs on weekdays uses its previous token again on Monday at the latest. */
const stillUsedMs = 3 * dayMs;

/** Families of which a superseded token is still used, the latest use first. */
function reusedFamilies(
  state: State,
  credentials: readonly CredentialOutline[],
  nowMs: number,
): AttentionOf<'reuse'>[] {
  const keepers = new Map(credentials.map(({ family_id, name }) => [family_id, name]));
  const items: AttentionOf<'reuse'>[] = [];
  for (const family of state.tokens.families()) {
    const { id, configuration } = family;
    const last = lastReuse(family);
    if (last === null || last.atMs <= nowMs - stillUsedMs) continue;
    items.push({
      kind: 'reuse',
      family_id: id,
      name: configuration.name,
      token_id: last.tokenId,
      at: isoInstant(last.atMs),
      address: last.address,
      user_agent: last.userAgent,
      uses: viewReuses(state, family),
      credential: keepers.get(id) ?? null,
    });
  }
  return items.sort((a, b) => (a.at > b.at ? -1 : 1));
}

/** Active and Suspended tokens that no credential rotates and that expire soon, the next to expire first. */
function endingFamilies(state: State, nowMs: number): AttentionOf<'ends_unkept' | 'suspended_ends'>[] {
  const items: AttentionOf<'ends_unkept' | 'suspended_ends'>[] = [];
  for (const { family, newest } of unrotatedFamilies(state)) {
    const status = statusAt(newest, nowMs);
    if ((status !== 'Active' && status !== 'Suspended') || !endsSoon(newest, nowMs)) continue;
    const { name, validity_days } = family.configuration;
    const parts = {
      family_id: family.id,
      token_id: newest.id,
      name,
      expires_at: isoInstant(newest.expiresAtMs),
    };
    items.push(
      status === 'Active'
        ? { kind: 'ends_unkept', ...parts, validity_days, rotations: newest.generation - 1 }
        : { kind: 'suspended_ends', ...parts, reason: newest.reason },
    );
  }
  return items.sort((a, b) => (a.expires_at < b.expires_at ? -1 : 1));
}

/** Credentials that have rules of the proxy from before that are too wide. */
function wideRules(state: State): AttentionOf<'wide_rules'>[] {
  const found = new Map<CredentialId, AttentionOf<'wide_rules'>>();
  for (const { id, credentialId, method, path } of state.proxyRules.values()) {
    const credential = state.credentials.get(credentialId);
    if (credential === undefined) continue;
    const limits = limitsOf(credential);
    if (!isTooWide({ method, path }, limits)) continue;
    const item = found.get(credentialId) ?? { kind: 'wide_rules', name: credential.name, rules: [] };
    item.rules.push({ id, method, path, becomes: narrowedRules({ method, path }, limits) });
    found.set(credentialId, item);
  }
  return [...found.values()];
}

/** The credentials and token families that the items are about. */
export interface AttentionSubjects {
  /** Names. */
  readonly credentials: ReadonlySet<string>;
  /** Ids. */
  readonly families: ReadonlySet<string>;
}

export function attentionSubjects(items: readonly Attention[]): AttentionSubjects {
  const credentials = new Set<string>();
  const families = new Set<string>();
  for (const item of items) {
    switch (item.kind) {
      case 'credential':
      case 'paused_ends':
      case 'reminder':
      case 'delivery':
      case 'retirement':
      case 'wide_rules':
        credentials.add(item.name);
        break;
      case 'failing':
        for (const { name } of item.credentials) credentials.add(name);
        break;
      case 'vault':
      case 'moved':
        for (const { name } of item.waiting) credentials.add(name);
        break;
      case 'reuse':
        if (item.credential !== null) credentials.add(item.credential);
        families.add(item.family_id);
        break;
      case 'ends_unkept':
      case 'suspended_ends':
        families.add(item.family_id);
        break;
      case 'store_refusing':
      case 'host_missing':
      case 'journal_repaired':
      case 'pbx_unreachable':
        break; // about all credentials, or none
      default:
        unreachable(item);
    }
  }
  return { credentials, families };
}
