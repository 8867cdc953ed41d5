import type { ConnectionTest, TestConnection } from '../contract/credential-checks.ts';
import { type Check, recordCheck } from '../core/credential/check-credential.ts';
import type { Credential } from '../core/credential/credential.ts';
import { findCredential } from '../core/credential/find-credential.ts';
import { presentCredential } from '../core/credential/present-credential.ts';
import { endpointWayOut } from '../core/credential/way-out.ts';
import { isoInstant } from '../core/iso-instant.ts';
import { StoreUnavailable } from '../core/ledger.ts';
import { done, refused } from '../core/result.ts';
import type { AgentParts } from './agent-parts.ts';
import { type Answer, answerFor } from './answer-for.ts';
import { busyWords, wordsOfBrought, wordsOfKept } from './connection-words.ts';
import { turnOf } from './deliver-value.ts';
import { inTurn } from './in-turn.ts';
import { askExpiry, type Told } from './remote/ask-expiry.ts';
import { type EndpointFound, findRotateEndpoint } from './remote/ask-rotation.ts';
import { callLimitMs } from './remote/service-caller.ts';
import { fingerprintOf, noValue, readPresentValue } from './value-entries.ts';

/** How long the service may take: a person waits, and so does a rotation that comes due meanwhile. */
const longestMs = 10_000;

/**
 * Asks a credential's service whether the present value works, and whether the service can rotate. What it says and what
 * was not known is written down; nothing is rotated to find out.
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
  const value = await readPresentValue(parts.vault, credential);
  if (value === null) return refused(noValue(credential));
  const of = { credential, baseUrl: credential.baseUrl ?? parts.embeddedUrl() };
  const timeLimitMs = callLimitMs(credential.life.expiresAtMs - parts.clock(), longestMs);
  const asked = await ask(parts, {
    baseUrl: of.baseUrl,
    isHere: credential.baseUrl === null,
    value,
    timeLimitMs,
  });
  await noteAnswer(parts, of, asked);
  const { isRefusedHere, unusable } = presentCredential(parts.ledger.state, credential, parts.clock());
  const words =
    isRefusedHere && asked.told.kind === 'refused'
      ? `${asked.told.message} ${unusable}`
      : wordsOfKept(asked.told, { ...of, endpoint: asked.endpoint });
  return done(testOf(asked, words));
}

/** Writes down what a service has said about the current token, and about its rotate endpoint, where that is news. */
export async function noteAnswer(
  { ledger, zone }: AgentParts,
  of: { readonly credential: Credential; readonly baseUrl: string },
  { told, endpoint }: Pick<Asked, 'told' | 'endpoint'>,
): Promise<void> {
  const { id, name, fingerprint } = of.credential;
  const isNews = told.kind === 'refused' && told.why !== 'refused';
  const check: Check = {
    fingerprint,
    token: isNews
      ? { kind: told.why, message: wordsOfKept(told, { ...of, endpoint }) }
      : told.kind === 'told'
        ? 'works'
        : 'unknown',
    canRotate:
      endpoint === null || endpoint.outcome === 'unknown'
        ? null
        : {
            is: endpoint.outcome === 'can_rotate',
            message: `${endpoint.message} ${endpointWayOut(name)}`,
          },
  };
  try {
    await ledger.transact((state, nowMs) => recordCheck(state, id, check, zone, nowMs));
  } catch (error) {
    // The answer stands all the same, and the store has its own way of saying that it refuses.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

/** The same for a value that nobody keeps yet. It is sent to that service and forgotten. */
export async function testConnection(
  parts: AgentParts,
  { value, base_url: ofService }: TestConnection,
): Promise<ConnectionTest> {
  const { credentials } = parts.ledger.state;
  const baseUrl = ofService ?? parts.embeddedUrl();
  const asked = await ask(parts, { baseUrl, isHere: ofService === null, value, timeLimitMs: longestMs });
  const fingerprint = fingerprintOf(value);
  const holder = [...credentials.values()].find((one) => one.fingerprint === fingerprint);
  const words = wordsOfBrought(asked.told, {
    baseUrl,
    keptAs: holder?.name ?? null,
    endpoint: asked.endpoint,
  });
  return testOf(asked, words);
}

interface Asked {
  readonly told: Told;
  /** Null: not asked, for nothing answered or the token itself is refused. */
  readonly endpoint: EndpointFound | null;
  readonly atMs: number;
  readonly tookMs: number;
}

async function ask(
  { caller, clock }: AgentParts,
  call: {
    readonly baseUrl: string;
    /** Whether that is this service, which is known to rotate. */
    readonly isHere: boolean;
    readonly value: string;
    readonly timeLimitMs: number;
  },
): Promise<Asked> {
  const beganMs = performance.now();
  const told = await askExpiry(caller, { ...call, clock });
  const tookMs = Math.round(performance.now() - beganMs);
  const isOver = call.isHere || told.kind === 'refused' || told.kind === 'unreachable';
  const endpoint = isOver ? null : await findRotateEndpoint(caller, call);
  return { told, endpoint, atMs: clock(), tookMs };
}

const outcomes = {
  told: 'works',
  refused: 'refused',
  unreachable: 'unreachable',
  silent: 'unknown',
} as const;

function testOf({ told, endpoint, atMs, tookMs }: Asked, message: string): ConnectionTest {
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
    ...(endpoint === null ? {} : { rotation: endpoint }),
    took_ms: tookMs,
  };
}

function busy({ clock }: AgentParts, credential: Credential): ConnectionTest {
  const message = busyWords(credential);
  return { outcome: 'busy', message, checked_at: isoInstant(clock()), token: null, took_ms: 0 };
}
