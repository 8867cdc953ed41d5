import type { CredentialId } from '../../contract/credential/credential.ts';
import type { ProxyUseSum } from '../../contract/credential/proxy.ts';
import type { HandoutSum, UseWay } from '../../contract/credential/use.ts';
import { instantMs } from '../iso-instant.ts';

export const hourMs = 3_600_000;
export const hoursOfWeek = 7 * 24;
/** How many programs and apps of one credential are known; the one that used it longest ago is dropped. */
const mostUsers = 100;

/** What is known of one program or app that uses a credential. */
export interface KnownUser {
  readonly way: UseWay;
  readonly name: string | null;
  readonly lastAtMs: number;
  /** Of the token that it used last. */
  readonly generation: number;
  /** The hours of the last week in which it used one, counted from 1970, each with the number of uses; the oldest first. */
  readonly hours: readonly (readonly [hour: number, count: number])[];
}

/** Who uses one credential, as of the last minute that was recorded. */
export interface KnownUsers {
  readonly id: CredentialId;
  readonly users: readonly KnownUser[];
}

export interface UserSum extends Pick<KnownUser, 'way' | 'name' | 'generation'> {
  readonly count: number;
  readonly last_at: string;
}

/** The requests in which a token was sent: by app. */
export function requestUsers(sums: readonly ProxyUseSum[]): UserSum[] {
  return sums.flatMap(({ app: name, generation, count, last_at }) =>
    generation === 0 ? [] : [{ way: 'proxy' as const, name, generation, count, last_at }],
  );
}

export function handoutUsers(sums: readonly HandoutSum[]): UserSum[] {
  return sums.map(({ program: name, ...sum }) => ({ ...sum, name }));
}

/** Adds what users did to what is known of them. The users keep no order. */
export function withUses(before: readonly KnownUser[], sums: readonly UserSum[]): readonly KnownUser[] {
  if (sums.length === 0) return before;
  const users = new Map(before.map((user) => [keyOf(user), user]));
  for (const sum of sums) users.set(keyOf(sum), withUse(users.get(keyOf(sum)), sum));
  const all = [...users.values()];
  return all.length <= mostUsers ? all : all.toSorted((a, b) => b.lastAtMs - a.lastAtMs).slice(0, mostUsers);
}

function withUse(
  before: KnownUser | undefined,
  { way, name, generation, count, last_at }: UserSum,
): KnownUser {
  const atMs = instantMs(last_at);
  const hour = Math.floor(atMs / hourMs);
  const hours = new Map(before?.hours);
  hours.set(hour, (hours.get(hour) ?? 0) + count);
  const newest = Math.max(...hours.keys());
  const kept = [...hours].filter(([one]) => one > newest - hoursOfWeek).toSorted(([a], [b]) => a - b);
  const isLast = before === undefined || atMs >= before.lastAtMs;
  return {
    way,
    name,
    lastAtMs: isLast ? atMs : before.lastAtMs,
    generation: isLast ? generation : before.generation,
    hours: kept,
  };
}

function keyOf({ way, name }: Pick<KnownUser, 'way' | 'name'>): string {
  return JSON.stringify([way, name]);
}
