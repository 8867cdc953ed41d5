import { originOf } from '../../contract/address.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { isUpToPerson } from '../../core/credential/attempt-rotation.ts';
import type { RetiringToken } from '../../core/credential/credential-state.ts';
import { deriveCredential, type DerivedCredential } from '../../core/credential/derive-credential.ts';
import { findRetirable, recordRetirement, type RetireResult } from '../../core/credential/retirement.ts';
import { done, type Result } from '../../core/result.ts';
import { invariant } from '../../core/unreachable.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import type { AgentText } from '../agent-text.ts';
import type { CredentialPorts, Reports } from '../ports.ts';
import { endToken, failed, type FailedRotation, type TokenToEnd } from '../../providers/provider-port.ts';
import { callLimitMs } from '../../providers/http/service-caller.ts';
import { inspectLimitMs } from './learn-lifetime.ts';
import { forgetRetiring, retiringEntry } from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';

interface RetirementPorts extends CredentialPorts, Reports {
  /** Aborted when the program stops. */
  readonly stopping: AbortSignal;
}

/**
 * Deletes one old token of a credential whose time has come, at its service, and records what became of it.
 *
 * Exclusive for the credential; the caller ensures that. The current token is asked about first: while the service refuses
 * it or does not answer, the old one may be the last that works, and stays.
 */
export async function retireToken(ports: RetirementPorts, id: CredentialId): Promise<void> {
  const { ledger, clock, vault, movedFrom, stopping, services, text, onFailure } = ports;
  const record = ledger.state.credentials.get(id);
  if (record === undefined || movedFrom() !== null) return;
  const credential = deriveCredential(ledger.state, record, clock());
  const old = findRetirable(credential, clock());
  if (old === null) return;
  const ended = await endOld(ports, credential, old).catch((error: unknown) => {
    if (error instanceof VaultUnavailable) return failed({ code: 'vault', problem: error.problem });
    onFailure(error);
    return failed({ code: 'internal' });
  });
  // Our own stop is no answer of the service: the next start asks again.
  if (!ended.ok && stopping.aborted) return;
  const { generation } = old;
  const result = resultOf(ended, text);
  await ledger.transact((state, nowMs) => recordRetirement(state, id, { generation, result }, nowMs));
  // After the record: a crash before it would leave a token that nobody can revoke.
  const isEndedByValue = services.providerOf(credential).endsBy.includes('value');
  if (result.ok && isEndedByValue) await forgetRetiring(vault, record.name, [generation]);
}

type OldEnd = Extract<RetireResult, { ok: true }>['how'];

function resultOf(ended: Result<OldEnd, FailedRotation>, text: AgentText): RetireResult {
  if (ended.ok) return { ok: true, how: ended.value };
  const { kind, trouble, retryAfterMs } = ended.refusal;
  return { ok: false, message: text.rotationTrouble(trouble), retry: !isUpToPerson(kind), retryAfterMs };
}

async function endOld(
  ports: CredentialPorts,
  credential: DerivedCredential,
  { upstreamId, lifetime, generation, fingerprint }: RetiringToken,
): Promise<Result<OldEnd, FailedRotation>> {
  const { services, clock, vault, fingerprints } = ports;
  const { name } = credential;
  if (lifetime.expiresAtMs <= clock()) return done('expired');
  const provider = services.providerOf(credential);
  const token = await readCurrentToken(ports, credential);
  if (token === null) return failed({ code: 'value_missing', name, isAnother: false });
  const timeLimitMs = callLimitMs(lifetime.expiresAtMs - clock(), inspectLimitMs);
  const held = services.held(credential, token, timeLimitMs);
  const service = originOf(held.baseUrl);
  const isByValue = provider.endsBy.includes('value');
  const byValue = isByValue ? await vault.read(retiringEntry(name, generation)) : null;
  if (isByValue) {
    const isOld = byValue !== null && (await fingerprints.compare(byValue, fingerprint)) === 'same';
    if (!isOld) return failed({ code: 'value_missing', name, isAnother: byValue !== null });
  }
  const which = tokenToEnd(byValue, upstreamId);
  if (which === null || !provider.endsBy.includes(which.by)) return failed({ code: 'id_unknown', service });
  // Whatever the record says, the current token is never ended.
  invariant(byValue !== token, 'an old token is another one than the current token');
  const { reply } = await provider.inspect(held);
  if (reply.kind === 'refused') return failed({ code: 'refused', service, said: reply.said });
  if (reply.kind === 'unreachable') {
    const { failure } = reply;
    return failed(
      failure.code === 'answered'
        ? { code: 'service_failed', service, status: failure.status, said: null }
        : { code: 'call_failed', service, failure },
    );
  }
  // Two credentials may create each other's tokens: neither waits for the other while it is locked itself.
  const ended = await endToken(provider, held, which);
  if (ended === null) return failed({ code: 'id_unknown', service });
  if (!ended.ok) return ended;
  return done(ended.value === 'already_gone' ? 'already_gone' : 'deleted');
}

/** Which old token is ended: by its value where that is stored, otherwise by its id; null: neither is known. */
export function tokenToEnd(value: string | null, id: string | null): TokenToEnd | null {
  if (value !== null) return { by: 'value', value };
  return id === null ? null : { by: 'id', id };
}
