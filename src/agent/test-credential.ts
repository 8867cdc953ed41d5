import type { ConnectionTest, TestConnection } from '../contract/credential-checks.ts';
import type { Credential } from '../core/credential/credential.ts';
import { findCredential } from '../core/credential/find-credential.ts';
import { isoInstant } from '../core/iso-instant.ts';
import { done, refused } from '../core/result.ts';
import type { AgentParts } from './agent-parts.ts';
import { type Answer, answerFor } from './answer-for.ts';
import { callLimitMs } from './call-limit.ts';
import { busyWords, wordsOfBrought, wordsOfKept } from './connection-words.ts';
import { turnOf } from './deliver-value.ts';
import { fingerprintOf } from './fingerprint.ts';
import { inTurn } from './in-turn.ts';
import { noPresentValue, readPresentValue } from './present-value.ts';
import { askExpiry, type Told } from './remote/ask-expiry.ts';

/** How long the service may take: a person waits, and so does a rotation that comes due meanwhile. */
const longestMs = 10_000;

/**
 * Asks a credential's service whether the present value works.
 *
 * Only when that is safe. While a rotation is open the service may have replaced the value already: it would take the
 * call for somebody who goes on with an old token. A rotation that comes due meanwhile waits for the answer, for the same
 * reason.
 */
export function testCredential(parts: AgentParts, name: string): Answer<ConnectionTest> {
  const find = () => findCredential(parts.ledger.state, name);
  return answerFor(async () => {
    const found = find();
    if (!found.ok) return found;
    // Said before it is its turn: the attempt that has it may hang at its service.
    if (found.value.rotation !== null) return done(busy(parts, found.value));
    return inTurn(turnOf(found.value.id), async () => {
      const now = find();
      return now.ok ? testPresent(parts, now.value) : now;
    });
  });
}

async function testPresent(parts: AgentParts, credential: Credential): Answer<ConnectionTest> {
  if (credential.rotation !== null) return done(busy(parts, credential));
  const { name, life } = credential;
  const value = await readPresentValue(parts.vault, credential);
  if (value === null) {
    const message = `${noPresentValue(name)} Paste the present token: \`rotavox credential replace ${name}\`.`;
    return refused({ problem: 'conflict', message });
  }
  const baseUrl = credential.baseUrl ?? parts.embeddedUrl();
  const timeLimitMs = callLimitMs(life.expiresAtMs - parts.clock(), longestMs);
  const asked = await ask(parts, { baseUrl, value, timeLimitMs });
  return done(testOf(asked, wordsOfKept(asked.told, { credential, baseUrl })));
}

/** The same for a value that nobody keeps yet. It is sent to that service and forgotten. */
export async function testConnection(
  parts: AgentParts,
  { value, base_url: ofService }: TestConnection,
): Promise<ConnectionTest> {
  const { credentials } = parts.ledger.state;
  const baseUrl = ofService ?? parts.embeddedUrl();
  const asked = await ask(parts, { baseUrl, value, timeLimitMs: longestMs });
  const fingerprint = fingerprintOf(value);
  const holder = [...credentials.values()].find((one) => one.fingerprint === fingerprint);
  return testOf(asked, wordsOfBrought(asked.told, { baseUrl, keptAs: holder?.name ?? null }));
}

interface Asked {
  readonly told: Told;
  readonly atMs: number;
  readonly tookMs: number;
}

async function ask(
  { caller, clock }: AgentParts,
  call: { readonly baseUrl: string; readonly value: string; readonly timeLimitMs: number },
): Promise<Asked> {
  const beganMs = performance.now();
  const told = await askExpiry(caller, { ...call, clock });
  return { told, atMs: clock(), tookMs: Math.round(performance.now() - beganMs) };
}

const outcomes = {
  told: 'works',
  refused: 'refused',
  unreachable: 'unreachable',
  silent: 'unknown',
} as const;

function testOf({ told, atMs, tookMs }: Asked, message: string): ConnectionTest {
  return {
    outcome: outcomes[told.kind],
    message,
    checked_at: isoInstant(atMs),
    token:
      told.kind === 'told'
        ? {
            name: told.name,
            status: told.status,
            expires_at: isoInstant(told.expiresAtMs),
            validity_days: told.validityDays,
          }
        : null,
    took_ms: tookMs,
  };
}

function busy({ clock }: AgentParts, credential: Credential): ConnectionTest {
  const message = busyWords(credential);
  return { outcome: 'busy', message, checked_at: isoInstant(clock()), token: null, took_ms: 0 };
}
