import type { CredentialId } from '../../contract/credential/credential.ts';
import { refreshOnDemandMs } from '../../core/credential/attempt-rotation.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import { credentialNamed } from '../../core/credential/find-credential.ts';
import type { ServicePace } from '../loop/service-pace.ts';
import type { Records, Reports, Rotate } from '../ports.ts';
import { lockKeyOf, runExclusive } from '../run-exclusive.ts';

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
