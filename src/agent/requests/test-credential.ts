import { originOf } from '../../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../../contract/credential/connection-finding.ts';
import type { ConnectionTest, TestConnection } from '../../contract/credential/credential-checks.ts';
import type { TakenWay } from '../../contract/service/network.ts';
import { defaultProvider } from '../../contract/credential/provider.ts';
import { isUpToPerson } from '../../core/credential/attempt-rotation.ts';
import { type Check, recordCheck } from '../../core/credential/check-credential.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import { deriveCredential } from '../../core/credential/derive-credential.ts';
import { isoInstant, isoInstantOrNull } from '../../core/iso-instant.ts';
import { StoreUnavailable } from '../../core/ledger.ts';
import { done, refused } from '../../core/result.ts';
import { VaultUnavailable } from '../../core/vault.ts';
import { isRefreshed } from '../../providers/catalogue.ts';
import type { CredentialPorts, Records, Refresh, Reports } from '../ports.ts';
import type { AttemptMemory } from '../rotation/attempt-memory.ts';
import type { OfService } from '../services.ts';
import { type Answer, exclusively, noCurrentToken, withFresh } from './answer-for.ts';
import { callLimitMs, type ServiceCaller } from '../../providers/http/service-caller.ts';
import { readCurrentToken } from '../vault/token-fingerprints.ts';

/** The time limit of a test: a person waits for it, and so does a rotation that becomes due. */
export const longestMs = 10_000;

export interface TestPorts extends CredentialPorts, Pick<Reports, 'text'> {
  readonly caller: Pick<ServiceCaller, 'wayTo'>;
  readonly memory: AttemptMemory;
}

/**
 * Asks a credential's service whether the current token works, and whether the service can rotate. New
 * findings are recorded; nothing is rotated to find out.
 *
 * Only when that is safe. While a rotation is open the service may already have replaced the token, and would see the
 * call as the use of an old token: unless this process made every attempt, and none can have acted. For the same reason a rotation
 * that becomes due meanwhile waits for the answer.
 */
export function testCredential(
  ports: TestPorts & { readonly refresh: Refresh },
  name: string,
): Answer<ConnectionTest> {
  return withFresh(ports, name, async (found) => {
    // Checked before waiting for the lock, because a call of the open rotation may hang.
    if (mayBeReplaced(ports, found)) return done(busy(ports, found));
    return exclusively(ports, found, (now) => testExclusively(ports, now));
  });
}

async function testExclusively(ports: TestPorts, credential: Credential): Answer<ConnectionTest> {
  if (mayBeReplaced(ports, credential)) return done(busy(ports, credential));
  const token = await readCurrentToken(ports, credential);
  if (token === null) return refused(noCurrentToken(credential));
  const of = { credential, baseUrl: ports.services.urlOf(credential) };
  const timeLimitMs = callLimitMs(credential.lifetime.expiresAtMs - ports.clock(), longestMs);
  const asked = await ask(ports, credential, token, timeLimitMs);
  await noteReply(ports, of, asked);
  const { isRefusedHere, unusable } = deriveCredential(ports.ledger.state, credential, ports.clock());
  const here = isRefusedHere && asked.reply.kind === 'refused' ? unusable : null;
  return done(testOf(ports, asked, ports.text.connection({ ...findingOf(of, asked), here })));
}

/** Whether the service may have replaced the current token already. */
function mayBeReplaced({ memory }: TestPorts, { id, rotation }: Credential): boolean {
  if (rotation === null) return false;
  return memory.mayHaveActed(id, rotation) || !memory.begunKeys.has(rotation.idempotencyKey);
}

export interface TestedCredential {
  readonly credential: Credential;
  readonly baseUrl: string;
}

/** Expiries that differ by less count as equal, because of clocks and delays. */
const sameEndMs = 60_000;

export function findingOf(
  { credential, baseUrl }: TestedCredential,
  { reply, endpoint }: Pick<Asked, 'reply' | 'endpoint'>,
) {
  const { expiresAtMs } = credential.lifetime;
  const isOther = reply.kind === 'known' && Math.abs(reply.expiresAtMs - expiresAtMs) >= sameEndMs;
  return {
    code: 'credential',
    service: originOf(baseUrl),
    reply,
    cannotRotate: endpoint?.outcome === 'cannot_rotate',
    recordedExpiry: isOther ? isoInstant(expiresAtMs) : null,
    here: null,
  } as const;
}

