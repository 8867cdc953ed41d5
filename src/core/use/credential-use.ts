import type { CredentialId } from '../../contract/credential/credential.ts';
import type {
  CredentialUse,
  CredentialUser,
  HandoutSum,
  RunningCommand,
  RunningTool,
} from '../../contract/credential/use.ts';
import type { Credential } from '../credential/credential-state.ts';
import { instantMs, isoInstant } from '../iso-instant.ts';
import type { State } from '../state.ts';
import {
  handoutUsers,
  hourMs,
  hoursOfWeek,
  type KnownUser,
  requestUsers,
  type UserSum,
  withUses,
} from './known-users.ts';
import type { PendingUses } from './use-record.ts';

const hoursOfDay = 24;

/** Notes recorded uses; those of a credential that was removed meanwhile are in the history only. */
export function noteUses(state: State, id: CredentialId, sums: readonly UserSum[]): void {
  if (sums.length === 0 || !state.credentials.has(id)) return;
  state.knownUsers.set(id, { id, users: withUses(state.knownUsers.get(id)?.users ?? [], sums) });
}

/** Whether a program is known to have got this token: if so, only a count changes. */
export function isKnownUse(
  state: State,
  id: CredentialId,
  use: Pick<HandoutSum, 'way' | 'program' | 'generation'>,
): boolean {
  return (state.knownUsers.get(id)?.users ?? []).some(
    ({ way, name, generation }) => way === use.way && name === use.program && generation === use.generation,
  );
}

export interface UseContext {
  readonly nowMs: number;
  readonly pending: PendingUses;
  readonly running: readonly RunningCommand[];
  readonly tools: readonly RunningTool[];
}

/** Who uses a credential, as the owner sees it. */
export function viewUse(
  state: State,
  { id, name, generation, targets }: Credential,
  { nowMs, pending, running, tools }: UseContext,
): CredentialUse {
  const known = state.knownUsers.get(id)?.users ?? [];
  const users = withUses(known, [...requestUsers(pending.requests), ...handoutUsers(pending.handouts)]);
  return {
    credential: name,
    generation,
    users: users.toSorted((a, b) => b.lastAtMs - a.lastAtMs).map((user) => viewUser(user, nowMs)),
    running: running.toSorted((a, b) => instantMs(b.since) - instantMs(a.since)),
    tools: [...tools],
    deliveries: targets
      .flatMap((target) => (target.deliveredAtMs === null ? [] : [{ ...target, atMs: target.deliveredAtMs }]))
      .toSorted((a, b) => b.atMs - a.atMs)
      .map(({ id: target_id, target, generation: delivered, atMs }) => ({
        target_id,
        target,
        generation: delivered,
        delivered_at: isoInstant(atMs),
      })),
  };
}

function viewUser({ way, name, lastAtMs, generation, hours }: KnownUser, nowMs: number): CredentialUser {
  const nowHour = Math.floor(nowMs / hourMs);
  const since = (most: number): number =>
    hours.reduce((sum, [hour, count]) => (hour > nowHour - most ? sum + count : sum), 0);
  return {
    way,
    name,
    last_at: isoInstant(lastAtMs),
    generation,
    last_24h: since(hoursOfDay),
    last_7d: since(hoursOfWeek),
  };
}
