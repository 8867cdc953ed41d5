import type { HostRole } from '../contract/team.ts';

/** What a host knows of its own part in a team. */
export interface HostFacts {
  readonly role: HostRole;
  /** Of a team: raised by each takeover. */
  readonly epoch?: number;
  /** Of a host that follows: how many events it has not replayed yet. */
  readonly lag?: number;
  /** Whether it can answer calls, or pass them on to a leader. */
  readonly isReady: boolean;
}

export type ReadHostFacts = () => HostFacts;

/** A host that is alone answers as long as it runs. */
export const singleHost: ReadHostFacts = () => ({ role: 'single', isReady: true });

/** The answer to `GET /v1/health`. */
export function healthOf(version: string, { role, epoch, lag }: HostFacts) {
  return {
    status: 'ok' as const,
    version,
    role,
    ...(epoch === undefined ? {} : { epoch }),
    ...(lag === undefined ? {} : { lag }),
  };
}
