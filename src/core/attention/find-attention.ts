/**
 * Attention: what needs the owner now, as facts. The overview says them in words with a button each, and the lifeline
 * puts the same ones first, so that the two never differ. Start reading here.
 */
import type { Attention, AttentionList } from '../../contract/attention.ts';
import type { CredentialOutline, VaultStatus } from '../../contract/credential-view.ts';
import type { StoreHealth } from '../../contract/portal.ts';
import { outlineCredentials } from '../credential/list-credentials.ts';
import type { ViewContext } from '../credential/view-credential.ts';
import type { State } from '../state.ts';
import { credentialAttention, vaultAttention } from './credential-attention.ts';
import { endingFamilies, reusedFamilies } from './family-attention.ts';

/** What is not in the state. */
export interface Surroundings {
  readonly vault: VaultStatus;
  readonly store: StoreHealth;
  /** What the store had to mend when it opened. */
  readonly repairs: readonly string[];
}

/** More than this many nobody reads: the list says how many there are. */
const maxItems = 100;

/** Everything that needs the owner at an instant, the most pressing first, and what happens next by itself. */
export function listAttention(state: State, surroundings: Surroundings, context: ViewContext): AttentionList {
  const credentials = outlineCredentials(state, context);
  const items = [
    ...storeAttention(surroundings),
    ...findAttention(state, credentials, surroundings.vault, context.nowMs),
    ...surroundings.repairs.map((message) => ({ kind: 'journal_repaired' as const, message })),
  ];
  return {
    items: items.slice(0, maxItems),
    left_out: Math.max(items.length - maxItems, 0),
    next_rotation: nextRotation(credentials),
  };
}

/** What is about credentials and tokens. */
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
  ];
}

function storeAttention({ store }: Surroundings): Attention[] {
  if (store.status === 'ok') return [];
  const { code, reason, since } = store;
  return [{ kind: 'store_refusing', code, message: reason, since }];
}

function nextRotation(credentials: readonly CredentialOutline[]): AttentionList['next_rotation'] {
  let next: AttentionList['next_rotation'] = null;
  for (const { name, next_rotation_at: at } of credentials) {
    if (at !== null && (next === null || at < next.at)) next = { name, at };
  }
  return next;
}
