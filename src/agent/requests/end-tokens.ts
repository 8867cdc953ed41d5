import { originOf } from '../../contract/address.ts';
import type { TokenEnded } from '../../contract/credential/credential-checks.ts';
import { tokenPageOf } from '../../contract/credential/provider-inputs.ts';
import { recordEnd } from '../../core/credential/check-credential.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { removeCredential } from '../../core/credential/store-token.ts';
import { isoInstant } from '../../core/iso-instant.ts';
import { done } from '../../core/result.ts';
import { isRevoked } from '../../providers/catalogue.ts';
import { endToken, failed } from '../../providers/provider-port.ts';
import type { CredentialPorts, Reports } from '../ports.ts';
import type { AttemptMemory } from '../rotation/attempt-memory.ts';
import { tokenToEnd } from '../rotation/retire-token.ts';
import { clientCertificateEntry } from '../vault/client-certificates.ts';
import {
  currentEntry,
  forgetPending,
  pendingEntry,
  readPending,
  retiringEntry,
  standbyEntry,
  vaultThenRecord,
} from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';
import { type Answer, inTurnOf } from './answer-for.ts';

interface EndPorts extends CredentialPorts, Pick<Reports, 'text'> {
  readonly memory: Pick<AttemptMemory, 'unsaved'>;
}

/** A person waits for the removal. */
const revokeLimitMs = 5_000;

/** Removes a credential, and ends its tokens where its service can. `message`: what still works and why, which stops nothing. */
export function removeTokens(ports: EndPorts, name: string): Answer<{ readonly message: string | null }> {
  return inTurnOf(ports, name, async (credential) => {
    const { id } = credential;
    const { ledger, vault, memory } = ports;
    const revoke = await revocationOf(ports, credential);
    const deleteOld = await deletionOfOld(ports, credential);
    await vault.remove(pendingEntry(name));
    await vault.remove(standbyEntry(name));
    await vault.remove(clientCertificateEntry(name));
    for (const { generation } of credential.retiring) await vault.remove(retiringEntry(name, generation));
    const removed = await vaultThenRecord(vault, currentEntry(name), {
      change: () => vault.remove(currentEntry(name)),
      record: () => ledger.transact((state) => removeCredential(state, id)),
    });
    memory.unsaved.delete(id);
    // After the record: a removal that is refused leaves a token that works.
    if (!removed.ok) return removed;
    const old = await deleteOld();
    const problems = [await revoke(), ...old].filter((problem) => problem !== null);
    return done({ message: problems.length === 0 ? null : problems.join(' ') });
  });
}

/** Ends every token of a credential that is known here, also a new one that is not in use yet. The credential stays. */
export function endTokens(ports: EndPorts, name: string): Answer<TokenEnded> {
  return inTurnOf(ports, name, async (credential) => {
    const { id, fingerprint, rotation } = credential;
    const { ledger, vault, services, text } = ports;
    const page = tokenPageOf(credential.provider, services.urlOf(credential));
    const provider = services.providerOf(credential);
    const current = await readCurrentToken(ports, credential);
    // While the current one works: the service may ask for it.
    const old = await (await deletionOfOld(ports, credential))();
    const pending = (await readPending(vault, name))?.value ?? null;
    const others = [pending, await vault.read(standbyEntry(name))];
    const alive: string[] = [...old];
    let outcome: TokenEnded['outcome'] = 'ended_before';
    for (const token of new Set([...others, current])) {
      if (token === null) continue;
      const held = services.held(credential, token, revokeLimitMs);
      const ended = (await endToken(provider, held, { by: 'itself' })) ?? done('no_call');
      if (!ended.ok) alive.push(text.notEnded(ended.refusal.trouble));
      else if (ended.value === 'no_call' || ended.value === 'key_stays')
        alive.push(text.endByPerson[ended.value]);
      else {
        if (ended.value === 'deleted') outcome = 'ended';
        // It must not become the current one.
        if (token === pending) await forgetPending(vault, name);
        if (token === current)
          await ledger.transact((state) => recordEnd(state, id, { fingerprint, message: text.endedHere }));
      }
    }
    if (current === null && pending === null) alive.push(text.noTokenToEnd);
    // Its reply was lost: the service may have made a token that nobody here knows.
    if (rotation !== null && pending === null) alive.push(text.unknownToken);
    return done({
      outcome: alive.length > 0 ? 'alive' : outcome,
      message: alive.length > 0 ? [...new Set(alive)].join(' ') : null,
      page,
    });
  });
}

/**
 * Deletes the old tokens that still work at the service, with the current one. It resolves to why each of the others still
 * works, and until when.
 */
async function deletionOfOld(ports: EndPorts, credential: Credential): Promise<() => Promise<string[]>> {
  const { vault, services, text, clock, fingerprints } = ports;
  const provider = services.providerOf(credential);
  const alive = credential.retiring.filter(({ lifetime }) => lifetime.expiresAtMs > clock());
  const secret = alive.length === 0 ? null : await readCurrentToken(ports, credential);
  const values = new Map<number, string>();
  for (const { generation, fingerprint } of provider.endsBy.includes('value') ? alive : []) {
    const value = await vault.read(retiringEntry(credential.name, generation));
    // Whatever the record says, the current token is never ended as an old one.
    if (value === null || value === secret) continue;
    if ((await fingerprints.compare(value, fingerprint)) === 'same') values.set(generation, value);
  }
  return async () => {
    const problems: string[] = [];
    for (const { generation, upstreamId, lifetime } of alive) {
      const held = services.held(credential, secret ?? '', revokeLimitMs);
      const which = tokenToEnd(values.get(generation) ?? null, upstreamId);
      const ended = secret === null || which === null ? null : await endToken(provider, held, which);
      const deleted = ended ?? failed({ code: 'id_unknown', service: originOf(held.baseUrl) });
      if (deleted.ok) continue;
      const { trouble } = deleted.refusal;
      problems.push(text.notDeleted(generation, isoInstant(lifetime.expiresAtMs), trouble));
    }
    return problems;
  };
}

/** Ends the token at its service. It resolves to why the token still works; null where the service has no such call. */
async function revocationOf(ports: EndPorts, credential: Credential): Promise<() => Promise<string | null>> {
  const { services, text } = ports;
  const provider = services.providerOf(credential);
  const secret = isRevoked(credential.provider) ? await readCurrentToken(ports, credential) : null;
  return async () => {
    if (secret === null) return null;
    const held = services.held(credential, secret, revokeLimitMs);
    const ended = await endToken(provider, held, { by: 'itself' });
    return ended === null || ended.ok ? null : text.notRevoked(ended.refusal.trouble);
  };
}