/** Records what a service has reported about the current token, and about its rotate endpoint, if it is new. */
export async function noteReply(
  { ledger, zone, text }: Records & Pick<Reports, 'text'>,
  of: TestedCredential,
  asked: Pick<Asked, 'reply' | 'endpoint'>,
): Promise<void> {
  const { id, fingerprint } = of.credential;
  const { reply, endpoint } = asked;
  const secretCheck = (): Check['token'] => {
    // What is said of an access token says nothing about the secret that obtains the next one.
    if (isRefreshed(of.credential.provider)) return 'unknown';
    if (reply.kind === 'refused' && reply.why !== 'refused') {
      return { kind: reply.why, message: text.connection(findingOf(of, asked)) };
    }
    return reply.kind === 'known' ? 'works' : 'unknown';
  };
  const check: Check = {
    fingerprint,
    token: secretCheck(),
    canRotate:
      endpoint === null || endpoint.outcome === 'unknown'
        ? null
        : { is: endpoint.outcome === 'can_rotate', message: text.endpoint(endpoint) },
  };
  try {
    await ledger.transact((state, nowMs) => recordCheck(state, id, check, zone, nowMs));
  } catch (error) {
    // The answer is valid anyway, and the store itself reports that it refuses.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

/** The same for a token that is not stored yet. It is sent to that service and forgotten. */
export async function testConnection(
  ports: TestPorts,
  {
    value: token,
    base_url: baseUrl,
    provider = defaultProvider,
    client_certificate: clientCertificate,
  }: TestConnection,
): Promise<ConnectionTest> {
  const of = { baseUrl, provider, ...(clientCertificate === undefined ? {} : { clientCertificate }) };
  const asked = await ask(ports, of, token, longestMs);
  const holder = await holderOf(ports, token);
  const message = ports.text.connection({
    code: 'token',
    service: originOf(ports.services.urlOf({ baseUrl })),
    reply: asked.reply,
    cannotRotate: asked.endpoint?.outcome === 'cannot_rotate',
    credential: holder,
  });
  return testOf(ports, asked, message);
}

/** The credential that has this token. A test does not need the vault: without it none is named. */
async function holderOf({ ledger, fingerprints }: TestPorts, token: string): Promise<string | null> {
  const alike = await fingerprints.alike(token).catch((error: unknown): string[] => {
    if (error instanceof VaultUnavailable) return [];
    throw error;
  });
  const credentials = [...ledger.state.credentials.values()];
  return credentials.find(({ fingerprint }) => alike.includes(fingerprint))?.name ?? null;
}

export interface Asked {
  readonly reply: TokenReply;
  /** Null: not asked, because nothing answered or the token itself was refused. */
  readonly endpoint: EndpointFinding | null;
  /** Null: it was not reached, or is this program's own. */
  readonly way: TakenWay | null;
  readonly atMs: number;
  readonly tookMs: number;
}

export async function ask(
  ports: TestPorts,
  of: OfService,
  token: string,
  timeLimitMs: number,
): Promise<Asked> {
  const provider = ports.services.providerOf(of);
  const held = ports.services.held(of, token, timeLimitMs);
  const beganMs = performance.now();
  const { reply } = await provider.inspect(held);
  const tookMs = Math.round(performance.now() - beganMs);
  // This program's own service is known to rotate.
  const way = of.baseUrl === null || reply.kind === 'unreachable' ? null : ports.caller.wayTo(of.baseUrl);
  const isOver = of.baseUrl === null || reply.kind === 'refused' || reply.kind === 'unreachable';
  const endpoint = isOver ? null : await provider.inspectRotation(held);
  return { reply, endpoint, way, atMs: ports.clock(), tookMs };
}

const outcomes = {
  known: 'works',
  refused: 'refused',
  unreachable: 'unreachable',
  not_told: 'unknown',
} as const;

export function testOf(
  { text }: TestPorts,
  { reply, endpoint, way, atMs, tookMs }: Asked,
  message: string,
): ConnectionTest {
  return {
    outcome: outcomes[reply.kind],
    message,
    checked_at: isoInstant(atMs),
    token:
      reply.kind === 'known' && reply.isEndNoted !== true
        ? {
            name: reply.name,
            status: reply.status,
            expires_at: isoInstant(reply.expiresAtMs),
            validity_days: reply.validityDays,
            created_at: isoInstantOrNull(reply.createdAtMs),
          }
        : null,
    ...(endpoint === null
      ? {}
      : { rotation: { outcome: endpoint.outcome, message: text.endpoint(endpoint) } }),
    ...(way === null ? {} : { way }),
    took_ms: tookMs,
  };
}

function busy({ ledger, clock, text }: TestPorts, credential: Credential): ConnectionTest {
  const { name, rotation, trouble } = deriveCredential(ledger.state, credential, clock());
  const message = text.connection({
    code: 'rotation_open',
    name,
    since: isoInstantOrNull(rotation?.begunAtMs ?? null),
    trouble: trouble?.problem ?? null,
    isRetried: trouble !== null && !isUpToPerson(trouble.kind),
  });
  return { outcome: 'busy', message, checked_at: isoInstant(clock()), token: null, took_ms: 0 };
}
