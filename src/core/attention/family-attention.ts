import type { AttentionOf } from '../../contract/attention.ts';
import type { CredentialOutline } from '../../contract/credential-view.ts';
import { isoInstant } from '../iso-instant.ts';
import { unkeptFamilies } from '../lifeline/unkept-families.ts';
import type { State } from '../state.ts';
import { dayMs, statusAt } from '../token/token.ts';
import { endsSoon } from './ends-soon.ts';

/** A job that runs on weekdays uses its old token again on Monday at the latest. */
const stillUsedMs = 3 * dayMs;

/** Families of which a replaced token is still used, the latest use first. */
export function reusedFamilies(
  state: State,
  credentials: readonly CredentialOutline[],
  nowMs: number,
): AttentionOf<'reuse'>[] {
  const keepers = new Map(credentials.map(({ family_id, name }) => [family_id, name]));
  const items: AttentionOf<'reuse'>[] = [];
  for (const { id, configuration, lastReuse } of state.tokens.families()) {
    if (lastReuse === null || lastReuse.atMs <= nowMs - stillUsedMs) continue;
    items.push({
      kind: 'reuse',
      family_id: id,
      name: configuration.name,
      token_id: lastReuse.tokenId,
      at: isoInstant(lastReuse.atMs),
      address: lastReuse.address,
      user_agent: lastReuse.userAgent,
      credential: keepers.get(id) ?? null,
    });
  }
  return items.sort((a, b) => (a.at > b.at ? -1 : 1));
}

/** Active and Suspended tokens that nobody keeps fresh and that end soon, the next to end first. */
export function endingFamilies(state: State, nowMs: number): AttentionOf<'ends_unkept' | 'suspended_ends'>[] {
  const items: AttentionOf<'ends_unkept' | 'suspended_ends'>[] = [];
  for (const { family, newest } of unkeptFamilies(state)) {
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
