import { eventsBehind, isMissing } from '../../contract/service/host-state.ts';
import type { TeamHost, TeamStatus } from '../../contract/service/team.ts';
import { countWords } from '../count.ts';
import { durationText } from '../time.ts';

/** What windows and commands say of the hosts of a team. */

/** How far a host is, or for how long nothing was heard of it. */
export function hostStateText(host: TeamHost, team: TeamStatus): string {
  if (isMissing(host)) return `not seen for ${missingText(host.seen_seconds_ago)}`;
  const behind = eventsBehind(host, team);
  return behind > 0 ? `${countWords(behind, 'event')} behind` : 'up to date';
}

function missingText(seconds: number): string {
  return seconds < 60 ? countWords(seconds, 'second') : durationText(seconds * 1000);
}

export const noSuccessorText =
  'There is no second host that could take over. Start Rotavox on another machine with the same database.';

/** The card of the overview. */
export const hostsCardText = {
  title: 'Hosts of the team',
  count: (count: number) => countWords(count, 'host'),
  leads: 'Leads',
  follows: (state: string) => `Follows, ${state}`,
  missing: (state: string) => `Missing, ${state}`,
  version: (version: string) => `version ${version}`,
} as const;
