import { originOf } from '../../contract/address.ts';
import type { AddressChange, ChangeAddress } from '../../contract/credential/credential-checks.ts';
import { changeAddress as recordAddress } from '../../core/credential/change-credential.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import { done, refused } from '../../core/result.ts';
import { type Answer, exclusively, noCurrentToken, withCredential } from './answer-for.ts';
import { callLimitMs } from '../../providers/http/service-caller.ts';
import {
  ask,
  type Asked,
  findingOf,
  longestMs,
  noteReply,
  testOf,
  type TestPorts,
} from './test-credential.ts';
import { readPending } from '../vault/token-entries.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';

/**
 * Changes the address of a credential's service after testing the current token there.
 *
 * The token goes to another origin only when the person has confirmed that origin. Not while a rotation is open that may have acted:
 * the service may have replaced the token already, and the intent belongs to the address where it began.
 */
export function changeAddress(ports: TestPorts, name: string, wanted: ChangeAddress): Answer<AddressChange> {
  return withCredential(ports, name, async (found) => {
    // Before it is its turn, because an open rotation may take long.
    const early = refusalOf(found, wanted, await mayHaveActed(ports, found));
    if (early !== null) return refused(early);
    return exclusively(ports, found, async (now) => {
      const refusal = refusalOf(now, wanted, await mayHaveActed(ports, now));
      return refusal === null ? testAndSave(ports, now, wanted.base_url) : refused(refusal);
    });
  });
}

/** Whether the service may have replaced the current token for the rotation that is open. */
async function mayHaveActed(
  { vault, memory }: TestPorts,
  { id, name, rotation }: Credential,
): Promise<boolean> {
  if (rotation === null) return false;
  if (memory.mayHaveActed(id, rotation)) return true;
  // An attempt reserves its entry in the vault before it calls, and one that met a redirect has given it back.
  const { idempotencyKey } = rotation;
  if (memory.begunKeys.has(idempotencyKey)) return false;
  return (await readPending(vault, name))?.idempotency_key === idempotencyKey;
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

async function testAndSave(ports: TestPorts, credential: Credential, baseUrl: string): Answer<AddressChange> {
  const token = await readCurrentToken(ports, credential);
  if (token === null) return refused(noCurrentToken(credential));
  const timeLimitMs = callLimitMs(credential.lifetime.expiresAtMs - ports.clock(), longestMs);
  const asked = await ask(ports, { baseUrl, provider: credential.provider }, token, timeLimitMs);
  const of = { credential, baseUrl };
  const test = testOf(ports, asked, ports.text.connection(findingOf(of, asked)));
  if (!works(asked, credential)) return done({ test, is_saved: false });
  const saved = await ports.ledger.transact((state) => recordAddress(state, credential.name, baseUrl));
  if (!saved.ok) return saved;
  await noteReply(ports, of, asked);
  return done({ test, is_saved: true });
}

/** A service that does not tell of a token is taken for the right one where it can rotate, or never could. */
function works({ reply, endpoint }: Asked, { canRotate }: Credential): boolean {
  if (reply.kind === 'known') return true;
  return reply.kind === 'not_told' && (endpoint?.outcome === 'can_rotate' || canRotate === false);
}
