/*
 * How the hosts of a team are. Without schemas: the first window loads this.
 */
import type { TeamHost, TeamStatus } from './team.ts';

/**
 * A host that has not reported for this long is missing: it has failed, or cannot reach the database, in seconds.
 *
 * Hosts report once a second, and keep the lead for three: one that is only slow is not missing.
 */
const missingSeconds = 10;

export function isMissing({ role, seen_seconds_ago: seconds }: TeamHost): boolean {
  return role !== 'leader' && seconds >= missingSeconds;
}

/** Whether another host could take over from the one that leads. */
export function hasSuccessor({ hosts }: TeamStatus): boolean {
  return hosts.some((host) => host.role !== 'leader' && !isMissing(host));
}

/** How many events a host has not replayed yet, at most: it may have replayed more since it reported. */
export function eventsBehind({ last_seq: seq }: TeamHost, { hosts }: TeamStatus): number {
  return Math.max(...hosts.map(({ last_seq: other }) => other)) - seq;
}
