import { originOf } from '../../contract/address.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { refreshOnDemandMs } from '../../core/credential/attempt-rotation.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import { credentialNamed, findCredential } from '../../core/credential/find-credential.ts';
import { done, refused } from '../../core/result.ts';
import { waitOf } from '../../core/rotation/retry-at.ts';
import { isAssisted, tokenPageIfAssisted } from '../../providers/catalogue.ts';
import type { ServicePace } from '../loop/service-pace.ts';
import type { CredentialPorts, Records, Reports, Rotate } from '../ports.ts';
import type { AttemptMemory } from '../rotation/attempt-memory.ts';
import { lockKeyOf, runExclusive } from '../run-exclusive.ts';
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

/** How long a program that needs a token waits for a refresh, in milliseconds. */
const patienceMs = 15_000;

interface RefreshPorts extends Records, Pick<Reports, 'onFailure'> {
  readonly pace: Pick<ServicePace, 'holdOf'>;
  readonly rotate: Rotate;
}

/**
 * Replaces an access token that has ended, if a refresh can do that now, and waits for it. Programs that ask at the same time
 * share one refresh: each checks again when it is its turn. Null when there is nothing to wait for, so that who asks keeps its
 * turn.
 */
export function refreshOnDemand(ports: RefreshPorts, name: string): Promise<void> | null {
  const { ledger, clock, movedFrom, pace, rotate, onFailure } = ports;
  const ended = (): CredentialId | null => {
    const credential = credentialNamed(ledger.state, name);
    if (credential === undefined || movedFrom() !== null) return null;
    if (pace.holdOf(credential) !== null) return null;
    const nowMs = clock();
    const fromMs = refreshOnDemandMs(deriveCredential(ledger.state, credential, nowMs), nowMs);
    return fromMs !== null && fromMs <= nowMs ? credential.id : null;
  };
  const id = ended();
  if (id === null) return null;
  const refresh = runExclusive(lockKeyOf(id), async () => {
    if (ended() !== null) await rotate(id, 'needed');
  }).catch(onFailure);
  return withPatience(refresh);
}

async function withPatience(work: Promise<void>): Promise<void> {
  let patience: NodeJS.Timeout | undefined;
  const isOver = new Promise<void>((resolve) => {
    patience = setTimeout(resolve, patienceMs);
  });
  await Promise.race([work, isOver]);
  clearTimeout(patience);
}
