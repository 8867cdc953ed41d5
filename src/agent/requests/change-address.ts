import { originOf } from '../../contract/address.ts';
import type { AddressChange, ChangeAddress } from '../../contract/credential-checks.ts';
import { changeAddress as recordAddress } from '../../core/credential/change-credential.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { type CredentialRefusal, findCredential } from '../../core/credential/find-credential.ts';
import { done, refused } from '../../core/result.ts';
import type { AgentParts } from '../agent-parts.ts';
import { type Answer, answerFor } from './answer-for.ts';
import { lockKeyOf } from '../delivery/deliver-token.ts';
import { callLimitMs } from '../../providers/http/service-caller.ts';
import { runExclusive } from '../run-exclusive.ts';
import { ask, type Asked, findingOf, longestMs, noteReply, testOf } from './test-credential.ts';
import { noCurrentToken, readPending } from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';

/**
 * Changes the address of a credential's service after testing the current token there.
 *
 * The token goes to another origin only when the person has confirmed that origin. Not while a rotation is open that may have acted:
 * the service may have replaced the token already, and the intent belongs to the address where it began.
 */
export function changeAddress(parts: AgentParts, name: string, wanted: ChangeAddress): Answer<AddressChange> {
  const find = () => findCredential(parts.ledger.state, name);
  return answerFor(async () => {
    const found = find();
    if (!found.ok) return found;
    // Before it is its turn, because an open rotation may take long.
    const early = refusalOf(found.value, wanted, await mayHaveActed(parts, found.value));
    if (early !== null) return refused(early);
    return runExclusive(lockKeyOf(found.value.id), async () => {
      const now = find();
      if (!now.ok) return now;
      const refusal = refusalOf(now.value, wanted, await mayHaveActed(parts, now.value));
      return refusal === null ? testAndSave(parts, now.value, wanted.base_url) : refused(refusal);
    });
  });
}

/** Whether the service may have replaced the current token for the rotation that is open. */
async function mayHaveActed({ vault, attempts, begunKeys }: AgentParts, of: Credential): Promise<boolean> {
  const { id, name, rotation } = of;
  if (rotation === null) return false;
  if (attempts.has(id) || rotation.mayHaveActed) return true;
  // An attempt reserves its entry in the vault before it calls, and one that met a redirect has given it back.
  const { idempotencyKey } = rotation;
  return (
    !begunKeys.has(idempotencyKey) && (await readPending(vault, name))?.idempotency_key === idempotencyKey
  );
}

function refusalOf(
  { name, baseUrl }: Credential,
  { base_url: wanted, confirmed_origin: confirmed }: ChangeAddress,
  isOpen: boolean,
): CredentialRefusal | null {
  if (baseUrl === null) return { problem: 'conflict', reason: { code: 'address_of_embedded', name } };
  if (isOpen) return { problem: 'conflict', reason: { code: 'rotation_open', name } };
  const [from, to] = [originOf(baseUrl), originOf(wanted)];
  if (from === to || confirmed === to) return null;
  return { problem: 'conflict', reason: { code: 'origin_not_confirmed', from, to } };
}

async function testAndSave(
  parts: AgentParts,
  credential: Credential,
  baseUrl: string,
): Answer<AddressChange> {
  const token = await readCurrentToken(parts, credential);
  if (token === null) return refused(noCurrentToken(credential));
  const timeLimitMs = callLimitMs(credential.lifetime.expiresAtMs - parts.clock(), longestMs);
  const asked = await ask(parts, { baseUrl, provider: credential.provider }, token, timeLimitMs);
  const of = { credential, baseUrl };
  const test = testOf(parts, asked, parts.text.connection(findingOf(of, asked)));
  if (!works(asked, credential)) return done({ test, is_saved: false });
  const saved = await parts.ledger.transact((state) => recordAddress(state, credential.name, baseUrl));
  if (!saved.ok) return saved;
  await noteReply(parts, of, asked);
  return done({ test, is_saved: true });
}

/** A service that does not tell of a token is taken for the right one where it can rotate, or never could. */
function works({ reply, endpoint }: Asked, { canRotate }: Credential): boolean {
  if (reply.kind === 'known') return true;
  return reply.kind === 'not_told' && (endpoint?.outcome === 'can_rotate' || canRotate === false);
}
