import type { CredentialId, DeliveryTarget, TargetId } from '../../contract/credential/credential.ts';
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import { runKeyOf, waitsFor } from '../../core/credential/next-action.ts';
import { recordDelivery } from '../../core/credential/record-delivery.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import type { CredentialPorts, Reports } from '../ports.ts';
import { deliver } from './deliver.ts';
import { partsOf, type SecretParts } from '../../providers/provider-port.ts';
import { lockKeyOf, runExclusive } from '../run-exclusive.ts';
import type { DeliveryOutcome } from './delivery-outcome.ts';
import type { OwnPlaces } from './own-places.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';

export interface DeliveryPorts extends CredentialPorts, Reports {
  readonly ownPlaces: OwnPlaces;
  /** Aborted when the program stops. */
  readonly stopping: AbortSignal;
}

/** Delivers the current token to one target and records the receipt, or why there is none. */
export async function deliverToken(
  ports: DeliveryPorts,
  id: CredentialId,
  targetId: TargetId,
): Promise<void> {
  const { ledger, vault, movedFrom, ownPlaces, stopping, steps, text } = ports;
  const credential = ledger.state.credentials.get(id);
  const target = credential?.targets.find((one) => one.id === targetId)?.target;
  if (credential === undefined || target === undefined || movedFrom() !== null) return;
  // A person may ask for it, and it waits all the same.
  if (waitsFor(credential, { id: targetId, target }).length > 0) return;

  // Exclusive, so that it never reads a token that is not recorded yet.
  const read = await runExclusive(lockKeyOf(id), () => readCurrent(ports, id, target));
  if (read === null) return;
  const { name } = credential;
  const { generation } = read;
  const of = { id, name, targetId };
  steps.tell(of, 'deliver');
  const attempt = async (): Promise<DeliveryOutcome> => {
    if ('problem' in read) return { ok: false, problem: read.problem, retry: true };
    if (isRunByOther(ledger.state.credentials.get(id), { id: targetId, target }, generation)) {
      return { ok: true, note: null };
    }
    const { token, masked } = read;
    const around = { credential: name, generation, masked, vault, ownPlaces, signal: stopping };
    return deliver(target, token, around).catch((error: unknown) => ({
      ok: false,
      problem: problemOf(ports, error),
      retry: true,
    }));
  };
  await steps.tellEnd(of, async () => {
    const outcome = await attempt();
    // The next start delivers it at once, as after a kill.
    if (!outcome.ok && stopping.aborted) return text.deliveryProblem(outcome.problem);
    const result = outcome.ok ? outcome : { ...outcome, message: text.deliveryProblem(outcome.problem) };
    await ledger.transact((state, nowMs) =>
      recordDelivery(state, { credentialId: id, targetId, generation, result }, nowMs),
    );
    return result.ok ? null : result.message;
  });
}

/** Whether another target with the same command has run it for this token; never where a person asks to run it again. */
function isRunByOther(
  credential: Credential | undefined,
  { id, target }: { readonly id: TargetId; readonly target: DeliveryTarget },
  generation: number,
): boolean {
  if (credential === undefined || target.kind !== 'hook') return false;
  const mine = credential.targets.find((one) => one.id === id);
  if (mine === undefined || mine.generation >= generation) return false;
  return credential.targets.some(
    (other) =>
      other.id !== id &&
      other.target.kind === 'hook' &&
      runKeyOf(other.target) === runKeyOf(target) &&
      other.generation >= generation &&
      other.failure === null,
  );
}

type Read =
  | { readonly generation: number; readonly token: string; readonly masked: readonly string[] }
  | { readonly generation: number; readonly problem: DeliveryProblem };

/** Null when the credential was removed, or when its token is known not to work any more. */
async function readCurrent(
  ports: DeliveryPorts,
  id: CredentialId,
  target: DeliveryTarget,
): Promise<Read | null> {
  const { ledger, clock, services } = ports;
  const credential = ledger.state.credentials.get(id);
  if (credential === undefined) return null;
  if (deriveCredential(ledger.state, credential, clock()).unusable !== null) return null;
  const { name, generation } = credential;
  try {
    const secret = await readCurrentToken(ports, credential);
    const inSecret = secret === null ? null : partsOf(services.providerOf(credential), secret);
    const token = inSecret === null ? null : deliveredPart(inSecret, target);
    return inSecret === null || token === null
      ? { generation, problem: { code: 'no_current_token', name } }
      : { generation, token, masked: inSecret.masked };
  } catch (error) {
    return { generation, problem: problemOf(ports, error) };
  }
}

/** What a target gets; null where the secret has no such part. */
export function deliveredPart(
  { accessToken, refreshToken }: SecretParts,
  { part = 'access_token' }: Pick<DeliveryTarget, 'part'>,
): string | null {
  if (part === 'refresh_token') return refreshToken;
  if (part === 'access_token' || accessToken === null) return accessToken;
  return JSON.stringify({ access_token: accessToken, refresh_token: refreshToken });
}

/** A bug of ours is also recorded as a failure, because otherwise the target would keep an old token unnoticed. */
function problemOf({ onFailure }: Pick<Reports, 'onFailure'>, error: unknown): DeliveryProblem {
  if (error instanceof VaultUnavailable) return { code: 'vault', problem: error.problem };
  onFailure(error);
  return { code: 'internal' };
}
