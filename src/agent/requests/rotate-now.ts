import { originOf } from '../../contract/address.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';

import { findCredential } from '../../core/credential/find-credential.ts';
import { done, refused } from '../../core/result.ts';
import { waitOf } from '../../core/rotation/retry-at.ts';
import { isAssisted, tokenPageIfAssisted } from '../../providers/catalogue.ts';
import type { ServicePace } from '../loop/service-pace.ts';
import type { CredentialPorts, Rotate } from '../ports.ts';
import type { AttemptMemory } from '../rotation/attempt-memory.ts';
import { type Answer, answerFor, inTurnOf } from './answer-for.ts';

interface RotateNowPorts extends Pick<
  CredentialPorts,
  'ledger' | 'clock' | 'zone' | 'movedFrom' | 'services'
> {
  readonly memory: Pick<AttemptMemory, 'underWay'>;
  readonly pace: Pick<ServicePace, 'holdOf'>;
  readonly rotate: Rotate;
}

/** Rotations that people have asked for. */
export class RequestedRotations {
  readonly #ports: RotateNowPorts;
  /** Those that are not over. */
  readonly #asked = new Map<CredentialId, Answer<CredentialId>>();

  constructor(ports: RotateNowPorts) {
    this.#ports = ports;
  }

  /** Makes one attempt now, whatever the plan says. A second request while one runs joins it: it wants a new token, and not two. */
  async rotateNow(name: string): Answer<CredentialId> {
    const { ledger, memory } = this.#ports;
    const found = findCredential(ledger.state, name);
    if (!found.ok) return found;
    const { id } = found.value;
    const asked = this.#asked.get(id);
    if (asked !== undefined) return asked;
    const running = memory.underWay.get(id);
    const rotating =
      running === undefined
        ? this.#rotate(name)
        : answerFor<CredentialId>(() => running.then(() => done(id)));
    this.#asked.set(id, rotating);
    try {
      return await rotating;
    } finally {
      this.#asked.delete(id);
    }
  }

  #rotate(name: string): Answer<CredentialId> {
    const { services, pace, rotate } = this.#ports;
    return inTurnOf(this.#ports, name, async ({ id, provider, baseUrl }) => {
      if (isAssisted(provider)) {
        const page = tokenPageIfAssisted(provider, baseUrl ?? '');
        return refused({ problem: 'conflict', reason: { code: 'person_creates', name, page } });
      }
      const hold = pace.holdOf({ baseUrl, provider });
      if (hold !== null) {
        const service = originOf(services.urlOf({ baseUrl }));
        const reason = { code: 'asked_to_wait', service, ...waitOf(hold) } as const;
        return refused({ problem: 'conflict', reason });
      }
      await rotate(id, 'owner');
      return done(id);
    });
  }
}
