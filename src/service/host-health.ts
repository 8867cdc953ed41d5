import { createHmac } from 'node:crypto';
import { provedText } from '../contract/service/own-call.ts';
import type { HostRole } from '../contract/service/team.ts';

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

/** Whoever asks for a proof, and what only this service has. */
export interface HealthChallenge {
  readonly challenge: string;
  readonly key: string;
  readonly baseUrl: string;
}

/** The answer to `GET /v1/health`. */
export function healthOf(
  version: string,
  { role, epoch, lag }: HostFacts,
  asked: HealthChallenge | null = null,
) {
  return {
    status: 'ok' as const,
    version,
    role,
    ...(epoch === undefined ? {} : { epoch }),
    ...(lag === undefined ? {} : { lag }),
    ...(asked === null ? {} : { proof: proofOf(asked) }),
  };
}

function proofOf({ challenge, key, baseUrl }: HealthChallenge): string {
  return createHmac('sha256', key).update(provedText(baseUrl, challenge)).digest('hex');
}
