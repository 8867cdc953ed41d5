import { originOf } from '../../contract/address.ts';
import type { CredentialId } from '../../contract/credential.ts';
import { isUpToPerson } from '../../core/credential/attempt-rotation.ts';
import type { RetiringToken } from '../../core/credential/credential-state.ts';
import { deriveCredential, type DerivedCredential } from '../../core/credential/derive-credential.ts';
import { findRetirable, recordRetirement, type RetireResult } from '../../core/credential/retirement.ts';
import { invariant } from '../../core/unreachable.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import { type AgentParts, heldToken } from '../agent-parts.ts';
import { endToken, failedBy, type FailedRotation, type TokenToEnd } from '../../providers/provider-port.ts';
import { callLimitMs } from '../../providers/http/service-caller.ts';
import { inspectLimitMs } from './rotate-credential.ts';
import { forgetRetiring, retiringEntry } from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';

/**
 * Deletes one old token of a credential whose time has come, at its service, and records what became of it.
 *
 * Exclusive for the credential; the caller ensures that. The current token is asked about first: while the service refuses
 * it or does not answer, the old one may be the last that works, and stays.
 */
export async function retireToken(parts: AgentParts, id: CredentialId): Promise<void> {
  const { ledger, clock, vault } = parts;
  const record = ledger.state.credentials.get(id);
  if (record === undefined || parts.movedFrom() !== null) return;
  const credential = deriveCredential(ledger.state, record, clock());
  const old = findRetirable(credential, clock());
  if (old === null) return;
  const result = await retire(parts, credential, old).catch((error: unknown) => {
    if (error instanceof VaultUnavailable)
      return notRetired(parts, { code: 'vault', problem: error.problem });
    parts.onFailure(error);
    return notRetired(parts, { code: 'internal' });
  });
  // Our own stop is no answer of the service: the next start asks again.
  if (!result.ok && parts.stopping.aborted) return;
  const { generation } = old;
  await ledger.transact((state, nowMs) => recordRetirement(state, id, { generation, result }, nowMs));
  // After the record: a crash before it would leave a token that nobody can revoke.
  if (result.ok && isEndedByValue(parts, credential)) await forgetRetiring(vault, record.name, [generation]);
}

async function retire(
  parts: AgentParts,
  credential: DerivedCredential,
  { upstreamId, lifetime, generation, fingerprint }: RetiringToken,
): Promise<RetireResult> {
  const { providers, clock, vault, fingerprints } = parts;
  const { name } = credential;
  if (lifetime.expiresAtMs <= clock()) return { ok: true, how: 'expired' };
  const provider = providers.of(credential.provider.id);
  const token = await readCurrentToken(parts, credential);
  if (token === null) {
    return notRetired(parts, { code: 'value_missing', name: credential.name, isAnother: false });
  }
  const timeLimitMs = callLimitMs(lifetime.expiresAtMs - clock(), inspectLimitMs);
  const held = heldToken(parts, credential, token, timeLimitMs);
  const service = originOf(held.baseUrl);
  const isByValue = provider.endsBy.includes('value');
  const byValue = isByValue ? await vault.read(retiringEntry(name, generation)) : null;
  if (isByValue) {
    const isOld = byValue !== null && (await fingerprints.compare(byValue, fingerprint)) === 'same';
    if (!isOld) return notRetired(parts, { code: 'value_missing', name, isAnother: byValue !== null });
  }
  const which: TokenToEnd | null =
    byValue !== null
      ? { by: 'value', value: byValue }
      : upstreamId === null
        ? null
        : { by: 'id', id: upstreamId };
  if (which === null || !provider.endsBy.includes(which.by)) {
    return notRetired(parts, { code: 'id_unknown', service });
  }
  // Whatever the record says, the current token is never ended.
  invariant(byValue !== token, 'an old token is another one than the current token');
  const { reply } = await provider.inspect(held);
  if (reply.kind === 'refused') {
    return notRetired(parts, { code: 'refused', service, said: reply.said });
  }
  if (reply.kind === 'unreachable') {
    const { failure } = reply;
    return notRetired(
      parts,
      failure.code === 'answered'
        ? { code: 'service_failed', service, status: failure.status, said: null }
        : { code: 'call_failed', service, failure },
    );
  }
  // Two credentials may create each other's tokens: neither waits for the other while it is locked itself.
  const ended = await endToken(provider, held, which);
  if (ended === null) return notRetired(parts, { code: 'id_unknown', service });
  if (!ended.ok) return failure(parts, ended.refusal);
  return { ok: true, how: ended.value === 'already_gone' ? 'already_gone' : 'deleted' };
}

function isEndedByValue({ providers }: AgentParts, { provider }: DerivedCredential): boolean {
  return providers.of(provider.id).endsBy.includes('value');
}

function notRetired(parts: AgentParts, trouble: FailedRotation['trouble']): RetireResult {
  return failure(parts, failedBy(trouble));
}

function failure({ text }: AgentParts, { kind, trouble, retryAfterMs }: FailedRotation): RetireResult {
  return { ok: false, message: text.rotationTrouble(trouble), retry: !isUpToPerson(kind), retryAfterMs };
}
