import { originOf } from '../contract/address.ts';
import type { AddressChange, ChangeAddress } from '../contract/credential-checks.ts';
import { changeAddress as recordAddress } from '../core/credential/change-credential.ts';
import type { Credential } from '../core/credential/credential.ts';
import { type CredentialRefusal, findCredential } from '../core/credential/find-credential.ts';
import { done, refused } from '../core/result.ts';
import type { AgentParts } from './agent-parts.ts';
import { type Answer, answerFor } from './answer-for.ts';
import { lockKeyOf } from './deliver-token.ts';
import { callLimitMs } from './remote/service-caller.ts';
import { runExclusive } from './run-exclusive.ts';
import { ask, type Asked, findingOf, longestMs, noteReply, testOf } from './test-credential.ts';
import { noCurrentToken } from './token-entries.ts';
import { readCurrentToken } from './token-fingerprints.ts';

/**
 * Changes the address of a credential's service after testing the current token there.
 *
 * The token goes to another origin only when the person has confirmed that origin. Not while a rotation is open: the service
 * may have replaced the token already, and the intent belongs to the address where it began.
 */
export function changeAddress(parts: AgentParts, name: string, wanted: ChangeAddress): Answer<AddressChange> {
  const find = () => findCredential(parts.ledger.state, name);
  return answerFor(async () => {
    const found = find();
    if (!found.ok) return found;
    // Before it is its turn, because an open rotation may take long.
    const early = refusalOf(found.value, wanted);
    if (early !== null) return refused(early);
    return runExclusive(lockKeyOf(found.value.id), async () => {
      const now = find();
      if (!now.ok) return now;
      const refusal = refusalOf(now.value, wanted);
      return refusal === null ? testAndSave(parts, now.value, wanted.base_url) : refused(refusal);
    });
  });
}

function refusalOf(
  { name, baseUrl, rotation }: Credential,
  { base_url: wanted, confirmed_origin: confirmed }: ChangeAddress,
): CredentialRefusal | null {
  if (baseUrl === null) return { problem: 'conflict', reason: { code: 'address_of_embedded', name } };
  if (rotation !== null) return { problem: 'conflict', reason: { code: 'rotation_open', name } };
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
